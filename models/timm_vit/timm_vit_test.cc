#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

ImageClassifierLimits Limits() { return {.minimum = 32, .pixels = 32, .size_words = "exactly"}; }

Parameters TimmVit(int64_t patch_size, int64_t heads, const std::string& pool) {
  Parameters parameters;
  parameters.Set("patch_size", patch_size);
  parameters.Set("layers", 2);
  parameters.Set("heads", heads);
  parameters.Set("hidden", 8);
  parameters.Set("layer_scale", true);
  parameters.Set("pool", pool);
  parameters.Set("resolution", 32);
  parameters.Set("num_classes", 8);
  return parameters;
}

class TimmVitTest : public testing::TestWithParam<const char*> {};

TEST_P(TimmVitTest, IsAnImageClassifier) {
  ExpectImageClassifier("timm_vit", TimmVit(8, 2, GetParam()), Limits());
}

// Eight features in place of eight classes.
TEST_P(TimmVitTest, HasAllTheRestWithoutAClassifier) {
  ExpectImageClassifier("timm_vit_features", TimmVit(8, 2, GetParam()), Limits());
}

INSTANTIATE_TEST_SUITE_P(Pools, TimmVitTest, testing::Values("token", "distilled", "map"));

TEST(TimmVitHeadsTest, ADistilledModelAveragesItsTwoHeads) {
  const std::unique_ptr<Model> model = CreateOrDie("timm_vit", TimmVit(8, 2, "distilled"));
  FillInFloat64(*model);
  const at::Tensor image = SeededFloats({1, 3, 32, 32});
  const at::Tensor before = model->Forward({image})[0];
  Find(*model, "head.bias").add_(1);
  Find(*model, "head_dist.bias").add_(2);
  EXPECT_TRUE(model->Forward({image})[0].allclose(before.add(1.5)));
}

TEST(TimmVitCreationTest, RefusesPatchesThatDoNotFillTheImage) {
  const absl::Status status = Create("timm_vit", TimmVit(5, 2, "token")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              testing::HasSubstr("timm_vit: resolution 32 is not a multiple of patch_size 5"));
}

TEST(TimmVitCreationTest, RefusesHeadsThatDoNotDivideATokensWidth) {
  EXPECT_THAT(Create("timm_vit_features", TimmVit(8, 3, "token")).status().message(),
              testing::HasSubstr("timm_vit_features: hidden 8 is not a multiple of heads 3"));
}

}  // namespace
}  // namespace assay::models
