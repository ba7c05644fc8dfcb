#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_like.h>

#include <memory>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters SmallBart(const char* architecture) {
  Parameters parameters;
  parameters.Set("architecture", architecture);
  parameters.Set("vocab_size", 20);
  parameters.Set("d_model", 8);
  parameters.Set("encoder_layers", 2);
  parameters.Set("decoder_layers", 2);
  parameters.Set("attention_heads", 2);
  parameters.Set("ffn_dim", 16);
  parameters.Set("max_position_embeddings", 8);
  parameters.Set("scale_embedding", false);
  return parameters;
}

// As in transformers: infinity would be NaN behind the next norm.
TEST(BartTest, TheEncoderEndsAt64504InFloat16) {
  const at::Tensor tokens = SeededIntegers({1, 3}, 20);
  const Overflow overflow = {.implementation = "bart",
                             .parameters = SmallBart("mbart"),
                             .inputs = {tokens, at::ones_like(tokens), tokens},
                             .set = SetFairseqSum};
  EXPECT_TRUE(BecomesInFloat16(overflow, 120000, 64504));
}

TEST(BartTest, RowsThatBeganAtDifferentTimesAreTheSame) {
  const at::Tensor encoded = SeededIntegers({2, 6}, 20), there = at::ones_like(encoded);
  there[1].narrow(0, 4, 2).zero_();  // padded
  const at::Tensor tokens = SeededIntegers({2, 8}, 18) + 2;
  for (const char* architecture :
       {"bart", "mbart", "plbart", "pegasus", "blenderbot_small", "blenderbot", "m2m100"}) {
    const std::unique_ptr<Model> model = CreateOrDie("bart", SmallBart(architecture));
    FillInFloat64(*model);
    EXPECT_EQ(RowsApart(*model, {encoded, there, tokens}, 2), "") << architecture;
  }
  for (const char* architecture : {"bart", "trocr"}) {
    const std::unique_ptr<Model> model = CreateOrDie("bart_causal_lm", SmallBart(architecture));
    FillInFloat64(*model);
    EXPECT_EQ(RowsApart(*model, {tokens}), "") << architecture;
  }
}

}  // namespace
}  // namespace assay::models
