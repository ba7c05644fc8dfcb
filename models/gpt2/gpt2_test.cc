#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/full.h>

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
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kWords = 50;

Parameters Gpt2(int64_t heads = 4) {
  Parameters parameters;
  parameters.Set("vocab_size", kWords);
  parameters.Set("n_positions", 12);
  parameters.Set("n_embd", 32);
  parameters.Set("n_layer", 2);
  parameters.Set("n_head", heads);
  parameters.Set("layer_norm_epsilon", 1e-5);
  return parameters;
}

class Gpt2Test : public testing::Test {
 protected:
  Gpt2Test() : model_(CreateOrDie("gpt2", Gpt2())) { FillInFloat64(*model_); }

  at::Tensor Logits(const at::Tensor& tokens) { return model_->Forward({tokens})[0]; }

  const std::unique_ptr<Model> model_;
  const at::Tensor tokens_ = SeededIntegers({2, 8}, kWords);
};

TEST_F(Gpt2Test, RefusesHeadsThatDoNotDivideTheFeatures) {
  const absl::Status status = Create("gpt2", Gpt2(5)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("n_embd 32 is not a multiple"));
}

TEST_F(Gpt2Test, ATokenSeesThoseBeforeItAndNoneBehindIt) {
  const at::Tensor before = Logits(tokens_);
  at::Tensor changed = tokens_.clone();
  changed.select(1, 5).add_(1).remainder_(kWords);
  const at::Tensor after = Logits(changed);
  EXPECT_TRUE(at::allclose(before.narrow(1, 0, 5), after.narrow(1, 0, 5)));
  for (int64_t token = 5; token < 8; ++token)
    EXPECT_FALSE(at::allclose(before.select(1, token), after.select(1, token))) << token;
}

TEST_F(Gpt2Test, WithACacheItIsTheSameInPartsOfAnySize) {
  auto& generator = dynamic_cast<Generator&>(*model_);
  const at::Tensor whole = Logits(tokens_);
  const std::vector<at::Tensor> cache = generator.NewCache({tokens_}, 8);
  EXPECT_EQ(cache.size(), 4u) << "keys and values of two blocks";
  int64_t position = 0;
  for (const int64_t count : {3, 2, 1, 2}) {
    const at::Tensor logits = generator.Extend(tokens_.narrow(1, position, count), position, cache);
    position += count;
    EXPECT_TRUE(at::allclose(logits, whole.select(1, position - 1))) << position;
  }
  EXPECT_THROW(generator.Extend(tokens_.narrow(1, 0, 1), 8, cache), c10::Error) << "it is full";
}

TEST_F(Gpt2Test, RowsThatBeganAtDifferentTimesAreTheSame) {
  EXPECT_EQ(RowsApart(*model_, {tokens_}), "");
}

TEST_F(Gpt2Test, HasNoMorePositionsThanItsTable) {
  EXPECT_NO_THROW(Logits(SeededIntegers({1, 12}, kWords)));
  EXPECT_THROW(Logits(SeededIntegers({1, 13}, kWords)), c10::Error);
}

TEST_F(Gpt2Test, TheLossIsOfTheNextToken) {
  auto& trainable = dynamic_cast<Trainable&>(*model_);
  // Certain of each next token, whatever stands for the last one.
  at::Tensor logits = at::full({2, 8, kWords}, -100.0, at::kDouble);
  logits.narrow(1, 0, 7).scatter_(2, tokens_.narrow(1, 1, 7).unsqueeze(2), 100.0);
  EXPECT_LT(trainable.Loss({logits}, {tokens_}).item<double>(), 1e-6);
  EXPECT_GT(trainable.Loss({logits.roll(1, 1)}, {tokens_}).item<double>(), 1);
}

TEST_F(Gpt2Test, DropsOutInTrainingOnly) {
  const at::Tensor first = Logits(tokens_);
  EXPECT_TRUE(first.equal(Logits(tokens_)));
  model_->SetTraining(true);
  EXPECT_FALSE(Logits(tokens_).equal(Logits(tokens_)));
}

}  // namespace
}  // namespace assay::models
