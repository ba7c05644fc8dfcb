#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

Parameters RegNet(std::vector<int64_t> depths, std::vector<int64_t> widths) {
  Parameters parameters;
  parameters.Set("depths", std::move(depths));
  parameters.Set("widths", std::move(widths));
  parameters.Set("group_width", 16);
  parameters.Set("squeeze_excitation", true);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(RegNetTest, IsAnImageClassifier) {
  ExpectImageClassifier("regnet", RegNet({1, 2}, {32, 48}), {});
}

TEST(RegNetTest, RefusesAStageWithoutAWidth) {
  EXPECT_THAT(Create("regnet", RegNet({1, 2, 3}, {32, 48})).status().message(),
              testing::HasSubstr("3 depths and 2 widths"));
}

TEST(RegNetTest, RefusesAWidthThatGroupsDoNotDivide) {
  const absl::Status status = Create("regnet", RegNet({1, 2}, {32, 40})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("the width 40 is not a multiple"));
}

}  // namespace
}  // namespace assay::models
