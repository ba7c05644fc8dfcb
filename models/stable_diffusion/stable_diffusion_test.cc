#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters Small(int64_t last_channels = 16) {
  Parameters parameters;
  parameters.Set("block_out_channels", std::vector<int64_t>{8, last_channels});
  parameters.Set("attention_heads", std::vector<int64_t>{2, 2});
  parameters.Set("transformer_layers", std::vector<int64_t>{1, 0});
  parameters.Set("layers_per_block", int64_t{1});
  parameters.Set("cross_attention_dim", int64_t{6});
  parameters.Set("norm_num_groups", int64_t{4});
  return parameters;
}

Parameters SmallXl(int64_t id_features) {
  Parameters parameters = Small();
  parameters.Set("text_features", int64_t{5});
  parameters.Set("addition_time_embed_dim", id_features);
  return parameters;
}

std::vector<at::Tensor> Inputs() {
  return {SeededFloats({2, 4, 6, 5}), SeededIntegers({2}, 1000), SeededFloats({2, 3, 6}),
          SeededFloats({2, 5}), SeededIntegers({2, 6}, 1000)};
}

std::string Refusal(const char* implementation, const Parameters& parameters,
                    const std::vector<at::Tensor>& inputs) {
  const std::unique_ptr<Model> model = CreateOrDie(implementation, parameters);
  FillInFloat64(*model);
  try {
    model->Forward(inputs);
  } catch (const c10::ValueError& error) {
    return error.what_without_backtrace();
  }
  return "not refused";
}

TEST(StableDiffusionTest, EachRowIsItsOwn) {
  const std::unique_ptr<Model> model = CreateOrDie("sdxl_unet", SmallXl(4));
  FillInFloat64(*model);
  std::vector<at::Tensor> inputs = Inputs();
  const at::Tensor noise = model->Forward(inputs)[0];
  EXPECT_EQ(noise.sizes(), inputs[0].sizes());
  for (at::Tensor& input : inputs) input = input.narrow(0, 1, 1);
  EXPECT_TRUE(noise.narrow(0, 1, 1).allclose(model->Forward(inputs)[0]));
}

TEST(StableDiffusionTest, RefusesOtherInputs) {
  const auto refusal = [](size_t input, const at::Tensor& given) {
    std::vector<at::Tensor> inputs = Inputs();
    inputs[input] = given;
    return Refusal("sdxl_unet", SmallXl(4), inputs);
  };
  EXPECT_EQ(refusal(0, SeededFloats({2, 3, 6, 5})),
            "stable_diffusion: the latent image is [2, 3, 6, 5]; want (N, 4, height, width)");
  EXPECT_EQ(refusal(0, SeededFloats({4, 6, 5})),
            "stable_diffusion: the latent image is [4, 6, 5]; want (N, 4, height, width)");
  EXPECT_EQ(refusal(1, SeededIntegers({1}, 9)),
            "stable_diffusion: the timestep is [1]; want [2] for a latent image [2, 4, 6, 5]");
  EXPECT_EQ(
      refusal(2, SeededFloats({2, 3, 7})),
      "stable_diffusion: the text is [2, 3, 7]; want [2, 3, 6] for a latent image [2, 4, 6, 5]");
  EXPECT_EQ(
      refusal(2, SeededFloats({2, 0, 6})),
      "stable_diffusion: the text is [2, 0, 6]; want [2, 1, 6] for a latent image [2, 4, 6, 5]");
  EXPECT_EQ(refusal(3, SeededFloats({2, 4})),
            "stable_diffusion: the text's embedding is [2, 4]; want [2, 5] for a latent image [2, "
            "4, 6, 5]");
  EXPECT_EQ(refusal(4, SeededIntegers({2, 5}, 9)),
            "stable_diffusion: the time ids' tensor is [2, 5]; want [2, 6] for a latent image [2, "
            "4, 6, 5]");
}

TEST(StableDiffusionTest, RefusesParametersThatDoNotFit) {
  EXPECT_THAT(
      Create("stable_diffusion_unet", Small(10)).status().message(),
      testing::HasSubstr("block_out_channels has 10; want a multiple of 2, of its number in "
                         "attention_heads, 2, and of norm_num_groups, 4"));
  EXPECT_THAT(Create("sdxl_unet", SmallXl(5)).status().message(),
              testing::HasSubstr("addition_time_embed_dim is 5; want an even number"));
  Parameters parameters = Small();
  parameters.Set("attention_heads", std::vector<int64_t>{2});
  EXPECT_FALSE(Create("stable_diffusion_unet", parameters).ok());
  parameters = Small();
  parameters.Set("transformer_layers", std::vector<int64_t>{2});
  EXPECT_FALSE(Create("stable_diffusion_unet", parameters).ok());
}

TEST(StableDiffusionTest, DenoisingRefusesTextsOfTwoSizes) {
  Parameters parameters = Small();
  parameters.Set("scheduler", "euler");
  parameters.Set("steps", int64_t{2});
  parameters.Set("guidance_scale", 2.0);
  EXPECT_EQ(Refusal("stable_diffusion_denoising", parameters,
                    {SeededFloats({1, 4, 6, 5}), SeededFloats({1, 3, 6}), SeededFloats({1, 2, 6})}),
            "stable_diffusion: the text is [1, 3, 6], the negative text [1, 2, 6]; want the same");
}

TEST(StableDiffusionTest, EveryParameterGetsAGradient) {
  const std::unique_ptr<Model> model = CreateOrDie("sdxl_unet", SmallXl(4));
  FillInFloat64(*model);
  model->SetTraining(true);
  for (NamedTensor& entry : model->State()) entry.tensor.requires_grad_(entry.trainable);
  model->Forward(Inputs())[0].square().sum().backward();
  for (const NamedTensor& entry : model->State()) {
    ASSERT_TRUE(entry.tensor.grad().defined()) << entry.name;
    EXPECT_GT(entry.tensor.grad().abs().max().item<double>(), 0) << entry.name;
  }
}

}  // namespace
}  // namespace assay::models
