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

Parameters ConvNext(std::vector<int64_t> layers) {
  Parameters parameters;
  parameters.Set("channels", std::vector<int64_t>{16, 24, 32, 40});
  parameters.Set("layers", std::move(layers));
  parameters.Set("stochastic_depth", 0.1);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(ConvNextTest, IsAnImageClassifier) {
  ExpectImageClassifier("convnext", ConvNext({1, 1, 2, 1}), {.minimum = 32, .pixels = 64});
}

TEST(ConvNextTest, RefusesOtherThanFourStages) {
  const absl::Status status = Create("convnext", ConvNext({1, 1, 2})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("layers has 3 numbers; want 4"));
}

}  // namespace
}  // namespace assay::models
