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

Parameters MobileVit(std::vector<int64_t> features) {
  Parameters parameters;
  parameters.Set("channels", std::vector<int64_t>{8, 8, 16, 16, 24});
  parameters.Set("features", std::move(features));
  parameters.Set("expansion", 2);
  parameters.Set("last", 32);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(MobileVitTest, IsAnImageClassifier) {
  ExpectImageClassifier("mobilevit", MobileVit({16, 24, 32}), {.pixels = 64});
}

TEST(MobileVitTest, RefusesAStageWithoutFeatures) {
  EXPECT_THAT(Create("mobilevit", MobileVit({16, 24})).status().message(),
              testing::HasSubstr("features has 2 numbers; want 3"));
}

TEST(MobileVitTest, RefusesFeaturesThatHeadsDoNotDivide) {
  const absl::Status status = Create("mobilevit", MobileVit({16, 24, 30})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("features 30 are not a multiple of 4"));
}

}  // namespace
}  // namespace assay::models
