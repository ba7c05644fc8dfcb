#include "benchmarks/harness/numerics/tensor_values.h"

#include <cmath>
#include <limits>
#include <vector>

#include "ATen/TensorOperators.h"
#include "ATen/core/Tensor.h"
#include "ATen/ops/_neg_view.h"
#include "ATen/ops/arange.h"
#include "ATen/ops/empty.h"
#include "ATen/ops/ones.h"
#include "ATen/ops/scalar_tensor.h"
#include "ATen/ops/tensor.h"
#include "ATen/ops/zeros.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

TEST(TensorValuesTest, EveryRealDtypeIsReadExactly) {
  for (const at::ScalarType type :
       {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kLong, at::kInt, at::kChar}) {
    const auto values = ValuesOf(at::tensor({-2, 0, 3}).to(type));
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_EQ(values->All(), (std::vector<double>{-2, 0, 3})) << c10::toString(type);
    EXPECT_EQ(values->stats().max_abs, 3);
  }
}

TEST(TensorValuesTest, ViewsAreReadRowMajor) {
  const at::Tensor base = at::arange(6, at::kDouble).view({2, 3});
  EXPECT_EQ(ValuesOf(base.t())->All(), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(ValuesOf(base.slice(1, 0, 3, 2))->All(), (std::vector<double>{0, 2, 3, 5}));
  EXPECT_EQ(ValuesOf(at::ones({1}).expand({3}))->All(), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(ValuesOf(at::_neg_view(base))->All(), (std::vector<double>{0, -1, -2, -3, -4, -5}));
  EXPECT_EQ(ValuesOf(at::_neg_view(base))->At(5), -5);
  EXPECT_EQ(ValuesOf(at::scalar_tensor(4))->All(), (std::vector<double>{4}));
}

TEST(TensorValuesTest, SinglePositionsAreTheFlatElements) {
  const auto values = ValuesOf(at::arange(200000, at::kFloat));
  EXPECT_EQ(values->At(std::vector<int64_t>{0, 65536, 199999}),
            (std::vector<double>{0, 65536, 199999}));
  EXPECT_EQ(values->elements(), 200000);
  EXPECT_DOUBLE_EQ(values->stats().mean, 99999.5);
}

TEST(TensorValuesTest, NonfiniteElementsAreCountedAndTheFirstIsFound) {
  at::Tensor tensor = at::zeros({200000});
  EXPECT_EQ(ValuesOf(tensor)->first_nonfinite(), -1);
  tensor[150000] = NAN;
  tensor[70000] = -std::numeric_limits<float>::infinity();
  const auto values = ValuesOf(tensor);
  EXPECT_EQ(values->nonfinite(), 2);
  EXPECT_EQ(values->first_nonfinite(), 70000);
}

// 20 MB of elements that would be 160 MB as doubles: memory is that of a piece, whatever the size.
TEST(TensorValuesTest, LargeTensorsAreReadInPieces) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "what is freed stays in the sanitizer's quarantine";
#endif
  constexpr int64_t kElements = 20'000'000;
  const at::Tensor tensor = at::ones({kElements}, at::kChar);
  sampling::CpuDevice memory;
  memory.ResetPeakMemory();  // or a larger tensor of an earlier test would hide this one's
  const int64_t before = memory.Memory().host_peak_bytes;
  const auto values = ValuesOf(tensor);
  const int64_t after = memory.Memory().host_peak_bytes;
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_EQ(values->elements(), kElements);
  EXPECT_EQ(values->stats().mean, 1);
  EXPECT_EQ(values->At(kElements - 1), 1);
  EXPECT_LT(after - before, kElements) << "bytes more than the tensor itself";
}

TEST(TensorValuesTest, TensorsOfAGraphAreRead) {
  const at::Tensor leaf = at::ones({2}).set_requires_grad(true);
  EXPECT_EQ(ValuesOf(leaf * 2)->All(), (std::vector<double>{2, 2}));
}

TEST(TensorValuesTest, AnEmptyTensorHasNoValues) {
  const auto values = ValuesOf(at::empty({0, 3}));
  ASSERT_TRUE(values.ok());
  EXPECT_EQ(values->elements(), 0);
  EXPECT_TRUE(values->All().empty());
}

TEST(TensorValuesTest, WhatTorchCannotCopyIsAStatus) {
  EXPECT_FALSE(ValuesOf(at::empty({2}, at::device(at::kMeta))).ok());
}

}  // namespace
}  // namespace assay::numerics
