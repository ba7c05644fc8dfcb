#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters Small(int64_t patch_size, int64_t heads) {
  Parameters parameters;
  parameters.Set("num_attention_heads", heads);
  parameters.Set("attention_head_dim", 2);
  parameters.Set("num_layers", 1);
  parameters.Set("in_channels", 4);
  parameters.Set("out_channels", 8);
  parameters.Set("patch_size", patch_size);
  parameters.Set("num_embeds_ada_norm", 10);
  parameters.Set("sample_size", 8);
  return parameters;
}

TEST(DitTest, RefusesSizesThatDoNotFit) {
  EXPECT_EQ(Create("dit", Small(3, 4)).status().message(),
            "dit: sample_size 8 is not a multiple of patch_size 3");
  EXPECT_THAT(Create("dit", Small(2, 3)).status().message(),
              testing::StartsWith("dit: 3 heads of 2 features are no multiple of 4"));
}

TEST(DitTest, RefusesAnotherLatentImage) {
  const std::unique_ptr<Model> model = CreateOrDie("dit", Small(4, 2));
  FillInFloat64(*model);
  const at::Tensor ids = at::zeros({2}, at::kLong);
  EXPECT_EQ(model->Forward({SeededFloats({2, 4, 8, 8}), ids, ids})[0].sizes(),
            at::IntArrayRef({2, 8, 8, 8}));
  try {
    model->Forward({SeededFloats({2, 4, 8, 12}), ids, ids});
    ADD_FAILURE() << "not refused";
  } catch (const c10::ValueError& error) {
    EXPECT_STREQ(error.what_without_backtrace(),
                 "dit: the latent image is [2, 4, 8, 12]; want (N, 4, 8, 8)");
  }
}

}  // namespace
}  // namespace assay::models
