#include <ATen/core/Tensor.h>

#include <memory>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

TEST(TimmVitHeadsTest, ADistilledModelAveragesItsTwoHeads) {
  Parameters parameters;
  parameters.Set("layer_scale", false);
  parameters.Set("pool", "distilled");
  parameters.Set("patch_size", 8);
  parameters.Set("layers", 2);
  parameters.Set("heads", 2);
  parameters.Set("hidden", 8);
  parameters.Set("resolution", 32);
  parameters.Set("num_classes", 8);
  const std::unique_ptr<Model> model = CreateOrDie("timm_vit", parameters);
  FillInFloat64(*model);
  const at::Tensor image = SeededFloats({1, 3, 32, 32});
  const at::Tensor before = model->Forward({image})[0];
  Find(*model, "head.bias").add_(1);
  Find(*model, "head_dist.bias").add_(2);
  EXPECT_TRUE(model->Forward({image})[0].allclose(before.add(1.5)));
}

}  // namespace
}  // namespace assay::models
