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

Parameters MaxVit(std::vector<int64_t> channels, int64_t resolution) {
  Parameters parameters;
  parameters.Set("channels", std::move(channels));
  parameters.Set("layers", std::vector<int64_t>{1, 2});
  parameters.Set("resolution", resolution);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(MaxVitTest, IsAnImageClassifier) {
  ExpectImageClassifier("maxvit", MaxVit({32, 64}, 56),
                        {.minimum = 56, .pixels = 56, .size_words = "exactly"});
}

TEST(MaxVitTest, RefusesAnImageThatPartitionsDoNotFill) {
  const absl::Status status = Create("maxvit", MaxVit({32, 64}, 64)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("resolution 64 is not a multiple of 56"));
}

TEST(MaxVitTest, RefusesChannelsThatHeadsDoNotFill) {
  EXPECT_THAT(Create("maxvit", MaxVit({32, 40}, 56)).status().message(),
              testing::HasSubstr("channels 40 are not a multiple of 32"));
}

TEST(MaxVitTest, RefusesAStageWithoutChannels) {
  EXPECT_THAT(Create("maxvit", MaxVit({32}, 56)).status().message(),
              testing::HasSubstr("1 channels and 2 layers"));
}

}  // namespace
}  // namespace assay::models
