#include <ATen/ops/ones.h>

#include <cstdint>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

TEST(DistilBertTest, ThePaddingWordAloneHasNoGradient) {
  Parameters parameters;
  parameters.Set("vocab_size", 20);
  parameters.Set("max_position_embeddings", 8);
  parameters.Set("dim", 8);
  parameters.Set("n_layers", 1);
  parameters.Set("n_heads", 2);
  parameters.Set("hidden_dim", 16);
  const std::unique_ptr<Model> model = CreateOrDie("distilbert_masked_lm", parameters);
  FillInFloat64(*model);
  const std::string words = "distilbert.embeddings.word_embeddings.weight";
  constexpr int64_t kPadding = 0;  // pad_token_id of DistilBertConfig
  const at::Tensor mask = at::ones({1, 4}, at::kLong);
  EXPECT_EQ(LargestWordGradient(*model, words, kPadding, {mask}), 0);
  EXPECT_GT(LargestWordGradient(*model, words, kPadding + 1, {mask}), 1e-6);
}

}  // namespace
}  // namespace assay::models
