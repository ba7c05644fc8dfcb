#include <ATen/core/Tensor.h>

#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters Small(int64_t channels, std::vector<int64_t> layers) {
  Parameters parameters;
  parameters.Set("channels", channels);
  parameters.Set("layers", std::move(layers));
  parameters.Set("stochastic_depth", 0.1);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(Swin3dTest, TakesVideosOfAnySize) {
  const std::unique_ptr<Model> model = CreateOrDie("swin3d", Small(32, {1, 1, 1, 1}));
  FillInFloat32(*model);
  const auto forward = [&](at::IntArrayRef shape) {
    return model->Forward({SeededFloats(shape).to(at::kFloat)})[0].sizes().vec();
  };
  EXPECT_EQ(forward({2, 3, 1, 1, 5}), (std::vector<int64_t>{2, 8}));
  EXPECT_THROW(forward({2, 4, 1, 8, 8}), c10::ValueError);
}

TEST(Swin3dTest, RefusesParametersThatDoNotFit) {
  EXPECT_EQ(Create("swin3d", Small(32, {1, 1, 1})).status().message(),
            "swin3d: layers has 3 numbers; want 4, one for each stage");
  EXPECT_EQ(Create("swin3d", Small(40, {1, 1, 1, 1})).status().message(),
            "swin3d: channels 40 is not a multiple of 32, the width of a head");
}

}  // namespace
}  // namespace assay::models
