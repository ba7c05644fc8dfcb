#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <cstdint>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// transformers computes this attention step by step, so other operators run than those of a fused one.
TEST(MegatronBertTest, AttentionIsNotFused) {
  Parameters parameters;
  parameters.Set("vocab_size", int64_t{100});
  parameters.Set("hidden_size", int64_t{32});
  parameters.Set("num_hidden_layers", int64_t{1});
  parameters.Set("num_attention_heads", int64_t{4});
  parameters.Set("intermediate_size", int64_t{64});
  parameters.Set("max_position_embeddings", int64_t{16});
  parameters.Set("type_vocab_size", int64_t{2});
  parameters.Set("layer_norm_eps", 1e-12);
  for (const bool causal : {false, true}) {
    parameters.Set("is_decoder", causal);
    const std::unique_ptr<Model> model = CreateOrDie("megatron_bert_lm", parameters);
    FillInFloat64(*model);
    const auto called = OperatorsOf(
        *model,
        {SeededIntegers({2, 8}, 100), at::ones({2, 8}, at::kLong), at::zeros({2, 8}, at::kLong)});
    EXPECT_THAT(called, Contains("aten::_softmax")) << causal;
    EXPECT_THAT(called, Not(Contains(HasSubstr("scaled_dot_product")))) << causal;
  }
}

}  // namespace
}  // namespace assay::models
