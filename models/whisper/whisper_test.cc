#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>

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
  parameters.Set("vocab_size", 20);
  parameters.Set("num_mel_bins", 4);
  parameters.Set("d_model", 8);
  parameters.Set("layers", 2);
  parameters.Set("attention_heads", 2);
  parameters.Set("ffn_dim", 16);
  parameters.Set("max_source_positions", 6);
  parameters.Set("max_target_positions", 8);
  const std::unique_ptr<Model> model = CreateOrDie("whisper", parameters);
  FillBeyondFloat16(*model, "model.encoder.layers.", sign);
  return model->Forward({SeededFloats({1, 4, 12}).to(at::kHalf), SeededIntegers({1, 3}, 20)})[0];
}

// As in transformers: infinity would be NaN behind the next norm.
TEST(WhisperTest, TheEncoderEndsAtALargeNumberInFloat16) {
  const at::Tensor above = ScoresBeyondFloat16(1), below = ScoresBeyondFloat16(-1);
  EXPECT_TRUE(above.isfinite().all().item<bool>());
  EXPECT_TRUE(below.isfinite().all().item<bool>());
  EXPECT_FALSE(at::equal(above, below));
}

}  // namespace
}  // namespace assay::models
