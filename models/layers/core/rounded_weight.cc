#include "models/layers/core/rounded_weight.h"

#include <ATen/BlasBackend.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/_convert_weight_to_int4pack_for_cpu.h>
#include <ATen/ops/_make_per_tensor_quantized_tensor.h>
#include <ATen/ops/_scaled_mm.h>
#include <ATen/ops/_scaled_mm_v2.h>
#include <ATen/ops/_weight_int4pack_mm_for_cpu.h>
#include <ATen/ops/_weight_int8pack_mm.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "defs/case/lowerings.h"
#include "models/layers/core/block_scaled.h"
#include "models/layers/core/operator_by_name.h"

namespace assay::models {
namespace {

constexpr double kSmallestScale = 1e-30;  // of a row of zeros

ReadInput AsIs(const at::Tensor& x) { return {x.to(at::kDouble)}; }

at::Tensor WithBias(const at::Tensor& y, const at::Tensor& bias) {
  return bias.defined() ? y + bias : y;
}

// int8_dynamic

bool FitsAlways(at::IntArrayRef /*shape*/) { return true; }

// As torch.ao's MinMaxObserver for symmetric 8 bits.
Rounded RoundToInt8(const at::Tensor& weight) {
  constexpr double kSteps = 127.5, kSmallest = 1.1920928955078125e-07;
  const double scale = std::max(weight.abs().max().item<double>() / kSteps, kSmallest);
  return {at::quantize_per_tensor(weight, scale, 0, at::kQInt8).int_repr(),
          at::scalar_tensor(scale, weight.options().dtype(at::kDouble))};
}

at::Tensor TimesScale(const Rounded& rounded) {
  return rounded.numbers.to(at::kDouble).mul(rounded.scales.to(at::kDouble));
}

// To 7 bits, so that sums of two products fit 16: 128 steps of the input's range, in which 0 lies.
ReadInput ReadAs7Bits(const at::Tensor& x) {
  constexpr double kSteps = 127;
  const double low = std::min(x.min().item<double>(), 0.0);
  const double high = std::max(x.max().item<double>(), 0.0);
  const double step = high > low ? (high - low) / kSteps : 1;
  constexpr double kUnsure = 1e-4;  // steps; kernels divide in float32, and some add the zero there
  const at::Tensor steps = x.to(at::kDouble).div_(step);
  const at::Tensor middle = steps.sub(steps.floor()).sub_(0.5).abs_().lt(kUnsure);
  const double zero = std::nearbyint(-low / step);
  return {steps.round().clamp_(-zero, kSteps - zero).mul_(step), middle.to(at::kDouble).mul_(step)};
}

Packed PackForLinearDynamic(const Rounded& rounded, const at::Tensor& bias) {
  const at::Tensor quantized = at::_make_per_tensor_quantized_tensor(
      rounded.numbers, rounded.scales.item<double>(), /*zero_point=*/0);
  return {.numbers = rounded.numbers,
          .operand = std::make_shared<const c10::IValue>(
              CallByName("quantized::linear_prepack", "",
                         {quantized, bias.defined() ? c10::IValue(bias) : c10::IValue()}))};
}

at::Tensor MultiplyDynamic(const at::Tensor& x, const Packed& packed, const at::Tensor& /*bias*/) {
  constexpr bool kReduceRange = true;
  return CallByName("quantized::linear_dynamic", "", {x, *packed.operand, kReduceRange}).toTensor();
}

// int8_weights

bool FitsInt8Pack(at::IntArrayRef shape) { return shape[1] % 16 == 0; }

// The kernel reads scales in the weight's dtype, so the steps are counted by those.
Rounded RoundRowsToInt8(const at::Tensor& weight) {
  constexpr double kSteps = 127;
  const at::Tensor wide = weight.to(at::kFloat);
  const at::Tensor scales =
      wide.abs().amax(1).div(kSteps).clamp_min(kSmallestScale).to(weight.scalar_type());
  return {wide.div(scales.to(at::kFloat).unsqueeze(1)).round().clamp(-kSteps, kSteps).to(at::kChar),
          scales};
}

at::Tensor TimesRowScales(const Rounded& rounded) {
  return rounded.numbers.to(at::kDouble).mul(rounded.scales.to(at::kDouble).unsqueeze(1));
}

Packed KeepContiguous(const Rounded& rounded, const at::Tensor& /*bias*/) {
  return {.numbers = rounded.numbers.contiguous(), .scales = rounded.scales};
}

at::Tensor MultiplyInt8(const at::Tensor& x, const Packed& packed, const at::Tensor& bias) {
  return WithBias(at::_weight_int8pack_mm(x, packed.numbers, packed.scales), bias);
}

// int4_weights

bool FitsInt4Pack(at::IntArrayRef shape) { return shape[0] % 16 == 0 && shape[1] % 32 == 0; }

int64_t GroupOf(int64_t in) { return in % 128 == 0 ? 128 : in % 64 == 0 ? 64 : 32; }

constexpr double kMiddle = 8;  // of the integers 0 to 15

// The 16 values of a group lie evenly between its smallest and its largest element.
Rounded RoundGroupsToInt4(const at::Tensor& weight) {
  constexpr double kSteps = 15, kSmallest = 1e-6;
  const int64_t out = weight.size(0), in = weight.size(1);
  const at::Tensor groups = weight.to(at::kFloat).view({out, -1, GroupOf(in)});
  const at::Tensor low = groups.amin(2);
  const at::Tensor scale = groups.amax(2).sub(low).div(kSteps).clamp_min(kSmallest);
  // The kernel reads both in the weight's dtype, so the steps are counted by those.
  const at::Tensor pairs = at::stack({scale, low.add(scale * kMiddle)}, 2).to(weight.scalar_type());
  const at::Tensor read = pairs.to(at::kFloat);
  const at::Tensor numbers = groups.sub(read.select(2, 1).unsqueeze(2))
                                 .div_(read.select(2, 0).unsqueeze(2))
                                 .add_(kMiddle)
                                 .round_()
                                 .clamp_(0, kSteps);
  return {numbers.view({out, in}).to(at::kChar), pairs.transpose(0, 1).contiguous()};
}

at::Tensor TimesGroupScales(const Rounded& rounded) {
  const int64_t out = rounded.numbers.size(0), in = rounded.numbers.size(1);
  const at::Tensor pairs = rounded.scales.to(at::kDouble).transpose(0, 1).unsqueeze(3);
  const at::Tensor groups = rounded.numbers.to(at::kDouble).view({out, pairs.size(1), -1});
  return groups.sub(kMiddle).mul_(pairs.select(2, 0)).add_(pairs.select(2, 1)).view({out, in});
}

Packed PackInt4(const Rounded& rounded, const at::Tensor& /*bias*/) {
  constexpr int64_t kInnerTiles = 2;  // the kernel for the CPU has one layout, whatever this is
  return {
      .numbers = at::_convert_weight_to_int4pack_for_cpu(rounded.numbers.to(at::kInt), kInnerTiles),
      .scales = rounded.scales};
}

at::Tensor MultiplyInt4(const at::Tensor& x, const Packed& packed, const at::Tensor& bias) {
  return WithBias(at::_weight_int4pack_mm_for_cpu(x, packed.numbers,
                                                  x.size(1) / packed.scales.size(0), packed.scales),
                  bias);
}

// fp8_dynamic

bool FitsScaledMm(at::IntArrayRef shape) { return shape[0] % 16 == 0 && shape[1] % 16 == 0; }

// With a float32 scalar by which the numbers are to be multiplied.
Rounded RoundToFp8(const at::Tensor& x) {
  constexpr double kLargest = 448;  // of float8_e4m3fn
  const at::Tensor wide = x.to(at::kFloat);
  const at::Tensor scale = wide.abs().max().div(kLargest).clamp_min(kSmallestScale);
  return {wide.div(scale).clamp_(-kLargest, kLargest).to(at::kFloat8_e4m3fn), scale};
}

ReadInput ReadAsFp8(const at::Tensor& x) { return {TimesScale(RoundToFp8(x))}; }

// The state has bytes, since few operators know float8_e4m3fn.
Packed PackFp8(const Rounded& rounded, const at::Tensor& /*bias*/) {
  return {.numbers = rounded.numbers.contiguous().view(at::kByte), .scales = rounded.scales};
}

std::optional<at::Tensor> IfDefined(const at::Tensor& bias) {
  return bias.defined() ? std::optional(bias) : std::nullopt;
}

at::Tensor MultiplyFp8(const at::Tensor& x, const Packed& packed, const at::Tensor& bias) {
  const Rounded rounded = RoundToFp8(x);
  return at::_scaled_mm(rounded.numbers, packed.numbers.view(at::kFloat8_e4m3fn).t(),
                        rounded.scales, packed.scales, IfDefined(bias), std::nullopt,
                        x.scalar_type());
}

// mxfp8_dynamic, nvfp4_dynamic

// Rows of the kernel's operands have a multiple of 16 bytes, and two elements of float4 share one.
bool FitsBlocks(at::IntArrayRef shape) { return shape[0] % 16 == 0 && shape[1] % 32 == 0; }

constexpr auto kBlocksOf32 = static_cast<int64_t>(at::blas::ScalingType::BlockWise1x32);
constexpr auto kBlocksOf16 = static_cast<int64_t>(at::blas::ScalingType::BlockWise1x16);
constexpr auto kWhole = static_cast<int64_t>(at::blas::ScalingType::TensorWise);
constexpr auto kInTiles = static_cast<int64_t>(at::blas::SwizzleType::SWIZZLE_32_4_4);
constexpr auto kAsIs = static_cast<int64_t>(at::blas::SwizzleType::NO_SWIZZLE);

ReadInput ReadAsMxfp8(const at::Tensor& x) { return {ValuesOfMxfp8(RoundToMxfp8(x))}; }

Packed PackMxfp8(const Rounded& rounded, const at::Tensor& /*bias*/) {
  return {.numbers = rounded.numbers.view(at::kByte),
          .scales = InTiles(rounded.scales).view(at::kByte)};
}

at::Tensor MultiplyMxfp8(const at::Tensor& x, const Packed& packed, const at::Tensor& bias) {
  const Rounded rounded = RoundToMxfp8(x);
  return at::_scaled_mm_v2(rounded.numbers, packed.numbers.view(at::kFloat8_e4m3fn).t(),
                           {InTiles(rounded.scales)}, {kBlocksOf32}, {kInTiles},
                           {packed.scales.view(at::kFloat8_e8m0fnu)}, {kBlocksOf32}, {kInTiles},
                           IfDefined(bias), x.scalar_type());
}

ReadInput ReadAsNvfp4(const at::Tensor& x) { return {ValuesOfNvfp4(RoundToNvfp4(x))}; }

Packed PackNvfp4(const Rounded& rounded, const at::Tensor& /*bias*/) {
  return {.numbers = InPairs(rounded.numbers),
          .scales = InTiles(rounded.scales).view(at::kByte),
          .scale = rounded.scale.clone()};
}

at::Tensor MultiplyNvfp4(const at::Tensor& x, const Packed& packed, const at::Tensor& bias) {
  const Rounded rounded = RoundToNvfp4(x);
  return at::_scaled_mm_v2(
      InPairs(rounded.numbers).view(at::kFloat4_e2m1fn_x2),
      packed.numbers.view(at::kFloat4_e2m1fn_x2).t(), {InTiles(rounded.scales), rounded.scale},
      {kBlocksOf16, kWhole}, {kInTiles, kAsIs},
      {packed.scales.view(at::kFloat8_e4m3fn), packed.scale}, {kBlocksOf16, kWhole},
      {kInTiles, kAsIs}, IfDefined(bias), x.scalar_type());
}

constexpr WeightRounding kTable[] = {
    {lowerings::kInt8Dynamic, "weight_int8", FitsAlways, RoundToInt8, TimesScale, ReadAs7Bits,
     PackForLinearDynamic, MultiplyDynamic},
    {lowerings::kInt8Weights, "weight_int8", FitsInt8Pack, RoundRowsToInt8, TimesRowScales, AsIs,
     KeepContiguous, MultiplyInt8},
    {lowerings::kInt4Weights, "weight_int4", FitsInt4Pack, RoundGroupsToInt4, TimesGroupScales,
     AsIs, PackInt4, MultiplyInt4},
    {lowerings::kFp8Dynamic, "weight_fp8", FitsScaledMm, RoundToFp8, TimesScale, ReadAsFp8, PackFp8,
     MultiplyFp8},
    {lowerings::kMxfp8Dynamic, "weight_mxfp8", FitsBlocks, RoundToMxfp8, ValuesOfMxfp8, ReadAsMxfp8,
     PackMxfp8, MultiplyMxfp8},
    {lowerings::kNvfp4Dynamic, "weight_nvfp4", FitsBlocks, RoundToNvfp4, ValuesOfNvfp4, ReadAsNvfp4,
     PackNvfp4, MultiplyNvfp4},
};

}  // namespace

const WeightRounding* FindWeightRounding(std::string_view lowering) {
  for (const WeightRounding& rounding : kTable) {
    if (rounding.lowering == lowering) return &rounding;
  }
  return nullptr;
}

}  // namespace assay::models
