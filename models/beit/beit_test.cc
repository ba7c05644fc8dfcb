#include <cstdint>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

Parameters Beit(int64_t patch_size, int64_t heads) {
  Parameters parameters;
  parameters.Set("patch_size", patch_size);
  parameters.Set("layers", 2);
  parameters.Set("heads", heads);
  parameters.Set("hidden", 32);
  parameters.Set("resolution", 32);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(BeitTest, IsAnImageClassifier) {
  ExpectImageClassifier("beit", Beit(8, 4), {.minimum = 32, .pixels = 32, .size_words = "exactly"});
}

TEST(BeitTest, RefusesPatchesThatDoNotFillTheImage) {
  const absl::Status status = Create("beit", Beit(5, 4)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("32 is not a multiple of patch_size 5"));
}

TEST(BeitTest, RefusesHeadsThatDoNotDivideATokensWidth) {
  EXPECT_THAT(Create("beit", Beit(8, 5)).status().message(),
              testing::HasSubstr("hidden 32 is not a multiple of heads 5"));
}

}  // namespace
}  // namespace assay::models
