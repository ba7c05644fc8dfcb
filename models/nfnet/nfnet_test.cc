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

Parameters NfNet(std::vector<int64_t> channels, bool deepmind) {
  Parameters parameters;
  parameters.Set("layers", std::vector<int64_t>{1, 2});
  parameters.Set("channels", std::move(channels));
  parameters.Set("last", 48);
  parameters.Set("bottleneck", 2);
  parameters.Set("squeeze", 2);
  parameters.Set("group_width", 8);
  parameters.Set("activation", deepmind ? "gelu" : "silu");
  parameters.Set("deepmind", deepmind);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(NfNetTest, IsAnImageClassifier) {
  ExpectImageClassifier("nfnet", NfNet({16, 32}, false), {.pixels = 16});
}

TEST(NfNetTest, DeepMindsIsAnImageClassifier) {
  ExpectImageClassifier("nfnet", NfNet({16, 32}, true), {.pixels = 16});
}

TEST(NfNetTest, RefusesAStageWithoutChannels) {
  EXPECT_THAT(Create("nfnet", NfNet({16}, true)).status().message(),
              testing::HasSubstr("2 layers and 1 channels"));
}

TEST(NfNetTest, RefusesChannelsThatGroupsDoNotDivide) {
  const absl::Status status = Create("nfnet", NfNet({16, 40}, true)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("channels 40 are not a multiple of 16"));
}

}  // namespace
}  // namespace assay::models
