#include <ATen/core/Tensor.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters Swin(int64_t version, int64_t channels, std::vector<int64_t> layers) {
  Parameters parameters;
  parameters.Set("version", version);
  parameters.Set("channels", channels);
  parameters.Set("layers", std::move(layers));
  parameters.Set("stochastic_depth", 0.1);
  parameters.Set("num_classes", 8);
  return parameters;
}

class SwinTest : public testing::TestWithParam<int64_t> {};

// Windows that shift, and images that do not fill them.
TEST_P(SwinTest, IsAnImageClassifier) {
  ExpectImageClassifier("swin", Swin(GetParam(), 32, {2, 2, 1, 1}), {.minimum = 4, .pixels = 68});
}

INSTANTIATE_TEST_SUITE_P(Versions, SwinTest, testing::Values(1, 2));

// The recipe's scales stay below what they are held to, so the cases do not reach it.
TEST(SwinV2Test, HoldsTheScaleOfScoresToAHundred) {
  const std::unique_ptr<Model> model = CreateOrDie("swin", Swin(2, 32, {1, 1, 1, 1}));
  FillInFloat64(*model);
  const at::Tensor image = SeededFloats({1, 3, 32, 32});
  const auto logits_at = [&](double logarithm) {
    Find(*model, "features.1.0.attn.logit_scale").fill_(logarithm);
    return model->Forward({image})[0];
  };
  const double limit = std::log(100.0);
  const at::Tensor held = logits_at(limit + 1);
  EXPECT_TRUE(held.equal(logits_at(limit)));
  EXPECT_FALSE(held.equal(logits_at(limit - 1e-6)));
}

TEST(SwinCreationTest, RefusesOtherThanFourStages) {
  const absl::Status status = Create("swin", Swin(1, 32, {1, 1, 1})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("layers has 3 numbers; want 4"));
}

TEST(SwinCreationTest, RefusesChannelsThatHeadsDoNotFill) {
  EXPECT_THAT(Create("swin", Swin(1, 40, {1, 1, 1, 1})).status().message(),
              testing::HasSubstr("channels 40 is not a multiple of 32"));
}

}  // namespace
}  // namespace assay::models
