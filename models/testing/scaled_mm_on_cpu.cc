#include "models/testing/scaled_mm_on_cpu.h"

#include <ATen/BlasBackend.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace assay::models {
namespace {

using at::blas::ScalingType;
using at::blas::SwizzleType;

// A sign, two bits of exponent with bias 1, one of fraction. Exponent 0: no leading 1.
float FromE2m1(int code) {
  const int exponent = code >> 1 & 3, fraction = code & 1;
  const float magnitude = exponent == 0
                              ? 0.5F * static_cast<float>(fraction)
                              : std::ldexp(static_cast<float>(2 + fraction), exponent - 2);
  return (code & 8) != 0 ? -magnitude : magnitude;
}

// A sign, four bits of exponent with bias 7, three of fraction. All bits 1: NaN; no infinity.
float FromE4m3(int code) {
  if ((code & 127) == 127) return std::numeric_limits<float>::quiet_NaN();
  const int exponent = code >> 3 & 15, fraction = code & 7;
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(fraction), -9)
                              : std::ldexp(static_cast<float>(8 + fraction), exponent - 10);
  return (code & 128) != 0 ? -magnitude : magnitude;
}

// Eight bits of exponent with bias 127. All bits 1: NaN.
float FromE8m0(int code) {
  return code == 255 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.F, code - 127);
}

// The value of each byte.
std::array<float, 256> Decoded(float (*decode)(int)) {
  std::array<float, 256> values;
  for (int code = 0; code < 256; ++code) values[static_cast<size_t>(code)] = decode(code);
  return values;
}

bool Equals(at::IntArrayRef given, at::IntArrayRef wanted) { return given == wanted; }

// One operand, whose rows are multiplied.
struct Operand {
  Operand(const at::Tensor& rows, at::TensorList scales, at::IntArrayRef recipe,
          at::IntArrayRef swizzle)
      : pairs(rows.scalar_type() == at::kFloat4_e2m1fn_x2),
        count(rows.size(0)),
        length(rows.size(1) * (pairs ? 2 : 1)) {
    constexpr auto kInTiles = static_cast<int64_t>(SwizzleType::SWIZZLE_32_4_4);
    constexpr auto kAsIs = static_cast<int64_t>(SwizzleType::NO_SWIZZLE);
    constexpr auto kBlocksOf16 = static_cast<int64_t>(ScalingType::BlockWise1x16);
    constexpr auto kBlocksOf32 = static_cast<int64_t>(ScalingType::BlockWise1x32);
    constexpr auto kWhole = static_cast<int64_t>(ScalingType::TensorWise);
    TORCH_CHECK_VALUE(pairs || rows.scalar_type() == at::kFloat8_e4m3fn,
                      "elements are float4_e2m1fn_x2 or float8_e4m3fn");
    TORCH_CHECK_VALUE(rows.is_contiguous() && rows.size(1) % 16 == 0,
                      "rows lie behind each other, and have a multiple of 16 bytes");
    TORCH_CHECK_VALUE(
        scales.size() == (pairs ? 2 : 1) &&
            (pairs ? Equals(recipe, {kBlocksOf16, kWhole}) && Equals(swizzle, {kInTiles, kAsIs})
                   : Equals(recipe, {kBlocksOf32}) && Equals(swizzle, {kInTiles})),
        "recipe and swizzle are those of MXFP8 or NVFP4");
    const int64_t in_block = pairs ? 16 : 32, blocks = length / in_block;
    const int64_t tiles_of_row = (blocks + 3) / 4, tiles_of_column = (count + 127) / 128;
    TORCH_CHECK_VALUE(
        scales[0].scalar_type() == (pairs ? at::kFloat8_e4m3fn : at::kFloat8_e8m0fnu) &&
            scales[0].is_contiguous() && scales[0].numel() == 512 * tiles_of_row * tiles_of_column,
        "scales of blocks fill whole tiles");
    const at::Tensor bytes = rows.view(at::kByte), scale_bytes = scales[0].view(at::kByte);
    const auto* const of_row = bytes.const_data_ptr<uint8_t>();
    const auto* const of_scale = scale_bytes.const_data_ptr<uint8_t>();
    const std::array<float, 256> numbers = Decoded(pairs ? FromE2m1 : FromE4m3);
    const std::array<float, 256> factors = Decoded(pairs ? FromE4m3 : FromE8m0);
    values = at::empty({count, length}, at::kFloat);
    auto* value = values.mutable_data_ptr<float>();
    for (int64_t r = 0; r < count; ++r) {
      for (int64_t i = 0; i < length; ++i) {
        const int64_t at = r * length + i, block = i / in_block;
        const auto number =
            static_cast<uint8_t>(pairs ? of_row[at / 2] >> (at % 2 == 0 ? 0 : 4) & 15 : of_row[at]);
        // cuBLAS, "1D block scaling factors layout": outer is the row in the tile, inner the block.
        const int64_t tile = r / 128 * tiles_of_row + block / 4, outer = r % 128, inner = block % 4;
        const uint8_t factor = of_scale[512 * tile + outer % 32 * 16 + outer / 32 * 4 + inner];
        *value++ = numbers[number] * factors[factor];
      }
    }
    if (!pairs) return;
    TORCH_CHECK_VALUE(scales[1].scalar_type() == at::kFloat && scales[1].numel() == 1,
                      "the scale of the whole is one float32");
    scale = scales[1].item<float>();
  }

  const bool pairs;  // of elements are a byte
  const int64_t count, length;
  at::Tensor values;  // (count, length), float32, which holds each product of a number and a scale
  float scale = 1;    // of the whole
};

at::Tensor Multiply(const at::Tensor& a, const at::Tensor& b, at::TensorList scale_a,
                    at::IntArrayRef recipe_a, at::IntArrayRef swizzle_a, at::TensorList scale_b,
                    at::IntArrayRef recipe_b, at::IntArrayRef swizzle_b,
                    const std::optional<at::Tensor>& bias, std::optional<at::ScalarType> dtype,
                    at::IntArrayRef contraction, bool fast) {
  TORCH_CHECK_VALUE(contraction.empty() && !fast,
                    "contraction_dim and use_fast_accum are not here");
  const Operand left(a, scale_a, recipe_a, swizzle_a), right(b.t(), scale_b, recipe_b, swizzle_b);
  TORCH_CHECK_VALUE(left.pairs == right.pairs && left.length == right.length,
                    "both operands have the same elements, and as many in a row");
  TORCH_CHECK_VALUE(right.count % 16 == 0, "the result has a multiple of 16 columns");
  at::Tensor product = at::mm(left.values, right.values.t()).mul_(left.scale * right.scale);
  if (bias) product.add_(bias->to(at::kFloat));
  return product.to(dtype.value());
}

}  // namespace

ScaledMmOnCpu::ScaledMmOnCpu()
    : library_(std::make_unique<torch::Library>(torch::Library::IMPL, "aten", c10::DispatchKey::CPU,
                                                __FILE__, __LINE__)) {
  library_->impl("_scaled_mm_v2", &Multiply);
}

ScaledMmOnCpu::~ScaledMmOnCpu() = default;

}  // namespace assay::models
