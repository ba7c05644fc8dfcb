#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

using testing::HasSubstr;

Parameters Small() {
  Parameters parameters;
  parameters.Set("hidden", 8);
  parameters.Set("layers", 1);
  parameters.Set("heads", 2);
  parameters.Set("window_size", 2);
  parameters.Set("global_layers", std::vector<int64_t>{});
  parameters.Set("image_embedding_size", 3);
  parameters.Set("patch_size", 4);
  parameters.Set("channels", 16);
  parameters.Set("mask_input_channels", 4);
  parameters.Set("decoder_heads", 2);
  parameters.Set("decoder_mlp", 8);
  return parameters;
}

// Two prompts of two points for an image of 12 pixels a side, the second one of each with this label.
std::vector<at::Tensor> Asked(int64_t label) {
  return {SeededFloats({1, 3, 12, 12}), SeededIntegers({1, 2, 2, 2}, 12),
          at::tensor({1L, label, 0L, label}).view({1, 2, 2})};
}

// Likewise of an image that is encoded.
std::vector<at::Tensor> AskedOfFeatures() {
  return {SeededFloats({1, 16, 3, 3}), Asked(1)[1], Asked(1)[2], SeededIntegers({1, 2, 4}, 12),
          SeededFloats({1, 1, 12, 12})};
}

std::string Said(Model& model, const std::vector<at::Tensor>& inputs) {
  try {
    model.Forward(inputs);
  } catch (const c10::ValueError& error) {
    return error.what_without_backtrace();
  }
  return "(not refused)";
}

TEST(SamTest, APointOfPaddingIsATokenOfZeros) {
  const std::unique_ptr<Model> model = CreateOrDie("sam", Small());
  FillInFloat64(*model);
  EXPECT_FALSE(model->Forward(Asked(-10))[0].allclose(model->Forward(Asked(-1))[0]));
  Find(*model, "prompt_encoder.not_a_point_embed.weight").zero_();
  EXPECT_TRUE(model->Forward(Asked(-10))[0].equal(model->Forward(Asked(-1))[0]));
  EXPECT_FALSE(model->Forward(Asked(-10))[0].allclose(model->Forward(Asked(0))[0]));
}

TEST(SamTest, PlacesAreFloat32AtLeast) {
  // 64 turns from one side of the image to the other: bf16 alone would leave nothing of the angle.
  const auto masks = [](at::ScalarType dtype) {
    const std::unique_ptr<Model> model = CreateOrDie("sam_mask_decoder", Small());
    FillInFloat32(*model);
    Find(*model, "shared_image_embedding.positional_embedding").fill_(32);
    model->To(at::kCPU, dtype);
    std::vector<at::Tensor> inputs = AskedOfFeatures();
    for (const size_t place : {0, 4}) inputs[place] = inputs[place].to(at::kBFloat16).to(dtype);
    return model->Forward(inputs)[0].to(at::kDouble);
  };
  const at::Tensor exact = masks(at::kDouble);
  EXPECT_LT((masks(at::kBFloat16) - exact).std().item<double>(), 0.1 * exact.std().item<double>());
}

TEST(SamTest, RefusesWhatDoesNotFit) {
  const std::unique_ptr<Model> model = CreateOrDie("sam", Small());
  FillInFloat64(*model);
  std::vector<at::Tensor> inputs = Asked(1);
  EXPECT_EQ(Said(*model, inputs), "(not refused)");
  EXPECT_EQ(Said(*model, Asked(2)),
            "sam: input_labels has numbers from 0 to 2; want 1 (object), 0 (background), -1 (no "
            "point) or -10 (padding)");
  EXPECT_THAT(Said(*model, Asked(-2)), HasSubstr("from -2 to 1"));
  inputs[0] = SeededFloats({1, 3, 3, 12});
  EXPECT_THAT(Said(*model, inputs), HasSubstr("must be exactly 12 pixels"));
  inputs[0] = SeededFloats({2, 3, 12, 12});
  EXPECT_EQ(Said(*model, inputs), "sam: input_labels is [1, 2, 2]; want [2, 2, 2]");
  inputs = Asked(1);
  inputs[1] = inputs[1].narrow(2, 0, 1);
  EXPECT_EQ(Said(*model, inputs), "sam: input_points is [1, 2, 1, 2]; want [1, 2, 2, 2]");
  inputs[2] = inputs[2][0];
  EXPECT_EQ(Said(*model, inputs), "sam: input_labels is [2, 2]; want (N, prompts, points)");
}

TEST(SamTest, TheDecoderRefusesWhatDoesNotFit) {
  const std::unique_ptr<Model> model = CreateOrDie("sam_mask_decoder", Small());
  FillInFloat64(*model);
  const std::vector<at::Tensor> inputs = AskedOfFeatures();
  EXPECT_EQ(Said(*model, inputs), "(not refused)");
  const auto with = [&](size_t place, const at::Tensor& input) {
    std::vector<at::Tensor> others = inputs;
    others[place] = input;
    return Said(*model, others);
  };
  EXPECT_EQ(with(0, SeededFloats({1, 16, 4, 3})),
            "sam: image_embeddings is [1, 16, 4, 3]; want [1, 16, 3, 3]");
  EXPECT_EQ(with(3, SeededIntegers({1, 1, 4}, 12)),
            "sam: input_boxes is [1, 1, 4]; want [1, 2, 4]");
  EXPECT_EQ(with(4, SeededFloats({1, 1, 12, 6})),
            "sam: input_masks is [1, 1, 12, 6]; want [1, 1, 12, 12]");
}

TEST(SamTest, RefusesParametersThatDoNotFit) {
  const auto said = [](const char* name, int64_t value) {
    Parameters parameters = Small();
    parameters.Set(name, value);
    return std::string(Create("sam", parameters).status().message());
  };
  EXPECT_EQ(said("channels", 12),
            "sam: channels 12, decoder_heads 2, mask_input_channels 4; channels must be a multiple "
            "of 8 and of twice decoder_heads, mask_input_channels of 4");
  EXPECT_THAT(said("decoder_heads", 16), HasSubstr("twice decoder_heads"));
  EXPECT_THAT(said("mask_input_channels", 6), HasSubstr("mask_input_channels of 4"));
  EXPECT_THAT(said("hidden", 9), HasSubstr("hidden"));
}

}  // namespace
}  // namespace assay::models
