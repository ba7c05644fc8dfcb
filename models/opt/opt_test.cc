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

struct Implementation {
  std::string name, words;
};

class OptTest : public testing::TestWithParam<Implementation> {
 protected:
  std::unique_ptr<Model> Filled(int64_t layers) const {
    Parameters parameters;
    parameters.Set("vocab_size", 20);
    parameters.Set("hidden_size", 8);
    parameters.Set("num_layers", layers);
    parameters.Set("attention_heads", 2);
    parameters.Set("ffn_dim", 16);
    parameters.Set("max_position_embeddings", 8);
    std::unique_ptr<Model> model = CreateOrDie(GetParam().name, parameters);
    FillInFloat64(*model);
    return model;
  }
};

TEST_P(OptTest, RowsThatBeganAtDifferentTimesAreTheSame) {
  EXPECT_EQ(RowsApart(*Filled(2), {SeededIntegers({2, 8}, 20)}), "");
}

TEST_P(OptTest, ThePaddingWordAloneHasNoGradient) {
  const std::unique_ptr<Model> model = Filled(1);
  EXPECT_EQ(LargestWordGradient(*model, GetParam().words, kPadding), 0);
  EXPECT_GT(LargestWordGradient(*model, GetParam().words, kPadding - 1), 1e-6);
  EXPECT_GT(LargestWordGradient(*model, GetParam().words, kPadding + 1), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Both, OptTest,
                         testing::Values(Implementation{"opt", "model.decoder.embed_tokens.weight"},
                                         Implementation{"xglm", "model.embed_tokens.weight"}));

}  // namespace
}  // namespace assay::models
