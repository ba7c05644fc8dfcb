#include "models/layers/detection/region_targets.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full.h>
#include <ATen/ops/smooth_l1_loss.h>

#include <tuple>

#include "models/layers/detection/anchor_boxes.h"
#include "models/layers/detection/balanced_sample.h"
#include "models/layers/detection/detection_rows.h"
#include "models/layers/detection/regions.h"
#include "models/layers/detection/roi_align.h"

namespace assay::models {
namespace {

constexpr double kRegionShowsObject = 0.5;  // overlap of a region and the object that it shows
constexpr double kShareOfRegions = 0.25;    // that may show an object

RegionTargets Of(const RegionTargets& all, const at::Tensor& places) {
  return {all.numbered.index_select(0, places), all.labels.index_select(0, places),
          all.objects.index_select(0, places), all.codes.index_select(0, places)};
}

// The same for one image, whose number is `image`.
RegionTargets SampledRegions(const at::Tensor& rows, const at::Tensor& boxes,
                             const at::Tensor& labels, int64_t count, int64_t image) {
  const at::Tensor proposals =
      rows.index_select(0, rows.select(1, 0).ge(0).nonzero().squeeze(1)).narrow(1, 2, 4);
  const at::Tensor regions = at::concat({proposals, boxes});
  const at::Tensor matched =
      MatchedObjects(boxes, regions, kRegionShowsObject, kRegionShowsObject, /*each_object=*/false);
  const at::Tensor objects = matched.clamp_min(0);
  const at::Tensor wanted = labels.index_select(0, objects).masked_fill(matched.lt(0), 0);
  const BalancedSample sample = SampledPlaces(wanted, count, kShareOfRegions);
  const at::Tensor places = std::get<0>(at::concat({sample.objects, sample.background}).sort());
  const at::Tensor numbers = at::full({regions.size(0), 1}, image, regions.options());
  return Of({at::concat({numbers, regions}, 1), wanted, objects + image * boxes.size(0),
             EncodedBoxes(boxes.index_select(0, objects), regions, kRegionCodeWeights)},
            places);
}

}  // namespace

RegionTargets SampledRegions(const at::Tensor& proposals, const at::Tensor& boxes,
                             const at::Tensor& labels, int64_t count) {
  std::vector<at::Tensor> numbered, of_labels, objects, codes;
  for (int64_t i = 0; i < proposals.size(0); ++i) {
    const RegionTargets one = SampledRegions(proposals[i], boxes[i], labels[i], count, i);
    numbered.push_back(one.numbered);
    of_labels.push_back(one.labels);
    objects.push_back(one.objects);
    codes.push_back(one.codes);
  }
  return {at::concat(numbered), at::concat(of_labels), at::concat(objects), at::concat(codes)};
}

RegionTargets WithObjects(const RegionTargets& all) {
  return Of(all, all.labels.gt(0).nonzero().squeeze(1));
}

std::vector<at::Tensor> BoxLosses(const at::Tensor& logits, const at::Tensor& codes,
                                  const RegionTargets& targets) {
  const at::Tensor places = targets.labels.gt(0).nonzero().squeeze(1);
  const at::Tensor found = OfLabels(InFloats(codes).unflatten(1, {-1, 4}).index_select(0, places),
                                    targets.labels.index_select(0, places));
  return {at::cross_entropy_loss(InFloats(logits), targets.labels),
          at::smooth_l1_loss(found, targets.codes.index_select(0, places), at::Reduction::Sum,
                             kCodeBeta) /
              targets.labels.size(0)};
}

at::Tensor MaskLoss(const at::Tensor& logits, const at::Tensor& masks,
                    const RegionTargets& targets) {
  const at::Tensor numbers = targets.objects.to(targets.numbered.scalar_type()).unsqueeze(1);
  const at::Tensor regions = at::concat({numbers, targets.numbered.narrow(1, 1, 4)}, 1);
  const at::Tensor whole = masks.flatten(0, 1).unsqueeze(1).to(regions.scalar_type());
  const int64_t side = logits.size(3);
  const at::Tensor wanted = RoiAlign(whole, regions, /*spatial_scale=*/1, side, side,
                                     /*sampling_ratio=*/-1, /*aligned=*/false);
  return at::binary_cross_entropy_with_logits(OfLabels(InFloats(logits), targets.labels),
                                              wanted.squeeze(1));
}

}  // namespace assay::models
