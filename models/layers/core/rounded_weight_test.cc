#include "models/layers/core/rounded_weight.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/zeros.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "defs/case/lowerings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/testing/scaled_mm_on_cpu.h"

namespace assay::models {
namespace {

at::Tensor Waves(at::IntArrayRef shape, double speed) {
  int64_t elements = 1;
  for (const int64_t size : shape) elements *= size;
  return at::arange(elements, at::kDouble).mul(speed).sin().mul(0.4).add(0.03).view(shape);
}

struct Kernel {
  std::string_view lowering;
  at::ScalarType dtype;
  double half_step;  // an upper bound of |w - value|, relative to the largest of |w|
  double limit;      // of the kernel's own error, relative to the largest of |y|
};

class RoundedWeightTest : public testing::TestWithParam<Kernel> {
 protected:
  const WeightRounding& rounding_ = *FindWeightRounding(GetParam().lowering);
  const ScaledMmOnCpu kernel_;  // of those that LibTorch has for GPUs alone

  at::Tensor Weight(int64_t in) const { return Waves({kOut, in}, 0.37).to(GetParam().dtype); }

  static constexpr int64_t kOut = 48;
};

TEST_P(RoundedWeightTest, ValuesAreAtMostHalfAStepAway) {
  const at::Tensor weight = Weight(96);
  const at::Tensor values = rounding_.values(rounding_.round(weight));
  EXPECT_EQ(values.scalar_type(), at::kDouble);
  const at::Tensor wide = weight.to(at::kDouble);
  const double error = (values - wide).abs().max().item<double>();
  EXPECT_LE(error, GetParam().half_step * wide.abs().max().item<double>());
  EXPECT_GT(error, 0) << "nothing was rounded";
}

TEST_P(RoundedWeightTest, TheKernelMultipliesByTheValues) {
  for (const int64_t in : {96, 192, 256}) {  // groups of 32, 64 and 128 elements
    const at::Tensor weight = Weight(in);
    const at::Tensor bias = Waves({kOut}, 0.7).to(GetParam().dtype);
    const at::Tensor x = Waves({5, in}, 0.21).to(GetParam().dtype);
    const Rounded rounded = rounding_.round(weight);
    const at::Tensor truth =
        at::linear(rounding_.read(x).values, rounding_.values(rounded), bias.to(at::kDouble));
    const at::Tensor got = rounding_.multiply(x, rounding_.pack(rounded, bias), bias);
    EXPECT_EQ(got.scalar_type(), GetParam().dtype);
    EXPECT_LE((got.to(at::kDouble) - truth).abs().max().item<double>(),
              GetParam().limit * truth.abs().max().item<double>())
        << in;
    const at::Tensor without = rounding_.multiply(x, rounding_.pack(rounded, {}), {});
    EXPECT_LE((without.to(at::kDouble) + bias.to(at::kDouble) - truth).abs().max().item<double>(),
              2 * GetParam().limit * truth.abs().max().item<double>())
        << in;
  }
}

TEST_P(RoundedWeightTest, RowsOfZerosStayZeros) {
  at::Tensor weight = Weight(96);
  weight.zero_();
  const Rounded rounded = rounding_.round(weight);
  EXPECT_LE(rounding_.values(rounded).abs().max().item<double>(), 1e-6);  // a step of int4's scale
  const at::Tensor x = at::zeros({2, 96}, GetParam().dtype);
  EXPECT_EQ(rounding_.multiply(x, rounding_.pack(rounded, {}), {}).abs().max().item<double>(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, RoundedWeightTest,
    testing::Values(Kernel{lowerings::kInt8Dynamic, at::kFloat, 0.5 / 127, 1e-5},
                    Kernel{lowerings::kInt8Weights, at::kBFloat16, 0.51 / 127, 8e-3},
                    Kernel{lowerings::kInt4Weights, at::kBFloat16, 1.05 / 15, 8e-3},
                    Kernel{lowerings::kInt4Weights, at::kHalf, 1.01 / 15, 1e-3},
                    Kernel{lowerings::kInt4Weights, at::kFloat, 1.001 / 15, 2e-6},
                    Kernel{lowerings::kFp8Dynamic, at::kBFloat16, 1.0 / 28, 8e-3},
                    Kernel{lowerings::kMxfp8Dynamic, at::kBFloat16, 1.0 / 16, 8e-3},
                    Kernel{lowerings::kNvfp4Dynamic, at::kBFloat16, 1.07 / 6, 8e-3}),
    [](const auto& info) {
      return std::string(info.param.lowering) + c10::toString(info.param.dtype);
    });

// One scale for all rows would lose those that are small beside another one.
TEST(RoundedWeightTest, EachRowHasItsScale) {
  at::Tensor weight = Waves({16, 32}, 0.37);
  weight[0].mul_(100);
  constexpr std::pair<std::string_view, double> kLimits[] = {{lowerings::kInt8Weights, 0.04},
                                                             {lowerings::kInt4Weights, 0.04},
                                                             {lowerings::kMxfp8Dynamic, 0.04},
                                                             {lowerings::kNvfp4Dynamic, 0.08}};
  for (const auto& [lowering, limit] : kLimits) {
    const WeightRounding& rounding = *FindWeightRounding(lowering);
    const at::Tensor values = rounding.values(rounding.round(weight.to(at::kBFloat16)));
    EXPECT_LT((values - weight)[1].abs().max().item<double>(), limit) << lowering;
  }
}

TEST(RoundedWeightTest, ShapesThatAKernelDoesNotTake) {
  EXPECT_FALSE(FindWeightRounding(lowerings::kInt8Weights)->fits({48, 40}));
  EXPECT_FALSE(FindWeightRounding(lowerings::kInt4Weights)->fits({40, 64}));
  EXPECT_FALSE(FindWeightRounding(lowerings::kInt4Weights)->fits({48, 48}));
  EXPECT_FALSE(FindWeightRounding(lowerings::kFp8Dynamic)->fits({40, 64}));
  EXPECT_FALSE(FindWeightRounding(lowerings::kFp8Dynamic)->fits({64, 40}));
  for (const std::string_view lowering : {lowerings::kMxfp8Dynamic, lowerings::kNvfp4Dynamic}) {
    EXPECT_FALSE(FindWeightRounding(lowering)->fits({40, 64}));
    EXPECT_FALSE(FindWeightRounding(lowering)->fits({64, 48}));
    EXPECT_TRUE(FindWeightRounding(lowering)->fits({48, 32}));
  }
  EXPECT_EQ(FindWeightRounding(lowerings::kMergedBranches), nullptr);
}

}  // namespace
}  // namespace assay::models
