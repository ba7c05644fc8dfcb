#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones_like.h>

#include <cstdint>
#include <memory>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

at::Tensor ScoresBeyondFloat16(double sign) {
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
  const std::unique_ptr<Model> model = CreateOrDie("bart", parameters);
  FillBeyondFloat16(*model, "model.encoder.layers.", sign);
  const at::Tensor tokens = SeededIntegers({1, 3}, 20);
  return model->Forward({tokens, at::ones_like(tokens), tokens})[0];
}

// As in transformers: infinity would be NaN behind the next norm.
TEST(BartTest, TheEncoderEndsAtALargeNumberInFloat16) {
  const at::Tensor above = ScoresBeyondFloat16(1), below = ScoresBeyondFloat16(-1);
  EXPECT_TRUE(above.isfinite().all().item<bool>());
  EXPECT_TRUE(below.isfinite().all().item<bool>());
  EXPECT_FALSE(at::equal(above, below));
}

}  // namespace
}  // namespace assay::models
