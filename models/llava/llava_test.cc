#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/generator.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

using testing::HasSubstr;

constexpr int64_t kImage = 40, kPatches = 4;

Parameters Llava() {
  Parameters parameters;
  for (const char* width : {"image_hidden", "hidden_size"}) parameters.Set(width, 16);
  for (const char* width : {"image_mlp", "intermediate_size"}) parameters.Set(width, 24);
  for (const char* two : {"image_heads", "image_layers", "num_attention_heads", "num_hidden_layers",
                          "num_key_value_heads"})
    parameters.Set(two, 2);
  parameters.Set("resolution", 8);
  parameters.Set("patch_size", 4);
  parameters.Set("image_seq_length", kPatches);
  parameters.Set("image_token_index", kImage);
  parameters.Set("vocab_size", 48);
  parameters.Set("max_position_embeddings", 12);
  parameters.Set("rms_norm_eps", 1e-5);
  parameters.Set("rope_theta", 10000.0);
  return parameters;
}

// Words, and from `first` on the places of an image.
at::Tensor Tokens(int64_t first, int64_t length = 8, int64_t places = kPatches) {
  at::Tensor tokens = SeededIntegers({1, length}, kImage);
  tokens.narrow(1, first, places).fill_(kImage);
  return tokens;
}

class LlavaTest : public testing::Test {
 protected:
  LlavaTest() : model_(CreateOrDie("llava", Llava())) { FillInFloat64(*model_); }

  at::Tensor Logits(const at::Tensor& tokens, const at::Tensor& images) {
    return model_->Forward({tokens, images})[0];
  }

  const std::unique_ptr<Model> model_;
  const at::Tensor images_ = SeededFloats({2, 3, 8, 8});
  const at::Tensor image_ = images_.narrow(0, 0, 1);
};

TEST(Llava, RefusesSizesThatDoNotFit) {
  const struct {
    const char* name;
    int64_t value;
    const char* message;
  } cases[] = {
      {"image_heads", 3, "image_hidden 16 is not a multiple"},
      {"patch_size", 3, "resolution 8 is not a multiple"},
      {"image_seq_length", 5,
       "image_seq_length 5 is not the number of patches: an image of 8 pixels a side has 4 of 4"},
      {"num_attention_heads", 3, "hidden_size 16 is not a multiple"},
      {"num_key_value_heads", 3, "num_attention_heads 2 is not a multiple"},
      {"num_attention_heads", 16, "a head's features"},
      {"image_token_index", 1000, "image_token_index 1000 is no token of a vocabulary of"},
  };
  for (const auto& row : cases) {
    Parameters parameters = Llava();
    parameters.Set(row.name, row.value);
    const absl::Status status = Create("llava", parameters).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.message;
    EXPECT_THAT(status.message(), HasSubstr(row.message));
  }
}

TEST_F(LlavaTest, RefusesTokensThatDoNotFitTheImages) {
  for (const int64_t places : {0, 3, 5}) {
    try {
      Logits(Tokens(1, 8, places), image_);
      FAIL() << places;
    } catch (const c10::ValueError& error) {
      EXPECT_THAT(error.what_without_backtrace(),
                  HasSubstr("the tokens have " + std::to_string(places) +
                            " places of an image (token 40), and the images have 4 patches"));
    }
  }
  EXPECT_THAT(
      [&] {
        Logits(Tokens(1), SeededFloats({1, 3, 8, 12}));
      },
      testing::ThrowsMessage<c10::ValueError>(HasSubstr("llava: the image is [1, 3, 8, 12]")));
}

TEST_F(LlavaTest, EachImageStandsWhereItsRowSays) {
  const at::Tensor one = Tokens(0), other = Tokens(3);
  const at::Tensor both = Logits(at::cat({one, other}), images_);
  EXPECT_TRUE(at::allclose(both.narrow(0, 0, 1), Logits(one, image_)));
  EXPECT_TRUE(at::allclose(both.narrow(0, 1, 1), Logits(other, images_.narrow(0, 1, 1))));
  EXPECT_FALSE(at::allclose(Logits(other, image_), Logits(other, images_.narrow(0, 1, 1))));
  // A word before the image knows nothing of it.
  EXPECT_TRUE(at::allclose(Logits(other, image_).narrow(1, 0, 3),
                           Logits(other, images_.narrow(0, 1, 1)).narrow(1, 0, 3)));
}

TEST_F(LlavaTest, TheLastBlockOfTheImagesEncoderIsNotRead) {
  const at::Tensor before = Logits(Tokens(1), image_);
  const auto change = [&](const std::string& name) {
    Find(*model_, "model.vision_tower." + name).add_(1);
    return Logits(Tokens(1), image_);
  };
  EXPECT_TRUE(at::equal(change("encoder.layers.1.mlp.fc1.weight"), before));
  EXPECT_TRUE(at::equal(change("post_layernorm.bias"), before));
  EXPECT_FALSE(at::allclose(change("encoder.layers.0.mlp.fc2.bias"), before));
}

TEST_F(LlavaTest, TurnsByItsTheta) {
  Parameters parameters = Llava();
  parameters.Set("rope_theta", 5000.0);
  const std::unique_ptr<Model> other = CreateOrDie("llava", parameters);
  FillInFloat64(*other);
  const at::Tensor tokens = Tokens(1);
  EXPECT_FALSE(at::allclose(other->Forward({tokens, image_})[0], Logits(tokens, image_)));
}

TEST_F(LlavaTest, HasNoMorePositionsThanItSays) {
  EXPECT_NO_THROW(Logits(Tokens(1, 12), image_));
  EXPECT_THROW(Logits(Tokens(1, 13), image_), c10::Error);
}

TEST_F(LlavaTest, WithACacheItIsTheSame) {
  auto& generator = dynamic_cast<Generator&>(*model_);
  const at::Tensor tokens = Tokens(1), whole = Logits(tokens, image_);
  const std::vector<at::Tensor> cache = generator.NewCache({tokens, image_}, 8);
  EXPECT_EQ(cache.size(), 4u) << "keys and values of two blocks";
  const at::Tensor prompt = tokens.narrow(1, 0, 6);
  EXPECT_TRUE(at::allclose(generator.Prefill({prompt, image_}, cache), whole.select(1, 5)));
  EXPECT_TRUE(at::allclose(generator.Extend(tokens.narrow(1, 6, 2), 6, cache), whole.select(1, 7)));
}

TEST_F(LlavaTest, RowsThatBeganAtDifferentTimesAreTheSame) {
  // One patch, within both prompts.
  Parameters parameters = Llava();
  parameters.Set("image_seq_length", 1);
  parameters.Set("resolution", 4);
  const std::unique_ptr<Model> model = CreateOrDie("llava", parameters);
  FillInFloat64(*model);
  const at::Tensor tokens = at::cat({Tokens(0, 8, 1), Tokens(2, 8, 1)});
  EXPECT_EQ(RowsApart(*model, {tokens, SeededFloats({2, 3, 4, 4})}), "");
}

}  // namespace
}  // namespace assay::models
