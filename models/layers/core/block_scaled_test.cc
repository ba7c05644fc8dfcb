#include "models/layers/core/block_scaled.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::models {
namespace {

using testing::ElementsAre;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<int> BytesOf(const at::Tensor& x) {
  const at::Tensor bytes = x.contiguous().view(at::kByte).flatten();
  const auto* const data = bytes.const_data_ptr<uint8_t>();
  return {data, data + bytes.numel()};
}

std::vector<double> DoublesOf(const at::Tensor& x) {
  const at::Tensor wide = x.to(at::kDouble).contiguous();
  return {wide.const_data_ptr<double>(), wide.const_data_ptr<double>() + wide.numel()};
}

// FNV-1a.
uint64_t DigestOf(const at::Tensor& x) {
  uint64_t digest = 0xcbf29ce484222325;
  for (const int byte : BytesOf(x)) digest = (digest ^ static_cast<uint64_t>(byte)) * 0x100000001b3;
  return digest;
}

// Numbers of 8 bits, each block of 32 at one of so many powers of two; exact in bf16.
at::Tensor Spread(int64_t rows, int64_t in, int powers = 29) {
  at::Tensor x = at::empty({rows, in}, at::kFloat);
  auto* data = x.mutable_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const auto mixed = static_cast<uint32_t>(i) * 2654435761U;
    const int number = static_cast<int>(mixed >> 8 & 511) - 255;
    const int power =
        static_cast<int>(i / 32 * 7 % powers) - 14 - static_cast<int>(mixed >> 20 & 3);
    data[i] = std::ldexp(static_cast<float>(number), power);
  }
  return x.to(at::kBFloat16);
}

// A row of `size`, of which the first elements are given and the rest are zero.
at::Tensor Block(const std::vector<float>& first, int64_t size = 32) {
  at::Tensor x = at::zeros({1, size}, at::kFloat);
  x.narrow(1, 0, static_cast<int64_t>(first.size())).copy_(at::tensor(first).unsqueeze(0));
  return x.to(at::kBFloat16);
}

// torch 2.11, torch.testing._internal.common_quantized.to_mxfp; torchao 0.18 gives the same (RCEIL).
TEST(RoundToMxfp8, IsThatOfTorch) {
  const Rounded rounded = RoundToMxfp8(Spread(64, 256));
  EXPECT_EQ(DigestOf(rounded.scales), 0xecffa2ab3cced7f7);
  EXPECT_EQ(DigestOf(rounded.numbers), 0xbaba459285e6c9f3);
}

struct Scaled {
  std::vector<float> block;
  int scale;   // its byte
  int number;  // of the first element
};

// As torch.testing._internal.common_quantized.to_mxfp says. It divides the last by 1, and makes zero of it.
TEST(RoundToMxfp8, ScalesAreTheSmallestByWhichNothingIsAbove448) {
  for (const Scaled& scaled :
       {Scaled{{448}, 127, 0x7e}, Scaled{{450}, 128, 0x76}, Scaled{{1}, 119, 0x78},
        Scaled{{-256}, 127, 0xf8}, Scaled{{0x1p-126F}, 0, 0x40}}) {
    const Rounded rounded = RoundToMxfp8(Block(scaled.block));
    EXPECT_EQ(BytesOf(rounded.scales)[0], scaled.scale) << scaled.block[0];
    EXPECT_EQ(BytesOf(rounded.numbers)[0], scaled.number) << scaled.block[0];
  }
}

