#include <cstdint>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

Parameters Vit(int64_t patch_size, int64_t heads) {
  Parameters parameters;
  parameters.Set("patch_size", patch_size);
  parameters.Set("layers", 2);
  parameters.Set("heads", heads);
  parameters.Set("hidden", 32);
  parameters.Set("resolution", 32);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(VitTest, IsAnImageClassifier) {
  ExpectImageClassifier("vit", Vit(8, 4), {.minimum = 32, .pixels = 32, .size_words = "exactly"});
}

TEST(VitTest, RefusesPatchesThatDoNotFillTheImage) {
  const absl::Status status = Create("vit", Vit(5, 4)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("32 is not a multiple of patch_size 5"));
}

TEST(VitTest, RefusesHeadsThatDoNotDivideATokensWidth) {
  EXPECT_THAT(Create("vit", Vit(8, 5)).status().message(),
              testing::HasSubstr("hidden 32 is not a multiple of heads 5"));
}

}  // namespace
}  // namespace assay::models
