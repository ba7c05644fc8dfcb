#include "models/layers/sequence/rotary.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "models/layers/core/layered_model.h"

namespace assay::models {
namespace {

class Turning final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor>) override { return {}; }
  Rotary rotary{*this, {.features = 2}};  // one pair, which turns by 1 a position
};

// bf16 has no 1001, float32 no 2^24 + 1.
TEST(Rotary, AnglesAreFloat32AtLeast) {
  Turning model;
  const auto sine = [&](int64_t position, at::ScalarType dtype) {
    model.To(at::kCPU, dtype);
    const Rotary::Turn turn = model.rotary.At(model.rotary.Positions(position, 1), dtype);
    EXPECT_EQ(turn.sine.scalar_type(), dtype);
    EXPECT_EQ(turn.cosine.scalar_type(), dtype);
    return turn.sine.item<double>();
  };
  EXPECT_NEAR(sine(1001, at::kBFloat16), std::sin(1001), 4e-3);
  EXPECT_NEAR(sine(1001, at::kHalf), std::sin(1001), 1e-3);
  EXPECT_NEAR(sine(1001, at::kFloat), std::sin(1001), 1e-6);
  EXPECT_NEAR(sine((1 << 24) + 1, at::kDouble), std::sin((1 << 24) + 1), 1e-9);
}

}  // namespace
}  // namespace assay::models