TEST(RoundToMxfp8, TheSmallestScaleIs2ToTheMinus127) {
  const Rounded zeros = RoundToMxfp8(at::zeros({2, 64}, at::kBFloat16));
  EXPECT_THAT(BytesOf(zeros.scales), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(ValuesOfMxfp8(zeros).abs().max().item<double>(), 0);
  const Rounded tiny = RoundToMxfp8(Block({0x1p-133F, -0x1p-130F}));  // subnormal in bf16
  EXPECT_EQ(BytesOf(tiny.scales)[0], 0);
  EXPECT_EQ(ValuesOfMxfp8(tiny)[0][0].item<double>(), 0x1p-133);
  EXPECT_EQ(ValuesOfMxfp8(tiny)[0][1].item<double>(), -0x1p-130);
}

TEST(RoundToMxfp8, NothingThatIsNotFiniteBecomesFinite) {
  for (const float bad : {kInfinity, -kInfinity, kNan}) {
    at::Tensor x = Spread(1, 64);
    x[0][40] = bad;
    const Rounded rounded = RoundToMxfp8(x);
    EXPECT_EQ(BytesOf(rounded.scales)[1], 255);
    const at::Tensor finite = ValuesOfMxfp8(rounded).isfinite();
    EXPECT_TRUE(finite.narrow(1, 0, 32).all().item<bool>()) << "another block";
    EXPECT_FALSE(finite.narrow(1, 32, 32).any().item<bool>());
  }
}

// torchao 0.18, nvfp4_quantize.
TEST(RoundToNvfp4, IsThatOfTorchAo) {
  const Rounded rounded = RoundToNvfp4(Spread(64, 256, 3));
  EXPECT_EQ(DigestOf(rounded.scales), 0xb0935a8d9e42407b);
  EXPECT_EQ(DigestOf(InPairs(rounded.numbers)), 0x11ce974ea4291f8b);
}

// The first element makes the scale of the matrix 1, and so 6 makes its block's.
TEST(RoundToNvfp4, TheMiddleOfTwoGoesToTheEvenCode) {
  at::Tensor x = Block({2688});
  x.narrow(1, 16, 16).copy_(Block(
      {6, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5, -0.25, -0.75, -1.25, -1.75, -2.5, -3.5, -5, -6},
      16));
  const Rounded rounded = RoundToNvfp4(x);
  EXPECT_THAT(BytesOf(rounded.numbers.narrow(1, 16, 16)),
              ElementsAre(7, 0, 2, 2, 4, 4, 6, 6, 8, 10, 10, 12, 12, 14, 14, 15));
  EXPECT_THAT(DoublesOf(ValuesOfNvfp4(rounded).narrow(1, 16, 16)),
              ElementsAre(6, 0, 1, 1, 2, 2, 4, 4, 0, -1, -1, -2, -2, -4, -4, -6));
}

TEST(RoundToNvfp4, EachCodeHasItsValue) {
  const Rounded rounded = {.numbers = at::arange(16).to(at::kByte).view({1, 16}),
                           .scales = at::tensor({1.F}).view({1, 1}).to(at::kFloat8_e4m3fn),
                           .scale = at::tensor(0.5F)};
  EXPECT_THAT(DoublesOf(ValuesOfNvfp4(rounded)),
              ElementsAre(0, .25, .5, .75, 1, 1.5, 2, 3, 0, -.25, -.5, -.75, -1, -1.5, -2, -3));
}

TEST(RoundToNvfp4, TheSmallestScaleIs2ToTheMinus9) {
  const Rounded zeros = RoundToNvfp4(at::zeros({1, 32}, at::kBFloat16));
  EXPECT_THAT(BytesOf(zeros.scales), ElementsAre(1, 1));
  EXPECT_EQ(ValuesOfNvfp4(zeros).abs().max().item<double>(), 0);
  at::Tensor x = at::zeros({1, 32}, at::kBFloat16);
  x[0][0] = 1;
  x[0][16] = 0x1p-14;  // of the scale that 1 brings, its block's is 2^-14 * 448
  const Rounded small = RoundToNvfp4(x);
  EXPECT_THAT(BytesOf(small.scales), ElementsAre(0x7e, 14));
}

TEST(RoundToNvfp4, NothingThatIsNotFiniteBecomesFinite) {
  for (const float bad : {kInfinity, -kInfinity, kNan}) {
    at::Tensor x = Spread(1, 64);
    x[0][40] = bad;
    EXPECT_FALSE(ValuesOfNvfp4(RoundToNvfp4(x)).isfinite().any().item<bool>()) << bad;
  }
}

TEST(InPairs, TheFirstOfTwoLiesInTheLowBits) {
  const at::Tensor codes = at::tensor({1, 2, 15, 0}).to(at::kByte).view({2, 2});
  EXPECT_THAT(BytesOf(InPairs(codes)), ElementsAre(0x21, 0x0f));
}

// As torch.testing._internal.common_quantized.to_blocked says.
TEST(InTiles, IsTheOrderOfTorch) {
  const at::Tensor scales = at::arange(130 * 5).remainder(251).to(at::kByte).view({130, 5});
  const at::Tensor tiles = InTiles(scales);
  EXPECT_EQ(tiles.sizes(), at::IntArrayRef({256 * 8}));
  EXPECT_EQ(DigestOf(tiles), 0xb7b361d4f3699c17);
  EXPECT_EQ(BytesOf(InTiles(scales.view(at::kFloat8_e8m0fnu))), BytesOf(tiles));
}

TEST(InTiles, RowsOfATileLie16BytesApart) {
  const std::vector<int> tiles =
      BytesOf(InTiles(at::arange(128 * 4).div(4, "floor").to(at::kByte).view({128, 4})));
  for (int row = 0; row < 128; ++row) EXPECT_EQ(tiles[16 * (row % 32) + 4 * (row / 32)], row);
}

}  // namespace
}  // namespace assay::models
