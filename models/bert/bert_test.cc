#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

struct Sizes {
  int64_t vocab = 30522;
  int64_t hidden = 768;
  int64_t layers = 12;
  int64_t heads = 12;
  int64_t intermediate = 3072;
  int64_t positions = 512;
};

constexpr Sizes kTiny = {
    .vocab = 100, .hidden = 32, .layers = 2, .heads = 4, .intermediate = 64, .positions = 16};

Parameters Bert(const Sizes& sizes) {
  Parameters parameters;
  parameters.Set("vocab_size", sizes.vocab);
  parameters.Set("hidden_size", sizes.hidden);
  parameters.Set("num_hidden_layers", sizes.layers);
  parameters.Set("num_attention_heads", sizes.heads);
  parameters.Set("intermediate_size", sizes.intermediate);
  parameters.Set("max_position_embeddings", sizes.positions);
  parameters.Set("type_vocab_size", 2);
  parameters.Set("layer_norm_eps", 1e-12);
  return parameters;
}

TEST(BertTest, RefusesHeadsThatDoNotDivideTheHiddenSize) {
  const absl::Status status = Create("bert", Bert({.heads = 7})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("hidden_size 768 is not a multiple"));
}

TEST(BertTest, ScoresOfWordsAreTiedToTheEmbeddingWhereTheParameterSaysSo) {
  for (const bool tied : {false, true}) {
    Parameters parameters = Bert(kTiny);
    parameters.Set("tie_word_embeddings", tied);
    const std::unique_ptr<Model> model = CreateOrDie("bert_masked_lm", parameters);
    int64_t tables = 0;
    std::set<const at::TensorImpl*> different;
    for (const NamedTensor& entry : model->State()) {
      if (entry.tensor.dim() != 2 || entry.tensor.size(0) != kTiny.vocab) continue;
      ++tables;
      different.insert(entry.tensor.unsafeGetTensorImpl());
    }
    EXPECT_EQ(tables, 2);
    EXPECT_EQ(different.size(), tied ? 1 : 2);
  }
}

class TinyBertTest : public testing::Test {
 protected:
  TinyBertTest() : model_(CreateOrDie("bert", Bert(kTiny))) { FillInFloat64(*model_); }

  std::vector<at::Tensor> Forward() { return model_->Forward({tokens_, mask_, segments_}); }

  const std::unique_ptr<Model> model_;
  const at::Tensor tokens_ = SeededIntegers({2, 8}, kTiny.vocab);
  // The last token of the first row and the last two of the second are padding.
  const at::Tensor mask_ =
      at::tensor({1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0}, at::kLong).view({2, 8});
  const at::Tensor segments_ = (at::arange(8) >= 4).to(at::kLong).expand({2, 8});
};

TEST_F(TinyBertTest, PaddedTokensDoNotReachTheOthers) {
  const at::Tensor before = Forward()[0];
  tokens_.select(1, 7).add_(1).remainder_(kTiny.vocab);  // padding in both rows
  const at::Tensor after = Forward()[0];
  EXPECT_TRUE(before.narrow(1, 0, 7).equal(after.narrow(1, 0, 7)));
  EXPECT_FALSE(before.select(1, 7).equal(after.select(1, 7)));
}

TEST_F(TinyBertTest, ShorterSequencesAreThePrefixOfMaskedOnes) {
  mask_.narrow(1, 6, 2).fill_(0);
  const at::Tensor masked = Forward()[0].narrow(1, 0, 6);
  const at::Tensor cut = model_->Forward(
      {tokens_.narrow(1, 0, 6), mask_.narrow(1, 0, 6), segments_.narrow(1, 0, 6)})[0];
  EXPECT_TRUE(masked.allclose(cut, 1e-12, 1e-12));
}

TEST_F(TinyBertTest, DropsOutInTrainingOnly) {
  EXPECT_TRUE(Forward()[0].equal(Forward()[0]));
  model_->SetTraining(true);
  EXPECT_FALSE(Forward()[0].equal(Forward()[0]));
  model_->SetTraining(false);
  EXPECT_TRUE(Forward()[0].equal(Forward()[0]));
}

TEST_F(TinyBertTest, RunsInLowPrecisions) {
  for (const at::ScalarType dtype : {at::kBFloat16, at::kHalf}) {
    model_->To(at::kCPU, dtype);
    for (const at::Tensor& output : Forward()) {
      EXPECT_EQ(output.scalar_type(), dtype);
      EXPECT_TRUE(output.isfinite().all().item<bool>());
    }
  }
}

TEST_F(TinyBertTest, EveryParameterGetsAGradient) {
  for (const bool training : {false, true}) {
    model_->SetTraining(training);
    for (NamedTensor& entry : model_->State()) entry.tensor.requires_grad_(true);
    const std::vector<at::Tensor> outputs = Forward();
    // Cubes, since the plain sum of a norm's outputs does not depend on its input.
    outputs[0].pow(3).sum().add(outputs[1].pow(3).sum()).backward();
    for (const NamedTensor& entry : model_->State()) {
      ASSERT_TRUE(entry.tensor.grad().defined()) << entry.name;
      // A key's bias shifts all scores of a query alike, which softmax ignores.
      if (entry.name.ends_with("key.bias")) continue;
      EXPECT_GT(entry.tensor.grad().abs().max().item<double>(), 1e-6) << entry.name;
    }
  }
}

}  // namespace
}  // namespace assay::models
