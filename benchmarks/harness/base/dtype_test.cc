#include "benchmarks/harness/base/dtype.h"

#include "absl/strings/ascii.h"
#include "gtest/gtest.h"

namespace assay::base {
namespace {

TEST(DtypeTest, EveryDtypeOfTheSuiteMapsToATorchTypeAndBack) {
  for (int number = Dtype_MIN + 1; number <= Dtype_MAX; ++number) {
    ASSERT_TRUE(Dtype_IsValid(number)) << number;
    const Dtype dtype = static_cast<Dtype>(number);
    ASSERT_NE(ToScalarType(dtype), c10::ScalarType::Undefined) << Dtype_Name(dtype);
    EXPECT_EQ(FromScalarType(ToScalarType(dtype)), dtype);
  }
}

TEST(DtypeTest, NamesAreTheEnumsInLowerCase) {
  for (int number = Dtype_MIN + 1; number <= Dtype_MAX; ++number) {
    const Dtype dtype = static_cast<Dtype>(number);
    EXPECT_EQ(DtypeName(dtype), absl::AsciiStrToLower(Dtype_Name(dtype)));
  }
}

TEST(DtypeTest, FloatingPointAgreesWithTorch) {
  for (int number = Dtype_MIN + 1; number <= Dtype_MAX; ++number) {
    const Dtype dtype = static_cast<Dtype>(number);
    EXPECT_EQ(IsFloatingPoint(dtype), c10::isFloatingType(ToScalarType(dtype)));
  }
}

TEST(DtypeTest, WhatTheSuiteDoesNotKnowIsUnspecified) {
  EXPECT_EQ(ToScalarType(Dtype::DTYPE_UNSPECIFIED), c10::ScalarType::Undefined);
  EXPECT_EQ(FromScalarType(c10::ScalarType::ComplexFloat), Dtype::DTYPE_UNSPECIFIED);
  EXPECT_EQ(DtypeName(Dtype::DTYPE_UNSPECIFIED), "unspecified");
  EXPECT_FALSE(IsFloatingPoint(Dtype::DTYPE_UNSPECIFIED));
}

}  // namespace
}  // namespace assay::base
