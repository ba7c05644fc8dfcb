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

Parameters Vgg(std::vector<int64_t> convolutions, bool batch_norm = false) {
  Parameters parameters;
  parameters.Set("convolutions", std::move(convolutions));
  parameters.Set("batch_norm", batch_norm);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(VggTest, IsAnImageClassifier) {
  ExpectImageClassifier("vgg_bn", Vgg({1, 1, 1, 1, 1}, /*batch_norm=*/true),
                        {.minimum = 32, .pixels = 32});
}

TEST(VggTest, RefusesOtherThanFiveStages) {
  const absl::Status status = Create("vgg", Vgg({1, 1, 2})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("convolutions has 3 numbers; want 5"));
}

TEST(VggTest, RefusesBatchNormThatItsNameDenies) {
  for (const bool batch_norm : {false, true}) {
    EXPECT_THAT(
        Create(batch_norm ? "vgg" : "vgg_bn", Vgg({1, 1, 1, 1, 1}, batch_norm)).status().message(),
        testing::HasSubstr("which batch_norm contradicts"));
  }
}

}  // namespace
}  // namespace assay::models
