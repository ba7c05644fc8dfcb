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

Parameters ShuffleNetV2(std::vector<int64_t> channels) {
  Parameters parameters;
  parameters.Set("channels", std::move(channels));
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(ShuffleNetV2Test, IsAnImageClassifier) {
  ExpectImageClassifier("shufflenet_v2", ShuffleNetV2({24, 48, 96, 192, 1024}), {});
}

TEST(ShuffleNetV2Test, RefusesOtherThanFiveWidths) {
  EXPECT_THAT(Create("shufflenet_v2", ShuffleNetV2({24, 48, 96, 192})).status().message(),
              testing::HasSubstr("channels has 4 numbers; want 5"));
}

TEST(ShuffleNetV2Test, RefusesAStageThatCannotBeHalved) {
  EXPECT_THAT(Create("shufflenet_v2", ShuffleNetV2({24, 49, 96, 192, 1024})).status().message(),
              testing::HasSubstr("a stage has 49 channels; want an even number"));
}

}  // namespace
}  // namespace assay::models
