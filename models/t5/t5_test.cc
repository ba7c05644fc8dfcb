#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones_like.h>

#include <cmath>
#include <memory>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

constexpr int64_t kFeatures = 8;
constexpr int64_t kEncoded = 1, kDecoded = 2;  // the words that either side reads

// Lets the first feature of the encoder's only word be half of `sum`, and the first block's attention add
// the other half. Its feed-forward layer takes `taken` off. Norms make that word one number, sqrt(8).
void SetSum(Model& model, double sum, double taken) {
  const double large = std::sqrt(static_cast<double>(kFeatures)) * (sum < 0 ? -1 : 1);
  const auto find = [&](const char* name) { return Find(model, name); };
  find("shared.weight")[kEncoded][0].fill_(sum / 2);
  find("encoder.block.0.layer.0.layer_norm.weight").fill_(1);
  find("encoder.block.0.layer.1.layer_norm.weight").fill_(1);
  const at::Tensor value = find("encoder.block.0.layer.0.SelfAttention.v.weight").zero_();
  value[0][0].fill_(1);
  find("encoder.block.0.layer.0.SelfAttention.o.weight")[0].zero_()[0].fill_(sum / 2 / large);
  // Rectified: one row for either sign.
  const at::Tensor in = find("encoder.block.0.layer.1.DenseReluDense.wi.weight").zero_();
  in[0][0].fill_(1);
  in[1][0].fill_(-1);
  const at::Tensor out = find("encoder.block.0.layer.1.DenseReluDense.wo.weight")[0].zero_();
  out[0].fill_(-taken / std::abs(large));
  out[1].fill_(-taken / std::abs(large));
}

Parameters SmallT5() {
  Parameters parameters;
  parameters.Set("vocab_size", 20);
  parameters.Set("d_model", kFeatures);
  parameters.Set("d_kv", 4);
  parameters.Set("d_ff", 16);
  parameters.Set("num_layers", 2);
  parameters.Set("num_heads", 2);
  parameters.Set("relative_attention_num_buckets", 8);
  parameters.Set("relative_attention_max_distance", 16);
  parameters.Set("layer_norm_epsilon", 1e-6);
  parameters.Set("feed_forward_proj", "relu");
  parameters.Set("scale_decoder_outputs", false);
  parameters.Set("tie_word_embeddings", false);
  return parameters;
}

Overflow OfT5() {
  const at::Tensor encoded = at::full({1, 3}, kEncoded, at::kLong);
  return {.implementation = "t5",
          .parameters = SmallT5(),
          .inputs = {encoded, at::ones_like(encoded), at::full({1, 3}, kDecoded, at::kLong)},
          .set = SetSum};
}

// As in transformers: infinity would be NaN behind the next norm.
TEST(T5Test, InfinityBecomes64504InFloat16) {
  EXPECT_TRUE(BecomesInFloat16(OfT5(), 120000, 64504));
}

TEST(T5Test, ALargeNumberStaysInFloat16) { EXPECT_TRUE(BecomesInFloat16(OfT5(), 65280, 65280)); }

TEST(T5Test, RowsThatBeganAtDifferentTimesAreTheSame) {
  const std::unique_ptr<Model> model = CreateOrDie("t5", SmallT5());
  FillInFloat64(*model);
  const at::Tensor encoded = SeededIntegers({2, 6}, 20), there = at::ones_like(encoded);
  there[1].narrow(0, 4, 2).zero_();  // padded
  EXPECT_EQ(RowsApart(*model, {encoded, there, SeededIntegers({2, 8}, 20)}, 2), "");
}

}  // namespace
}  // namespace assay::models
