#include "models/layers/core/parameter_checks.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "models/parameters.h"

namespace assay::models {
namespace {

TEST(ParameterChecks, EvenAndOdd) {
  EXPECT_TRUE(CheckEven("f", "width", 6).ok());
  EXPECT_EQ(CheckEven("f", "width", 7).message(), "f: width 7 is not even");
  EXPECT_TRUE(CheckOdd("f", "width", 7).ok());
  EXPECT_EQ(CheckOdd("f", "width", 6).message(), "f: width 6 is not odd");
}

TEST(ParameterChecks, Filled) {
  Parameters parameters;
  parameters.Set("mlp", std::vector<int64_t>{});
  EXPECT_EQ(CheckFilled("f", parameters, "mlp").message(),
            "f: mlp is empty; want a width for each layer");
  parameters.Set("mlp", std::vector<int64_t>{3});
  EXPECT_TRUE(CheckFilled("f", parameters, "mlp").ok());
}

}  // namespace
}  // namespace assay::models
