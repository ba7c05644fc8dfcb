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

Parameters DenseNet(std::vector<int64_t> layers) {
  Parameters parameters;
  parameters.Set("layers", std::move(layers));
  parameters.Set("growth", 8);
  parameters.Set("stem_channels", 16);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(DenseNetTest, IsAnImageClassifier) {
  ExpectImageClassifier("densenet", DenseNet({1, 2, 3, 1}), {.minimum = 29, .pixels = 64});
}

TEST(DenseNetTest, RefusesOtherThanFourBlocks) {
  const absl::Status status = Create("densenet", DenseNet({1, 2, 3})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("layers has 3 numbers; want 4"));
}

}  // namespace
}  // namespace assay::models
