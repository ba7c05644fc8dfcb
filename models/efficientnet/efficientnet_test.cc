#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

Parameters EfficientNet(const std::string& table, double multiplier) {
  Parameters parameters;
  parameters.Set("table", table);
  parameters.Set("width_multiplier", multiplier);
  parameters.Set("depth_multiplier", multiplier);
  parameters.Set("dropout", 0.2);
  parameters.Set("norm_epsilon", 1e-3);
  parameters.Set("norm_momentum", 0.1);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(EfficientNetTest, IsAnImageClassifier) {
  ExpectImageClassifier("efficientnet", EfficientNet("b", 0.5), {});
}

TEST(EfficientNetTest, WithFusedBlocksIsAnImageClassifier) {
  ExpectImageClassifier("efficientnet", EfficientNet("v2_s", 1), {});
}

TEST(EfficientNetTest, RefusesToScaleTheSecondVersion) {
  const absl::Status status = Create("efficientnet", EfficientNet("v2_s", 0.5)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("\"v2_s\" has multipliers 1, not 0.5"));
}

}  // namespace
}  // namespace assay::models
