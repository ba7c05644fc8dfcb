#include <cstdint>
#include <string>
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

Parameters Visformer(int64_t resolution, int64_t channels, int64_t heads,
                     std::vector<int64_t> layers) {
  Parameters parameters;
  parameters.Set("stem_channels", 8);
  parameters.Set("channels", channels);
  parameters.Set("heads", heads);
  parameters.Set("layers", std::move(layers));
  parameters.Set("resolution", resolution);
  parameters.Set("num_classes", 8);
  return parameters;
}

std::string Refusal(const Parameters& parameters) {
  const absl::Status status = Create("visformer", parameters).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(VisformerTest, IsAnImageClassifier) {
  ExpectImageClassifier("visformer", Visformer(64, 32, 2, {1, 1, 1}),
                        {.minimum = 64, .pixels = 64, .size_words = "exactly"});
}

TEST(VisformerTest, RefusesOtherThanThreeStages) {
  EXPECT_THAT(Refusal(Visformer(64, 32, 2, {1, 1})),
              testing::HasSubstr("layers has 2 numbers; want 3"));
}

TEST(VisformerTest, RefusesImagesThatStagesCannotReduce) {
  EXPECT_THAT(Refusal(Visformer(48, 32, 2, {1, 1, 1})),
              testing::HasSubstr("resolution 48 is not a multiple of 32"));
}

TEST(VisformerTest, RefusesChannelsThatGroupsOrHeadsDoNotDivide) {
  EXPECT_THAT(Refusal(Visformer(64, 36, 2, {1, 1, 1})),
              testing::HasSubstr("channels 36 is not a multiple of 8"));
  EXPECT_THAT(Refusal(Visformer(64, 32, 5, {1, 1, 1})),
              testing::HasSubstr("channels 32 is not a multiple of heads 5"));
}

}  // namespace
}  // namespace assay::models
