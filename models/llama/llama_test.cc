#include <ATen/TensorOperators.h>
#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "models/generator.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

constexpr int64_t kFeatures = 4, kExperts = 4;
constexpr double kEps = 1e-5;

std::unique_ptr<Model> WithExperts(const char* model_type, int64_t experts,
                                   int64_t experts_of_a_token, int64_t window = 0) {
  Parameters parameters;
  parameters.Set("model_type", model_type);
  parameters.Set("vocab_size", kFeatures);
  parameters.Set("hidden_size", kFeatures);
  parameters.Set("intermediate_size", kFeatures);
  for (const char* one : {"num_hidden_layers", "num_attention_heads", "num_key_value_heads"}) {
    parameters.Set(one, int64_t{1});
  }
  parameters.Set("head_dim", kFeatures);
  parameters.Set("rms_norm_eps", kEps);
  parameters.Set("rope_type", "default");
  for (const char* real : {"rope_theta", "rope_local_base_freq"}) parameters.Set(real, 10000.0);
  for (const char* real : {"factor", "low_freq_factor", "high_freq_factor"})
    parameters.Set(real, 1.0);
  for (const char* none : {"original_max_position_embeddings", "sliding_window",
                           "sliding_window_pattern", "query_pre_attn_scalar"}) {
    parameters.Set(none, int64_t{0});
  }
  if (window > 0) {  // every second layer has none
    parameters.Set("num_hidden_layers", int64_t{2});
    parameters.Set("sliding_window", window);
    parameters.Set("sliding_window_pattern", int64_t{2});
  }
  for (const char* none : {"attn_logit_softcapping", "final_logit_softcapping"})
    parameters.Set(none, 0.0);
  for (const char* no : {"attention_bias", "tie_word_embeddings"}) parameters.Set(no, false);
  parameters.Set("num_local_experts", experts);
  parameters.Set("num_experts_per_tok", experts_of_a_token);
  return CreateOrDie("llama", parameters);
}

// A model whose attention adds nothing and whose scores are its last norm's result.
void ShowExperts(Model& model) {
  for (NamedTensor& entry : model.State()) {
    if (entry.name.ends_with("norm.weight")) entry.tensor.fill_(1);
    if (entry.name.ends_with("o_proj.weight")) entry.tensor.zero_();
  }
  Find(model, "lm_head.weight").copy_(at::eye(kFeatures));
}

// transformers' GptOssExperts: gate = gate.clamp(max=7), up = up.clamp(-7, 7),
// (up + 1) * gate * sigmoid(1.702 * gate).
TEST(LlamaTest, GptOssHoldsGateAndFactorAtSeven) {
  const std::unique_ptr<Model> model = WithExperts("gpt_oss", 1, 1);
  FillInFloat64(*model);
  ShowExperts(*model);
  const auto find = [&](const char* name) {
    return Find(*model, std::string("model.layers.0.mlp.experts.") + name)[0];
  };
  find("gate_up_proj").zero_();
  // Gates and factors in turn.
  find("gate_up_proj_bias").copy_(at::tensor({7.5, 9.0, 6.5, -9.0, -8.0, 6.5, 7.125, -7.125}));
  find("down_proj").copy_(at::eye(kFeatures));
  find("down_proj_bias").zero_();
  const at::Tensor gate = at::tensor({7.0, 6.5, -8.0, 7.0}, at::kDouble);
  const at::Tensor up = at::tensor({7.0, -7.0, 6.5, -7.0}, at::kDouble);
  const at::Tensor added = (up + 1) * gate / ((gate * -1.702).exp() + 1);
  const at::Tensor sum = Find(*model, "model.embed_tokens.weight")[2] + added;
  const at::Tensor wanted = sum / (sum.square().mean() + kEps).sqrt();
  const at::Tensor got = model->Forward({at::tensor({2}, at::kLong).view({1, 1})})[0].flatten();
  EXPECT_TRUE(got.allclose(wanted, 1e-12, 1e-12)) << got << wanted;
}

// In bf16 all four of the router's shares would be 0.25.
TEST(LlamaTest, MixtralChoosesItsExpertsInFloat32) {
  const auto score = [](at::ScalarType dtype) {
    const std::unique_ptr<Model> model = WithExperts("mixtral", kExperts, 2);
    FillInFloat32(*model);
    ShowExperts(*model);
    // A token of ones stays one: its norm is 1.
    Find(*model, "model.embed_tokens.weight").fill_(1);
    const at::Tensor router = Find(*model, "model.layers.0.mlp.gate.weight").zero_();
    for (int64_t expert = 0; expert < kExperts; ++expert)
      router[expert][0].fill_(0.125 + (expert == 1 || expert == 3 ? 0x1p-10 : 0));
    // Each expert adds to a feature of its own.
    Find(*model, "model.layers.0.mlp.experts.gate_up_proj").fill_(0.5);
    const at::Tensor down = Find(*model, "model.layers.0.mlp.experts.down_proj").zero_();
    for (int64_t expert = 0; expert < kExperts; ++expert) down[expert][expert].fill_(1);
    model->To(at::kCPU, dtype);
    return model->Forward({at::zeros({1, 1}, at::kLong)})[0].flatten().to(at::kFloat);
  };
  const at::Tensor got = score(at::kBFloat16);
  EXPECT_TRUE(got.allclose(score(at::kFloat), 2e-2, 2e-2)) << got;
  EXPECT_LT(got[0].item<float>(), got[1].item<float>());
  EXPECT_LT(got[2].item<float>(), got[3].item<float>());
}

// The results of experts 1 and 3 are -900 and 225, and their shares 0.2018 and 0.7982. So they nearly cancel. With shares or
// a sum in bf16 nothing would be left.
TEST(LlamaTest, MixtralAddsItsExpertsInFloat32) {
  const auto score = [](at::ScalarType dtype) {
    const std::unique_ptr<Model> model = WithExperts("mixtral", kExperts, 2);
    FillInFloat32(*model);
    ShowExperts(*model);
    Find(*model, "model.embed_tokens.weight").fill_(1);
    const at::Tensor router = Find(*model, "model.layers.0.mlp.gate.weight").zero_();
    router[1][0].fill_(4);
    router[3][0].fill_(4 + 1.375);
    Find(*model, "model.layers.0.mlp.experts.gate_up_proj").fill_(0.5);
    const at::Tensor down = Find(*model, "model.layers.0.mlp.experts.down_proj").zero_();
    down[1][0].fill_(-64);
    down[3][0].fill_(16);
    model->To(at::kCPU, dtype);
    return model->Forward({at::zeros({1, 1}, at::kLong)})[0].flatten().to(at::kFloat);
  };
  const at::Tensor got = score(at::kBFloat16), wanted = score(at::kFloat);
  EXPECT_TRUE(got.allclose(wanted, 2e-2, 0)) << got << wanted;
}

TEST(LlamaTest, RowsThatBeganAtDifferentTimesAreTheSame) {
  const at::Tensor tokens = SeededIntegers({2, 8}, kFeatures), there = at::ones_like(tokens);
  there[1].narrow(0, 0, 2).zero_();  // padded
  for (const char* model_type : {"llama", "gemma2", "gemma3", "qwen3", "mixtral", "gpt_oss"}) {
    const std::unique_ptr<Model> model = WithExperts(model_type, kExperts, 2, /*window=*/3);
    FillInFloat64(*model);
    EXPECT_EQ(RowsApart(*model, {tokens}), "") << model_type;
    EXPECT_EQ(RowsApart(*model, {tokens, there}), "") << model_type;
  }
}

}  // namespace
}  // namespace assay::models
