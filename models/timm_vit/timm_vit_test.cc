#include <ATen/core/Tensor.h>

#include <memory>
#include <utility>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

std::unique_ptr<Model> SmallModel(bool layer_scale) {
  Parameters parameters;
  parameters.Set("layer_scale", layer_scale);
  parameters.Set("pool", "distilled");
  parameters.Set("patch_size", 8);
  parameters.Set("layers", 2);
  parameters.Set("heads", 2);
  parameters.Set("hidden", 8);
  parameters.Set("feed_forward", 0);
  parameters.Set("resolution", 32);
  parameters.Set("num_classes", 8);
  std::unique_ptr<Model> model = CreateOrDie("timm_vit", parameters);
  FillInFloat64(*model);
  return model;
}

// The model that has it, DINOv2, is large.
TEST(TimmVitTest, LayerScaleMultipliesItsBranch) {
  const std::unique_ptr<Model> model = SmallModel(/*layer_scale=*/true);
  const at::Tensor image = SeededFloats({1, 3, 32, 32});
  for (const auto& [scale, branch] : {std::pair("blocks.1.ls1.gamma", "blocks.1.attn.proj.bias"),
                                      {"blocks.1.ls2.gamma", "blocks.1.mlp.fc2.bias"}}) {
    const auto output_of = [&, branch = branch](double bias) {
      Find(*model, branch).fill_(bias);
      return model->Forward({image})[0];
    };
    EXPECT_FALSE(output_of(1).equal(output_of(2))) << scale;
    Find(*model, scale).fill_(0);
    EXPECT_TRUE(output_of(1).equal(output_of(2))) << scale;
  }
}

TEST(TimmVitHeadsTest, ADistilledModelAveragesItsTwoHeads) {
  const std::unique_ptr<Model> model = SmallModel(/*layer_scale=*/false);
  const at::Tensor image = SeededFloats({1, 3, 32, 32});
  const at::Tensor before = model->Forward({image})[0];
  Find(*model, "head.bias").add_(1);
  Find(*model, "head_dist.bias").add_(2);
  EXPECT_TRUE(model->Forward({image})[0].allclose(before.add(1.5)));
}

}  // namespace
}  // namespace assay::models
