#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters Small(const char* layers, int64_t channels = 8) {
  Parameters parameters;
  parameters.Set("block_out_channels", std::vector<int64_t>{channels, 8});
  parameters.Set(layers, int64_t{1});
  parameters.Set("latent_channels", int64_t{3});
  parameters.Set("norm_num_groups", int64_t{4});
  return parameters;
}

std::string Refusal(const char* implementation, const char* layers, const at::Tensor& input) {
  const std::unique_ptr<Model> model = CreateOrDie(implementation, Small(layers));
  FillInFloat64(*model);
  try {
    model->Forward({input});
  } catch (const c10::ValueError& error) {
    return error.what_without_backtrace();
  }
  return "not refused";
}

TEST(AutoencoderKlTest, RefusesOtherImages) {
  const auto refusal = [](at::IntArrayRef shape) {
    return Refusal("autoencoder_kl_encoder", "encoder_layers", SeededFloats(shape));
  };
  EXPECT_EQ(refusal({1, 3, 4, 5}),
            "autoencoder_kl: the image is [1, 3, 4, 5]; its height and width must be multiples of "
            "2 pixels");
  EXPECT_EQ(refusal({1, 4, 4, 4}),
            "autoencoder_kl: the image is [1, 4, 4, 4]; want (N, 3, height, width)");
  const auto latent = [](at::IntArrayRef shape) {
    return Refusal("autoencoder_kl_decoder", "decoder_layers", SeededFloats(shape));
  };
  EXPECT_EQ(latent({1, 4, 4, 4}),
            "autoencoder_kl: the latent image is [1, 4, 4, 4]; want (N, 3, height, width)");
  EXPECT_EQ(latent({3, 4, 4}),
            "autoencoder_kl: the latent image is [3, 4, 4]; want (N, 3, height, width)");
}

TEST(AutoencoderKlTest, RefusesChannelsThatGroupsDoNotDivide) {
  EXPECT_EQ(Create("autoencoder_kl_encoder", Small("encoder_layers", 10)).status().message(),
            "autoencoder_kl: block_out_channels has 10; want a multiple of norm_num_groups, 4");
  Parameters parameters = Small("encoder_layers");
  parameters.Set("block_out_channels", std::vector<int64_t>{});
  EXPECT_EQ(Create("autoencoder_kl_encoder", parameters).status().message(),
            "autoencoder_kl: block_out_channels is empty; want one for each stage");
}

// A large scale of the last layer's bias drives the logarithm of the variance out of its range.
TEST(AutoencoderKlTest, TheLogarithmOfTheVarianceHasARange) {
  const std::unique_ptr<Model> model =
      CreateOrDie("autoencoder_kl_encoder", Small("encoder_layers"));
  FillInFloat64(*model);
  at::Tensor bias = Find(*model, "quant_conv.bias");
  bias[3] = 1000;
  bias[4] = -1000;
  const at::Tensor logvar = model->Forward({SeededFloats({1, 3, 4, 4})})[1];
  EXPECT_TRUE(logvar.select(1, 0).eq(20).all().item<bool>());
  EXPECT_TRUE(logvar.select(1, 1).eq(-30).all().item<bool>());
}

}  // namespace
}  // namespace assay::models
