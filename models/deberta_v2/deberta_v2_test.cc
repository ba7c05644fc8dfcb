#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_like.h>

#include <cstdint>
#include <memory>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

// As in transformers. Of a longest row of 4, a distance of 7 would be in bucket 6 of 4.
TEST(DebertaV2Test, DistancesBeyondTheLongestRowShareTheLastBucket) {
  constexpr int64_t kVocabulary = 20;
  Parameters parameters;
  parameters.Set("vocab_size", kVocabulary);
  parameters.Set("hidden_size", 8);
  parameters.Set("num_hidden_layers", 1);
  parameters.Set("num_attention_heads", 2);
  parameters.Set("intermediate_size", 16);
  parameters.Set("max_position_embeddings", 4);
  parameters.Set("relative_attention", true);
  parameters.Set("position_buckets", 4);
  parameters.Set("conv_kernel_size", 0);
  parameters.Set("layer_norm_eps", 1e-7);
  const std::unique_ptr<Model> model = CreateOrDie("deberta_v2_masked_lm", parameters);
  FillInFloat64(*model);
  const at::Tensor tokens = SeededIntegers({1, 8}, kVocabulary);
  const at::Tensor scores = model->Forward({tokens, at::ones_like(tokens)})[0];
  EXPECT_TRUE(scores.isfinite().all().item<bool>());
}

}  // namespace
}  // namespace assay::models
