#include <ATen/core/Tensor.h>

#include <cmath>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

std::unique_ptr<Model> SmallSwinV2() {
  Parameters parameters;
  parameters.Set("version", 2);
  parameters.Set("channels", 32);
  parameters.Set("layers", std::vector<int64_t>{1, 1, 1, 1});
  parameters.Set("stochastic_depth", 0.1);
  parameters.Set("num_classes", 8);
  std::unique_ptr<Model> model = CreateOrDie("swin", parameters);
  FillInFloat64(*model);
  return model;
}

// The recipe's scales stay below what they are held to, so the cases do not reach it.
TEST(SwinV2Test, HoldsTheScaleOfScoresToAHundred) {
  const std::unique_ptr<Model> model = SmallSwinV2();
  const at::Tensor image = SeededFloats({1, 3, 32, 32});
  const auto logits_at = [&](double logarithm) {
    Find(*model, "features.1.0.attn.logit_scale").fill_(logarithm);
    return model->Forward({image})[0];
  };
  const double limit = std::log(100.0);
  const at::Tensor held = logits_at(limit + 1);
  EXPECT_TRUE(held.equal(logits_at(limit)));
  EXPECT_FALSE(held.equal(logits_at(limit - 1e-6)));
}

// Queries and keys are divided by their lengths, so that their scale is nothing, down to a length of
// 1e-12. No seeded weights make them as short.
TEST(SwinV2Test, DividesByNoLengthBelowEpsilon) {
  const std::unique_ptr<Model> model = SmallSwinV2();
  const at::Tensor image = SeededFloats({1, 3, 32, 32});
  // Shrinks what is there already.
  const auto shrunk = [&](double factor) {
    for (const char* name : {"features.1.0.attn.qkv.weight", "features.1.0.attn.qkv.bias"}) {
      Find(*model, name).slice(0, 0, 64).mul_(factor);
    }
    return model->Forward({image})[0];
  };
  const at::Tensor whole = shrunk(1);
  EXPECT_LT(shrunk(5e-13).sub(whole).abs().max().item<double>(), 1e-12);
  EXPECT_GT(shrunk(1e-2).sub(whole).abs().max().item<double>(), 1e-9);
}

}  // namespace
}  // namespace assay::models
