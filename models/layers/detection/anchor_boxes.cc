#include "models/layers/detection/anchor_boxes.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/meshgrid.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <tuple>

namespace assay::models {
namespace {

// Larger ratios of sizes would overflow.
const double kLargestSizeCode = std::log(1000.0 / 16);

// Centres (K, 2) and sizes (K, 2).
std::tuple<at::Tensor, at::Tensor> CentresAndSizes(const at::Tensor& boxes) {
  const at::Tensor low = boxes.narrow(1, 0, 2), size = boxes.narrow(1, 2, 2) - low;
  return {low + 0.5 * size, size};
}

at::Tensor Areas(const at::Tensor& boxes) {
  return (boxes.narrow(1, 2, 2) - boxes.narrow(1, 0, 2)).prod(1);
}

}  // namespace

at::Tensor GridAnchors(const CellAnchors& cell, int64_t rows, int64_t columns, int64_t row_stride,
                       int64_t column_stride, const at::Tensor& like) {
  std::vector<double> edges;
  for (const double ratio : cell.ratios) {
    // float32, as there: the half of a size then rounds to the same whole number.
    const float height = std::sqrt(static_cast<float>(ratio)), width = 1 / height;
    for (const int64_t size : cell.sizes) {
      const double x = std::nearbyint(width * static_cast<float>(size) / 2);
      const double y = std::nearbyint(height * static_cast<float>(size) / 2);
      edges.insert(edges.end(), {-x, -y, x, y});
    }
  }
  return BoxesOfGrid(edges, rows, columns, row_stride, column_stride, like.options());
}

at::Tensor BoxesOfGrid(const std::vector<double>& of_cell, int64_t rows, int64_t columns,
                       int64_t row_stride, int64_t column_stride,
                       const at::TensorOptions& options) {
  const std::vector<at::Tensor> shifts = at::meshgrid(
      {at::arange(rows, options) * row_stride, at::arange(columns, options) * column_stride}, "ij");
  const at::Tensor y = shifts[0].flatten(), x = shifts[1].flatten();
  return (at::stack({x, y, x, y}, 1).view({-1, 1, 4}) +
          at::tensor(of_cell, options).view({1, -1, 4}))
      .view({-1, 4});
}

at::Tensor DecodedBoxes(const at::Tensor& codes, const at::Tensor& anchors,
                        const CodeWeights& weights) {
  const auto [centres, sizes] = CentresAndSizes(anchors);
  const at::Tensor centre = codes.narrow(1, 0, 2) / weights.shift * sizes + centres;
  const at::Tensor half =
      0.5 * ((codes.narrow(1, 2, 2) / weights.size).clamp_max(kLargestSizeCode).exp() * sizes);
  return at::concat({centre - half, centre + half}, 1);
}

at::Tensor EncodedBoxes(const at::Tensor& boxes, const at::Tensor& anchors,
                        const CodeWeights& weights) {
  const auto [centres, sizes] = CentresAndSizes(anchors);
  const auto [box_centres, box_sizes] = CentresAndSizes(boxes);
  return at::concat(
      {weights.shift * (box_centres - centres) / sizes, weights.size * (box_sizes / sizes).log()},
      1);
}

at::Tensor ClippedBoxes(const at::Tensor& boxes, int64_t height, int64_t width) {
  const std::vector<at::Tensor> edges = boxes.unbind(-1);
  return at::stack({at::clamp(edges[0], 0, width), at::clamp(edges[1], 0, height),
                    at::clamp(edges[2], 0, width), at::clamp(edges[3], 0, height)},
                   -1);
}

at::Tensor PairwiseIou(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor of_a = a.unsqueeze(1);  // (M, 1, 4)
  const at::Tensor low = at::maximum(of_a.narrow(2, 0, 2), b.narrow(1, 0, 2));
  const at::Tensor high = at::minimum(of_a.narrow(2, 2, 2), b.narrow(1, 2, 2));
  const at::Tensor both = (high - low).clamp_min(0).prod(2);
  return both / (Areas(a).unsqueeze(1) + Areas(b) - both);
}

at::Tensor MatchedObjects(const at::Tensor& objects, const at::Tensor& anchors, double high,
                          double low, bool each_object) {
  TORCH_CHECK_VALUE(objects.size(0) > 0,
                    "an image has no object; a detector learns from images with one at least");
  const at::Tensor quality = PairwiseIou(objects, anchors);
  const auto [best, nearest] = quality.max(0);
  at::Tensor matched =
      nearest.masked_fill(best < high, kBetween).masked_fill(best < low, kBackground);
  if (!each_object) return matched;
  const at::Tensor is_best = (quality == std::get<0>(quality.max(1, /*keepdim=*/true))).any(0);
  return at::where(is_best, nearest, matched);
}

}  // namespace assay::models
