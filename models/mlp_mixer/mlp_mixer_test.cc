#include <cstdint>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

Parameters MlpMixer(int64_t patch_size) {
  Parameters parameters;
  parameters.Set("patch_size", patch_size);
  parameters.Set("layers", 2);
  parameters.Set("hidden", 32);
  parameters.Set("resolution", 32);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(MlpMixerTest, IsAnImageClassifier) {
  ExpectImageClassifier("mlp_mixer", MlpMixer(8),
                        {.minimum = 32, .pixels = 32, .size_words = "exactly"});
}

TEST(MlpMixerTest, RefusesPatchesThatDoNotFillTheImage) {
  const absl::Status status = Create("mlp_mixer", MlpMixer(5)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("32 is not a multiple of patch_size 5"));
}

}  // namespace
}  // namespace assay::models
