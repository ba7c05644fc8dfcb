#include "models/layers/core/block_scaled.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/frexp.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/tensor.h>

#include <cstdint>

namespace assay::models {
namespace {

constexpr double kLargestE4m3 = 448, kSmallestE4m3 = 0x1p-9;
constexpr double kLargestE2m1 = 6;

// (rows, in) -> (rows, blocks, size), float32.
at::Tensor BlocksOf(const at::Tensor& x, int64_t size) {
  return x.to(at::kFloat).view({x.size(0), -1, size});
}

// numbers (rows, in), float64; scales (rows, blocks).
at::Tensor TimesBlockScales(const at::Tensor& numbers, const at::Tensor& scales) {
  const at::Tensor wide = scales.to(at::kFloat).to(at::kDouble).unsqueeze(2);
  return numbers.view({scales.size(0), scales.size(1), -1}).mul(wide).view(numbers.sizes());
}

// 0, 0.5, 1, 1.5, 2, 3, 4 and 6 have the codes 0 to 7; negative ones have 8 more. Steps are 0.5 up to
// 2, 1 up to 4, and 2 from there; the middle of two goes to the even code.
at::Tensor CodesOfE2m1(const at::Tensor& x) {
  constexpr int kNegative = 8;
  const at::Tensor magnitude = x.abs();
  const at::Tensor by_halves = magnitude.mul(2).round_();
  const at::Tensor by_ones = magnitude.round().add_(2);
  const at::Tensor by_twos = magnitude.div(2).round_().add_(4);
  return at::minimum(at::minimum(by_halves, by_ones), by_twos)
      .add_(x.signbit().mul(kNegative))
      .to(at::kByte);
}

}  // namespace

Rounded RoundToMxfp8(const at::Tensor& x) {
  constexpr int kBias = 127, kNan = 255;  // of float8_e8m0fnu
  constexpr double kFraction = 0.875;     // 448 = kFraction * 2^kExponent
  constexpr int kExponent = 9;
  const at::Tensor blocks = BlocksOf(x, 32);
  const at::Tensor most = blocks.abs().amax(2, /*keepdim=*/true);
  const auto [fraction, exponent] = at::frexp(most);  // 0.5 <= fraction < 1
  const at::Tensor scales = exponent.add(fraction.gt(kFraction))
                                .add_(kBias - kExponent)
                                .clamp_min_(0)
                                .masked_fill_(most.eq(0), 0)
                                .masked_fill_(most.isfinite().logical_not_(), kNan)
                                .to(at::kByte)
                                .view(at::kFloat8_e8m0fnu);
  return {.numbers = blocks.div(scales.to(at::kFloat)).to(at::kFloat8_e4m3fn).view(x.sizes()),
          .scales = scales.squeeze(2)};
}

Rounded RoundToNvfp4(const at::Tensor& x) {
  constexpr double kSmallestScale = 1e-30;  // of a matrix of zeros
  const at::Tensor blocks = BlocksOf(x, 16);
  const at::Tensor most = blocks.abs().amax(2, /*keepdim=*/true);
  const at::Tensor scale = most.max().div(kLargestE2m1 * kLargestE4m3).clamp_min_(kSmallestScale);
  const at::Tensor scales =
      most.div(kLargestE2m1).div_(scale).clamp_(kSmallestE4m3, kLargestE4m3).to(at::kFloat8_e4m3fn);
  // As torchao and NVIDIA's kernels do, whose products may lie on the other side of a middle than quotients.
  const at::Tensor factors = scale.reciprocal().div(scales.to(at::kFloat));
  const at::Tensor steps = blocks.mul(factors).clamp_(-kLargestE2m1, kLargestE2m1);
  return {
      .numbers = CodesOfE2m1(steps).view(x.sizes()), .scales = scales.squeeze(2), .scale = scale};
}

at::Tensor ValuesOfMxfp8(const Rounded& rounded) {
  return TimesBlockScales(rounded.numbers.to(at::kDouble), rounded.scales);
}

at::Tensor ValuesOfNvfp4(const Rounded& rounded) {
  const at::Tensor of_codes =
      at::tensor({0., .5, 1., 1.5, 2., 3., 4., 6., -0., -.5, -1., -1.5, -2., -3., -4., -6.},
                 at::TensorOptions(at::kDouble).device(rounded.numbers.device()));
  const at::Tensor numbers = of_codes.index_select(0, rounded.numbers.to(at::kInt).view({-1}));
  return TimesBlockScales(numbers.view(rounded.numbers.sizes()), rounded.scales)
      .mul_(rounded.scale.to(at::kDouble));
}

at::Tensor InPairs(const at::Tensor& codes) {
  constexpr int kHigh = 16;
  const at::Tensor pairs = codes.view({codes.size(0), -1, 2});
  return pairs.select(2, 0).add(pairs.select(2, 1), kHigh);
}

at::Tensor InTiles(const at::Tensor& scales) {
  constexpr int64_t kGroups = 4, kRowsOfGroup = 32, kBlocks = 4, kRows = kGroups * kRowsOfGroup;
  const auto missing = [](int64_t size, int64_t tile) { return (tile - size % tile) % tile; };
  const at::Tensor whole =
      at::constant_pad_nd(scales.view(at::kByte),
                          {0, missing(scales.size(1), kBlocks), 0, missing(scales.size(0), kRows)});
  return whole.view({-1, kGroups, kRowsOfGroup, whole.size(1) / kBlocks, kBlocks})
      .permute({0, 3, 2, 1, 4})
      .reshape({-1})
      .view(scales.scalar_type());
}

}  // namespace assay::models
