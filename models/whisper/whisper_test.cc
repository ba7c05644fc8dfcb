#include <ATen/core/Tensor.h>

#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

// As in transformers: infinity would be NaN behind the next norm.
TEST(WhisperTest, TheEncoderEndsAtALargeNumberInFloat16) {
  Parameters parameters;
  parameters.Set("vocab_size", 20);
  parameters.Set("num_mel_bins", 4);
  parameters.Set("d_model", 8);
  parameters.Set("layers", 2);
  parameters.Set("attention_heads", 2);
  parameters.Set("ffn_dim", 16);
  parameters.Set("max_source_positions", 6);
  parameters.Set("max_target_positions", 8);
  EXPECT_TRUE(
      IsFiniteBeyondFloat16("whisper", parameters, "model.encoder.layers.",
                            {SeededFloats({1, 4, 12}).to(at::kHalf), SeededIntegers({1, 3}, 20)}));
}

}  // namespace
}  // namespace assay::models
