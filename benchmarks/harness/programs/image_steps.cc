#include "benchmarks/harness/programs/image_steps.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_upsample_bicubic2d_aa.h>
#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/upsample_nearest2d.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace assay::execution {
namespace {

constexpr int64_t kTop = 5;
constexpr double kWhite = 255;

// One number for each colour, to be broadcast over (N, 3, height, width).
template <typename Numbers>
at::Tensor ByColour(const Numbers& numbers, const at::Tensor& like) {
  return at::tensor(std::vector<double>(numbers.begin(), numbers.end()),
                    like.options().dtype(at::kFloat))
      .view({-1, 1, 1});
}

// Resizes in float32, as torchvision does, and clamps bicubic's overshoot.
at::Tensor Resized(const at::Tensor& photographs, const ImagePreset& preset, int64_t shorter) {
  const int64_t height = photographs.size(2), width = photographs.size(3);
  const int64_t longer = shorter * std::max(height, width) / std::min(height, width);
  const std::vector<int64_t> size = height <= width ? std::vector<int64_t>{shorter, longer}
                                                    : std::vector<int64_t>{longer, shorter};
  if (size == std::vector<int64_t>{height, width}) return photographs;
  const at::Tensor floats = photographs.to(at::kFloat);
  const at::Tensor resized =
      preset.interpolation() == BICUBIC
          ? at::_upsample_bicubic2d_aa(floats, size, /*align_corners=*/false).clamp_(0, kWhite)
          : at::_upsample_bilinear2d_aa(floats, size, /*align_corners=*/false);
  return resized.round().to(at::kByte);
}

at::Tensor CentreOf(const at::Tensor& images, int64_t side) {
  const auto begin = [side](int64_t size) { return std::lrint((size - side) / 2.0); };
  return images.narrow(2, begin(images.size(2)), side).narrow(3, begin(images.size(3)), side);
}

}  // namespace

at::Tensor PhotographsOf(const at::Tensor& images, const ImagePreset& preset) {
  const at::Tensor floats = images.to(at::kFloat);
  const at::Tensor lit = floats * ByColour(preset.std(), floats) + ByColour(preset.mean(), floats);
  return at::upsample_nearest2d(lit.contiguous(), {kPhotographHeight, kPhotographWidth})
      .mul_(kWhite)
      .round_()
      .clamp_(0, kWhite)
      .to(at::kByte);
}

at::Tensor Preprocess(const at::Tensor& photographs, const ImagePreset& preset, int64_t side,
                      at::ScalarType dtype) {
  const int64_t shorter = preset.resize() * side / preset.crop();
  const at::Tensor bytes = CentreOf(Resized(photographs, preset, shorter), side);
  const at::Tensor images = bytes.to(at::kFloat).contiguous().div_(kWhite);
  return images.sub(ByColour(preset.mean(), images)).div_(ByColour(preset.std(), images)).to(dtype);
}

TopClasses Postprocess(const at::Tensor& logits) {
  const bool is_small = logits.element_size() < static_cast<int64_t>(sizeof(float));
  const at::Tensor probabilities = (is_small ? logits.to(at::kFloat) : logits).softmax(-1);
  TopClasses top;
  std::tie(top.probabilities, top.classes) =
      at::topk(probabilities, std::min(kTop, probabilities.size(-1)));
  return top;
}

}  // namespace assay::execution
