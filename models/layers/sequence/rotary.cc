#include "models/layers/sequence/rotary.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/where.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace assay::models {
namespace {

// From https://arxiv.org/abs/2309.00071. A frequency with more rotations than the first, within the
// first training's positions, is kept. One with fewer than the second is divided.
constexpr double kFastRotations = 32, kSlowRotations = 1;

at::Tensor Llama3(const at::Tensor& frequencies, const RotaryOptions& options) {
  const auto original = static_cast<double>(options.original_positions);
  const double low = options.low_frequency_factor, high = options.high_frequency_factor;
  const at::Tensor wavelengths = frequencies.reciprocal() * (2 * std::numbers::pi);
  const at::Tensor is_long = wavelengths > original / low;
  const at::Tensor kept = at::where(is_long, frequencies / options.factor, frequencies);
  const at::Tensor smooth = (wavelengths.reciprocal() * original - low) / (high - low);
  const at::Tensor between = (1 - smooth) * kept / options.factor + smooth * kept;
  const at::Tensor is_between = is_long.logical_or(wavelengths < original / high).logical_not();
  return at::where(is_between, between, kept);
}

// Without rounding the ends of the ramp to whole features, as gpt-oss has it.
at::Tensor Yarn(const at::Tensor& powers, const RotaryOptions& options) {
  const auto features = static_cast<double>(options.features);
  const auto feature_of = [&](double rotations) {
    return features *
           std::log(static_cast<double>(options.original_positions) /
                    (rotations * 2 * std::numbers::pi)) /
           (2 * std::log(options.theta));
  };
  const double low = std::max(feature_of(kFastRotations), 0.0);
  const double high = std::min(feature_of(kSlowRotations), features - 1);
  const at::Tensor ramp =
      ((at::arange(options.features / 2, at::kFloat) - low) / (high - low)).clamp(0, 1);
  const at::Tensor kept = 1 - ramp;
  return (powers * options.factor).reciprocal() * (1 - kept) + powers.reciprocal() * kept;
}

at::Tensor Frequencies(const RotaryOptions& options) {
  const auto features = static_cast<double>(options.features);
  const at::Tensor exponents = at::arange(0, options.features, 2, at::kFloat) / features;
  // Rounded once: float32's own pow differs in the last bit between processors with AVX2 and AVX-512.
  const at::Tensor powers = at::pow(options.theta, exponents.to(at::kDouble)).to(at::kFloat);
  if (options.scaling == "yarn") return Yarn(powers, options);
  const at::Tensor frequencies = powers.reciprocal();
  if (options.scaling == "llama3") return Llama3(frequencies, options);
  return options.scaling == "linear" ? frequencies / options.factor : frequencies;
}

}  // namespace

Rotary::Rotary(Layer& parent, const RotaryOptions& options)
    : Layer(parent, "rotary_emb"), positions_(options.positions) {
  AddConstant(Frequencies(options), frequencies_, /*keeps_dtype=*/true);
  if (options.scaling == "yarn" && options.factor > 1)
    magnitude_ = 0.1 * std::log(options.factor) + 1;
}

at::Tensor Rotary::Positions(const CachePlace& place, int64_t count) const {
  const int64_t first = place.position;
  TORCH_CHECK(positions_ == 0 || first + count <= positions_, "positions ", first, " to ",
              first + count - 1, " are beyond the ", positions_, " that the model has");
  if (place.rows.defined()) return place.rows.unsqueeze(1);
  return at::arange(first, first + count, frequencies_.options().dtype(at::kLong));
}

Rotary::Turn Rotary::At(const at::Tensor& positions, at::ScalarType dtype) const {
  const at::ScalarType wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
  const at::Tensor angles =
      (positions.to(wide).unsqueeze(-1) * frequencies_.to(wide)).unsqueeze(-2);
  at::Tensor cosine = angles.cos(), sine = angles.sin();
  if (magnitude_ != 1) {
    cosine.mul_(magnitude_);
    sine.mul_(magnitude_);
  }
  return {cosine.to(dtype), sine.to(dtype)};
}

at::Tensor Rotate(const at::Tensor& x, const Rotary::Turn& turn) {
  const std::vector<at::Tensor> halves = x.chunk(2, -1);
  const at::Tensor &a = halves[0], &b = halves[1];
  return at::cat(
      {(a * turn.cosine).addcmul_(b, turn.sine, -1), (b * turn.cosine).addcmul_(a, turn.sine)}, -1);
}

}  // namespace assay::models
