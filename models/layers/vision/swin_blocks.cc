#include "models/layers/vision/swin_blocks.h"

#include <ATen/ops/concat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/zeros.h>

namespace assay::models {
namespace {

constexpr double kOtherWindow = -100;

}  // namespace

at::Tensor SwinStretches(int64_t length, int64_t window, int64_t shift,
                         const at::TensorOptions& options) {
  at::Tensor numbers = at::zeros({length}, options);
  if (shift == 0) return numbers;
  numbers.narrow(0, length - window, window).fill_(1);
  numbers.narrow(0, length - shift, shift).fill_(2);
  return numbers;
}

at::Tensor SwinShiftMask(const at::Tensor& regions) {
  const at::Tensor differs = regions.unsqueeze(1).ne(regions.unsqueeze(2));
  return differs.to(regions.scalar_type()).mul_(kOtherWindow).unsqueeze(1);
}

SwinPatchMerging::SwinPatchMerging(Layer& parent, std::string name, int64_t features,
                                   bool norm_behind)
    : Layer(parent, std::move(name)),
      norm_behind_(norm_behind),
      reduction_(*this, "reduction", {.in = 4 * features, .out = 2 * features, .bias = false}),
      norm_(*this, "norm", {.features = (norm_behind ? 2 : 4) * features}) {}

at::Tensor SwinPatchMerging::Forward(const at::Tensor& x) const {
  const int64_t below = x.size(-3) % 2, right = x.size(-2) % 2;
  at::Tensor y = below + right > 0 ? at::constant_pad_nd(x, {0, 0, 0, right, 0, below}) : x;
  const auto every_other = [&y](int64_t row, int64_t column) {
    return y.slice(-3, row, y.size(-3), 2).slice(-2, column, y.size(-2), 2);
  };
  y = at::concat({every_other(0, 0), every_other(1, 0), every_other(0, 1), every_other(1, 1)}, -1);
  return norm_behind_ ? norm_.Forward(reduction_.Forward(y)) : reduction_.Forward(norm_.Forward(y));
}

}  // namespace assay::models
