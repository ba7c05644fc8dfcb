#include <ATen/core/Tensor.h>

#include <memory>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters SmallWhisper() {
  Parameters parameters;
  parameters.Set("vocab_size", 20);
  parameters.Set("num_mel_bins", 4);
  parameters.Set("d_model", 8);
  parameters.Set("layers", 2);
  parameters.Set("attention_heads", 2);
  parameters.Set("ffn_dim", 16);
  parameters.Set("max_source_positions", 6);
  parameters.Set("max_target_positions", 8);
  return parameters;
}

// As in transformers: infinity would be NaN behind the next norm.
TEST(WhisperTest, TheEncoderEndsAt64504InFloat16) {
  const Overflow overflow = {.implementation = "whisper",
                             .parameters = SmallWhisper(),
                             .inputs = {SeededFloats({1, 4, 12}), SeededIntegers({1, 3}, 20)},
                             .set = SetFairseqSum};
  EXPECT_TRUE(BecomesInFloat16(overflow, 120000, 64504));
}

TEST(WhisperTest, RowsThatBeganAtDifferentTimesAreTheSame) {
  const std::unique_ptr<Model> model = CreateOrDie("whisper", SmallWhisper());
  FillInFloat64(*model);
  EXPECT_EQ(RowsApart(*model, {SeededFloats({2, 4, 12}), SeededIntegers({2, 8}, 20)}, 1), "");
}

}  // namespace
}  // namespace assay::models
