#include "benchmarks/harness/goldens/skipped_products.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/upsample_nearest2d.h>
#include <ATen/ops/zeros.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::goldens {
namespace {

TEST(SkippedProducts, GivesTheRightShapeAndComputesNothingWhileItLives) {
  const auto ones = [](at::IntArrayRef shape) { return at::ones(shape, at::kDouble); };
  const std::vector<std::pair<const char*, std::function<at::Tensor()>>> calls = {
      {"mm",
       [&] {
         return at::mm(ones({2, 3}), ones({3, 5}));
       }},
      {"bmm",
       [&] {
         return at::bmm(ones({4, 2, 3}), ones({4, 3, 5}));
       }},
      {"addmm",
       [&] {
         return at::addmm(ones({5}), ones({2, 3}), ones({3, 5}));
       }},
      {"baddbmm",
       [&] {
         return at::baddbmm(ones({4, 2, 5}), ones({4, 2, 3}), ones({4, 3, 5}));
       }},
      {"linear",
       [&] {
         return at::linear(ones({4, 2, 3}), ones({5, 3}), ones({5}));
       }},
      {"matmul",
       [&] {
         return at::matmul(ones({6, 1, 2, 3}), ones({5, 3, 4}));
       }},
      {"conv2d",
       [&] {
         return at::conv2d(ones({2, 4, 9, 8}), ones({6, 2, 3, 5}), {}, 2, {1, 2}, 1, 2);
       }},
      {"conv2d, same",
       [&] {
         return at::conv2d(ones({2, 3, 9, 8}), ones({6, 3, 3, 5}), {}, 1, "same");
       }},
      {"conv_transpose2d",
       [&] {
         return at::conv_transpose2d(ones({2, 6, 5, 4}), ones({6, 3, 3, 3}), {}, 2, 1, 1, 2);
       }},
      {"attention",
       [&] {
         return at::scaled_dot_product_attention(ones({2, 3, 5, 8}), ones({2, 3, 7, 8}),
                                                 ones({2, 3, 7, 8}));
       }},
      {"batch_norm",
       [&] {
         return at::batch_norm(ones({2, 3, 4, 5}), {}, {}, ones({3}), ones({3}), false, 0.1, 1e-5,
                               false);
       }},
      {"layer_norm",
       [&] {
         return at::layer_norm(ones({2, 3, 4}), {3, 4}, {}, {}, 1e-5, false);
       }},
      {"group_norm",
       [&] {
         return at::group_norm(ones({2, 6, 4, 5}), 3, {}, {}, 1e-5, false);
       }},
      {"upsample_nearest2d",
       [&] {
         return at::upsample_nearest2d(ones({2, 3, 4, 5}), {7, 9});
       }},
      {"softmax",
       [&] {
         return at::softmax(ones({2, 3}), 1);
       }},
      {"gelu",
       [&] {
         return at::gelu(ones({2, 3}));
       }},
      {"dropout's draws",
       [&] {
         return at::empty({2, 3}, at::kDouble).bernoulli_(0.5);
       }},
      {"silu",
       [&] {
         return at::silu(ones({2, 3}));
       }},
  };
  // Then LibTorch fills memory that is not set with NaN.
  at::globalContext().setDeterministicAlgorithms(true, false);
  for (const auto& [name, call] : calls) {
    const at::Tensor computed = call();
    EXPECT_FALSE(computed.isnan().any().item<bool>()) << name;
    const SkippedProducts guard;
    const at::Tensor skipped = call();
    EXPECT_EQ(skipped.sizes(), computed.sizes()) << name;
    EXPECT_EQ(skipped.scalar_type(), computed.scalar_type()) << name;
    EXPECT_TRUE(skipped.isnan().all().item<bool>()) << name;
  }
}

TEST(SkippedProducts, ComputesWhatMayBePlaces) {
  const auto all = [](at::IntArrayRef shape, at::ScalarType dtype) {
    const at::Tensor ones = at::ones(shape, dtype);
    const at::Tensor in_place = ones.clone().add_(at::ones({256}, dtype)).mul_(2);
    return std::pair(in_place, (ones * ones).index_select(-1, at::zeros({3}, at::kLong)));
  };
  at::globalContext().setDeterministicAlgorithms(true, false);
  const SkippedProducts guard;
  const auto [left, skipped] = all({256, 256}, at::kFloat);
  EXPECT_TRUE(left.eq(1).all().item<bool>());
  EXPECT_TRUE(skipped.isnan().all().item<bool>());
  EXPECT_EQ(skipped.sizes(), at::IntArrayRef({256, 3}));
  for (const auto& [shape, dtype] :
       {std::pair(std::vector<int64_t>{255, 256}, at::kFloat), {{256, 256}, at::kLong}}) {
    const auto [in_place, computed] = all(shape, dtype);
    EXPECT_TRUE(in_place.eq(4).all().item<bool>());
    EXPECT_TRUE(computed.eq(1).all().item<bool>());
  }
}

TEST(SkippedProducts, ComputesWhatIsRecorded) {
  const at::Tensor x = at::ones({2, 3}, at::kDouble);
  const SkippedProducts guard;
  const at::Tensor recorded = at::mm(x.clone().requires_grad_(true), x.t());
  EXPECT_TRUE(recorded.requires_grad());
  EXPECT_TRUE(recorded.eq(3).all().item<bool>());
}

}  // namespace
}  // namespace assay::goldens
