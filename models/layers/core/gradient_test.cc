#include "models/layers/core/gradient.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <c10/core/InferenceMode.h>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

TEST(AutogradRecords, WhereAGradientWillBeAskedFor) {
  const at::Tensor weight = at::ones({2}).requires_grad_(true);
  EXPECT_TRUE(AutogradRecords(weight));
  EXPECT_TRUE(AutogradRecords(at::relu(weight)));
  EXPECT_FALSE(AutogradRecords(at::ones({2})));
}

TEST(AutogradRecords, NotWhileGradientsAreOff) {
  const at::Tensor weight = at::ones({2}).requires_grad_(true);
  const at::Tensor recorded = at::relu(weight);
  {
    const c10::NoGradGuard guard;
    EXPECT_FALSE(AutogradRecords(recorded));
    EXPECT_FALSE(AutogradRecords(at::relu(weight)));
  }
  const c10::InferenceMode guard;
  EXPECT_FALSE(AutogradRecords(at::relu(weight)));
}

}  // namespace
}  // namespace assay::models
