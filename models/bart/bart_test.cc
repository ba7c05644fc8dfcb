#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_like.h>

#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

// As in transformers: infinity would be NaN behind the next norm.
TEST(BartTest, TheEncoderEndsAt64504InFloat16) {
  Parameters parameters;
  parameters.Set("architecture", "mbart");
  parameters.Set("vocab_size", 20);
  parameters.Set("d_model", 8);
  parameters.Set("encoder_layers", 2);
  parameters.Set("decoder_layers", 2);
  parameters.Set("attention_heads", 2);
  parameters.Set("ffn_dim", 16);
  parameters.Set("max_position_embeddings", 8);
  parameters.Set("scale_embedding", false);
  const at::Tensor tokens = SeededIntegers({1, 3}, 20);
  const Overflow overflow = {.implementation = "bart",
                             .parameters = parameters,
                             .inputs = {tokens, at::ones_like(tokens), tokens},
                             .set = SetFairseqSum};
  EXPECT_TRUE(BecomesInFloat16(overflow, 120000, 64504));
}

}  // namespace
}  // namespace assay::models
