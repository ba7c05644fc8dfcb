#include "models/layers/sequence/rotary.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <cstdint>
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

class OfTwelve final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor>) override { return {}; }
  Rotary rotary{*this, {.features = 12, .positions = 2000}};
};

// As transformers has it: 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.float) / dim)). The quotient
// is rounded, too.
TEST(Rotary, FrequenciesAreThoseOfRoundedQuotients) {
  OfTwelve model;
  model.To(at::kCPU, at::kDouble);
  const at::Tensor sines =
      model.rotary.At(model.rotary.Positions(1000, 1), at::kDouble).sine.flatten();
  for (int64_t pair = 0; pair < 6; ++pair) {
    const float quotient = static_cast<float>(2 * pair) / 12;
    const auto power = static_cast<float>(std::pow(10000.0, static_cast<double>(quotient)));
    EXPECT_NEAR(sines[pair].item<double>(), std::sin(1000.0 * (1 / power)), 1e-12) << pair;
  }
}

TEST(Rotary, ThereAreNoMorePositionsThanItSays) {
  const OfTwelve model;
  EXPECT_EQ(model.rotary.Positions(1990, 10)[9].item<int64_t>(), 1999);
  EXPECT_THROW(model.rotary.Positions(1990, 11), c10::Error);
  const Turning any;
  EXPECT_NO_THROW(any.rotary.Positions(1990, 11));
}

}  // namespace
}  // namespace assay::models
