#include "models/layers/detection/regions.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include "models/layers/detection/detection_rows.h"
#include "models/layers/detection/roi_align.h"

namespace assay::models {
namespace {

constexpr double kOneMapStride = 16;
constexpr int64_t kFinest = 2, kCoarsest = 5;  // levels of a pyramid: strides are 2^level
constexpr int64_t kCanonicalLevel = 4,
                  kCanonicalSide = 224;  // a region of this side has this level
constexpr int64_t kSamples = 2;          // a side in a cell, of a pyramid
constexpr double kRegionNms = 0.5, kScoreThreshold = 0.05;
constexpr double kLeastBox = 1e-2;  // pixels a side

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

at::Tensor OfLabels(const at::Tensor& of_classes, const at::Tensor& labels) {
  const at::Tensor firsts = at::arange(labels.size(0), labels.options()) * of_classes.size(1);
  return of_classes.flatten(0, 1).index_select(0, firsts + labels);
}

at::Tensor BoxesOfRegions(const at::Tensor& logits, const at::Tensor& codes,
                          const RegionRows& regions, int64_t images, const ImageSize& size,
                          int64_t most) {
  const int64_t classes = logits.size(1);
  const at::Tensor scores = InFloats(logits).softmax(1), all_codes = InFloats(codes).view({-1, 4});
  std::vector<at::Tensor> rows;
  for (int64_t i = 0; i < images; ++i) {
    const at::Tensor mine = regions.numbered.select(1, 0).eq(i).nonzero().squeeze(1);
    const at::Tensor boxes = regions.numbered.index_select(0, mine).narrow(1, 1, 4);
    const auto [best, of_region, labels] =
        BestOf(scores.index_select(0, mine).narrow(1, 1, classes - 1), kScoreThreshold,
               mine.size(0) * classes);
    const at::Tensor of_class = mine.index_select(0, of_region) * classes + labels + 1;
    const at::Tensor decoded = DecodedBoxes(all_codes.index_select(0, of_class),
                                            boxes.index_select(0, of_region), kRegionCodeWeights);
    const Candidates candidates = {ClippedBoxes(decoded, size.height, size.width), best,
                                   labels + 1};
    rows.push_back(ChosenDetections({WithSides(candidates, kLeastBox)},
                                    {.nms_threshold = kRegionNms, .most = most}));
  }
  return at::stack(rows);
}

}  // namespace assay::models
