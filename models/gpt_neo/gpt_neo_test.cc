#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/tensor.h>

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

// The last of two words' scores. Words are (1, 1, -1, -1) and (1, -1, 1, -1), which a norm leaves alone;
// attention's scores of them are 256.5 and 255.5, both 256 in bf16.
at::Tensor ScoresOfTwoWords(at::ScalarType dtype) {
  Parameters parameters;
  for (const char* four : {"vocab_size", "hidden_size", "max_position_embeddings", "window_size"})
    parameters.Set(four, int64_t{4});
  for (const char* one : {"num_layers", "num_heads"}) parameters.Set(one, int64_t{1});
  parameters.Set("layer_norm_epsilon", 1e-5);
  const std::unique_ptr<Model> model = CreateOrDie("gpt_neo", parameters);
  for (NamedTensor& entry : model->State()) {
    entry.tensor.zero_();
    const bool of_norm = entry.name.find("ln_") != std::string::npos;
    if (of_norm && entry.name.ends_with("weight")) entry.tensor.fill_(1);
  }
  Find(*model, "transformer.wte.weight")
      .copy_(at::tensor({1., 1., -1., -1., 1., -1., 1., -1., 0., 0., 0., 0., 0., 0., 0., 0.})
                 .view({4, 4}));
  const auto of_attention = [&](const std::string& name) {
    return Find(*model, "transformer.h.0.attn.attention." + name + ".weight");
  };
  of_attention("q_proj").select(1, 0).fill_(1);  // (1, 1, 1, 1)
  of_attention("k_proj")[0][0].fill_(256);
  of_attention("k_proj")[1][1].fill_(0.5);
  of_attention("v_proj").copy_(at::eye(4));
  of_attention("out_proj").copy_(at::eye(4));
  model->To(at::kCPU, dtype);
  return model->Forward({at::tensor({0, 1}, at::kLong).view({1, 2})})[0][0][1].to(at::kDouble);
}

TEST(GptNeoTest, AttentionsScoresAreFloat32AtLeast) {
  const at::Tensor wanted = ScoresOfTwoWords(at::kDouble);
  EXPECT_TRUE(ScoresOfTwoWords(at::kFloat).allclose(wanted, 1e-4, 1e-4));
  const at::Tensor got = ScoresOfTwoWords(at::kBFloat16);
  EXPECT_TRUE(got.allclose(wanted, 2e-2, 2e-2)) << got << wanted;
}

TEST(GptNeoTest, RowsThatBeganAtDifferentTimesAreTheSame) {
  for (const char* name : {"gpt_neo", "gptj"}) {
    Parameters parameters;
    for (const char* four : {"window_size", "rotary_dim"}) parameters.Set(four, int64_t{4});
    for (const char* two : {"num_layers", "num_heads"}) parameters.Set(two, int64_t{2});
    for (const char* many : {"vocab_size", "hidden_size", "max_position_embeddings"})
      parameters.Set(many, int64_t{16});
    parameters.Set("layer_norm_epsilon", 1e-5);
    const std::unique_ptr<Model> model = CreateOrDie(name, parameters);
    FillInFloat64(*model);
    EXPECT_EQ(RowsApart(*model, {SeededIntegers({2, 8}, 16)}), "") << name;
  }
}

}  // namespace
}  // namespace assay::models
