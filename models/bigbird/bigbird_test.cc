#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>
#include <c10/util/Exception.h>

#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

// With blocks of 2 tokens and one random block, rows of 14 tokens have no blocks to leave out.
TEST(BigBirdTest, RefusesRowsThatFullAttentionWouldTake) {
  Parameters parameters;
  for (const auto& [name, value] : {std::pair("vocab_size", 9),
                                    {"hidden_size", 8},
                                    {"num_hidden_layers", 1},
                                    {"num_attention_heads", 2},
                                    {"intermediate_size", 16},
                                    {"max_position_embeddings", 20},
                                    {"type_vocab_size", 2},
                                    {"block_size", 2},
                                    {"num_random_blocks", 1}})
    parameters.Set(name, value);
  parameters.Set("layer_norm_eps", 1e-12);
  const std::unique_ptr<Model> model = CreateOrDie("bigbird_masked_lm", parameters);
  FillInFloat64(*model);
  const auto said = [&](int64_t tokens) -> std::string {
    const at::Tensor words = SeededIntegers({1, tokens}, 9);
    try {
      model->Forward({words, at::ones_like(words), at::zeros_like(words)});
    } catch (const c10::ValueError& error) {
      return error.what_without_backtrace();
    }
    return "";
  };
  EXPECT_EQ(said(15), "");
  EXPECT_EQ(said(14),
            "bigbird: rows of 14 tokens are too short for block-sparse attention; with blocks of 2 "
            "and 1 random blocks give more than 14");
}

}  // namespace
}  // namespace assay::models
