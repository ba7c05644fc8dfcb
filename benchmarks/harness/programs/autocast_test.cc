#include "benchmarks/harness/programs/autocast.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <c10/core/GradMode.h>

#include "gtest/gtest.h"

namespace assay::execution {
namespace {

// A weight whose casts LibTorch keeps until autocast ends: a leaf of float32 that needs a gradient.
class Autocast : public ::testing::Test {
 protected:
  at::Tensor Product() const { return at::mm(one_, weight_); }
  void Set(double value) const {
    const c10::NoGradGuard no_grad;
    weight_.fill_(value);
  }

  const at::Tensor one_ = at::ones({1, 1});
  const at::Tensor weight_ = at::ones({1, 1}).requires_grad_(true);
};

// LibTorch keeps no casts of tensors without a gradient, and does not ask of which dtype those are that it keeps.
TEST_F(Autocast, AnInnerScopeGivesBackTheDtypeOfTheOuterOne) {
  const auto dtype = [&] { return at::mm(one_, one_).scalar_type(); };
  {
    const AutocastScope outer(at::kCPU, at::kHalf);
    EXPECT_EQ(dtype(), at::kHalf);
    {
      const AutocastScope inner(at::kCPU, at::kBFloat16);
      EXPECT_EQ(dtype(), at::kBFloat16);
    }
    EXPECT_EQ(dtype(), at::kHalf);
  }
  EXPECT_EQ(dtype(), at::kFloat);
}

TEST_F(Autocast, AScopeEndsWithTheCastsOfItsWeights) {
  for (const double value : {1, 2}) {
    Set(value);
    const AutocastScope scope(at::kCPU, at::kBFloat16);
    EXPECT_EQ(Product().item<double>(), value);
  }
}

TEST_F(Autocast, APauseComputesAsWithoutItAndDropsTheCasts) {
  const AutocastScope scope(at::kCPU, at::kBFloat16);
  EXPECT_EQ(Product().item<double>(), 1);
  {
    const AutocastPause pause(at::kCPU);
    EXPECT_EQ(Product().scalar_type(), at::kFloat);
    Set(2);
  }
  EXPECT_EQ(Product().scalar_type(), at::kBFloat16);
  EXPECT_EQ(Product().item<double>(), 2);
}

TEST_F(Autocast, APauseOfNothingBeginsNothing) {
  {
    const AutocastPause pause(at::kCPU);
    EXPECT_EQ(Product().scalar_type(), at::kFloat);
  }
  EXPECT_EQ(Product().scalar_type(), at::kFloat);
}

}  // namespace
}  // namespace assay::execution
