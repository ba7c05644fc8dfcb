#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>

#include <cstdint>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

constexpr int64_t kPadding = 1;  // pad_token_id of OPTConfig and XGLMConfig

class OptTest : public testing::TestWithParam<std::string> {
 protected:
  OptTest() {
    Parameters parameters;
    parameters.Set("vocab_size", 20);
    parameters.Set("hidden_size", 8);
    parameters.Set("num_layers", 1);
    parameters.Set("attention_heads", 2);
    parameters.Set("ffn_dim", 16);
    parameters.Set("max_position_embeddings", 8);
    model_ = CreateOrDie(GetParam(), parameters);
    FillInFloat64(*model_);
  }

  // The largest gradient of a word of which the whole row is made. The scores' weight is the
  // words', so a score of another word is what is differentiated.
  double LargestGradient(int64_t word) {
    const at::Tensor weight = model_->State().front().tensor.requires_grad_(true);
    weight.mutable_grad().reset();
    model_->Forward({at::full({1, 4}, word, at::kLong)})[0].select(-1, 7).sum().backward();
    return weight.grad()[word].abs().max().item<double>();
  }

  std::unique_ptr<Model> model_;
};

TEST_P(OptTest, ThePaddingWordAloneHasNoGradient) {
  EXPECT_EQ(LargestGradient(kPadding), 0);
  EXPECT_GT(LargestGradient(kPadding - 1), 1e-6);
  EXPECT_GT(LargestGradient(kPadding + 1), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Both, OptTest, testing::Values("opt", "xglm"));

}  // namespace
}  // namespace assay::models
