#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/generator.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

constexpr int64_t kWords = 50;

// Heads have 16 features.
Parameters Phi(double share, int64_t heads = 2, double theta = 10000) {
  Parameters parameters;
  parameters.Set("vocab_size", kWords);
  parameters.Set("hidden_size", 32);
  parameters.Set("intermediate_size", 48);
  parameters.Set("num_hidden_layers", 2);
  parameters.Set("num_attention_heads", heads);
  parameters.Set("max_position_embeddings", 12);
  parameters.Set("layer_norm_eps", 1e-5);
  parameters.Set("partial_rotary_factor", share);
  parameters.Set("rope_theta", theta);
  return parameters;
}

std::unique_ptr<Model> Filled(double share, double theta = 10000) {
  std::unique_ptr<Model> model = CreateOrDie("phi", Phi(share, 2, theta));
  FillInFloat64(*model);
  return model;
}

TEST(PhiTest, RefusesHeadsThatDoNotDivideTheFeatures) {
  const absl::Status status = Create("phi", Phi(0.5, 5)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("hidden_size 32 is not a multiple"));
}

TEST(PhiTest, RefusesFeaturesThatAreNoPairs) {
  for (const double share : {0.2, 0.1, 0.0}) {
    const absl::Status status = Create("phi", Phi(share)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << share;
    EXPECT_THAT(status.message(), testing::HasSubstr("of a head's 16 features")) << share;
  }
  EXPECT_TRUE(Create("phi", Phi(0.125)).ok()) << "one pair";
  EXPECT_TRUE(Create("phi", Phi(1)).ok()) << "all";
}

TEST(PhiTest, APartOfAFeatureIsNotTurned) {
  const at::Tensor tokens = SeededIntegers({2, 8}, kWords);
  const auto logits = [&](double share) { return Filled(share)->Forward({tokens})[0]; };
  EXPECT_TRUE(at::equal(logits(0.4), logits(0.375))) << "6.4 features and 6";
  EXPECT_FALSE(at::allclose(logits(0.5), logits(0.375)));
}

TEST(PhiTest, TurnsByItsTheta) {
  const at::Tensor tokens = SeededIntegers({2, 8}, kWords);
  EXPECT_FALSE(
      at::allclose(Filled(0.5)->Forward({tokens})[0], Filled(0.5, 5000)->Forward({tokens})[0]));
}

TEST(PhiTest, HasNoMorePositionsThanItSays) {
  const std::unique_ptr<Model> model = Filled(0.5);
  EXPECT_NO_THROW(model->Forward({SeededIntegers({1, 12}, kWords)}));
  EXPECT_THROW(model->Forward({SeededIntegers({1, 13}, kWords)}), c10::Error);
  auto& generator = dynamic_cast<Generator&>(*model);
  const at::Tensor prompt = SeededIntegers({1, 12}, kWords);
  const std::vector<at::Tensor> cache = generator.NewCache({prompt}, 16);
  generator.Prefill({prompt}, cache);
  EXPECT_THROW(generator.Extend(prompt.narrow(1, 0, 1), 12, cache), c10::Error);
}

TEST(PhiTest, RowsThatBeganAtDifferentTimesAreTheSame) {
  EXPECT_EQ(RowsApart(*Filled(0.5), {SeededIntegers({2, 8}, kWords)}), "");
}

}  // namespace
}  // namespace assay::models
