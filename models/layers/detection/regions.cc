#include "models/layers/detection/regions.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/zeros.h>

#include "models/layers/detection/detection_rows.h"
#include "models/layers/detection/region_operators.h"

namespace assay::models {
namespace {

constexpr double kOneMapStride = 16;
constexpr int64_t kFinest = 2, kCoarsest = 5;  // levels of a pyramid: strides are 2^level
constexpr int64_t kCanonicalLevel = 4,
                  kCanonicalSide = 224;  // a region of this side has this level
constexpr int64_t kSamples = 2;          // a side in a cell, of a pyramid

}  // namespace

RegionRows RegionsOf(const at::Tensor& rows) {
  const at::Tensor places = rows.select(2, 0).flatten().ge(0).nonzero().squeeze(1);
  const at::Tensor boxes = rows.narrow(2, 2, 4).reshape({-1, 4}).index_select(0, places);
  const at::Tensor images = places.div(rows.size(1), "floor").to(boxes.scalar_type());
  return {places, at::concat({images.unsqueeze(1), boxes}, 1)};
}

at::Tensor PooledRegions(const std::vector<at::Tensor>& levels, const at::Tensor& numbered,
                         int64_t cells) {
  const auto dtype = levels[0].scalar_type();
  const auto pooled = [&](const at::Tensor& level, const at::Tensor& regions, double stride,
                          int64_t samples) {
    return RoiAlign(InFloats(level), regions, 1 / stride, cells, cells, samples, /*aligned=*/false)
        .to(dtype);
  };
  if (levels.size() == 1) return pooled(levels[0], numbered, kOneMapStride, /*samples=*/0);
  const at::Tensor areas = (numbered.narrow(1, 3, 2) - numbered.narrow(1, 1, 2)).prod(1);
  const at::Tensor level = (kCanonicalLevel + (areas.sqrt() / kCanonicalSide).log2() + 1e-6)
                               .floor()
                               .clamp(kFinest, kCoarsest);
  at::Tensor all =
      at::zeros({numbered.size(0), levels[0].size(1), cells, cells}, levels[0].options());
  for (int64_t i = kFinest; i <= kCoarsest; ++i) {
    const at::Tensor here = level.eq(i).nonzero().squeeze(1);
    all.index_copy_(0, here,
                    pooled(levels[i - kFinest], numbered.index_select(0, here),
                           static_cast<double>(1 << i), kSamples));
  }
  return all;
}

}  // namespace assay::models
