#include "models/layers/detection/detection_rows.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>

#include <algorithm>

#include "models/layers/detection/box_operators.h"

namespace assay::models {

at::Tensor RowsOfCells(const at::Tensor& x, int64_t numbers) {
  return x.view({x.size(0), -1, numbers, x.size(2), x.size(3)})
      .permute({0, 3, 4, 1, 2})
      .reshape({x.size(0), -1, numbers});
}

at::Tensor InFloats(const at::Tensor& x) {
  return x.to(c10::promoteTypes(x.scalar_type(), at::kFloat));
}

std::vector<at::Tensor> InFloats(at::ArrayRef<at::Tensor> tensors) {
  std::vector<at::Tensor> wide;
  for (const at::Tensor& tensor : tensors) wide.push_back(InFloats(tensor));
  return wide;
}

BestScores BestOf(const at::Tensor& scores, std::optional<double> threshold, int64_t most) {
  const at::Tensor all = scores.flatten();
  const at::Tensor above = threshold ? (all > *threshold).nonzero().squeeze(1) : at::Tensor();
  const at::Tensor candidates = threshold ? all.index_select(0, above) : all;
  const auto [best, places] = candidates.topk(std::min(most, candidates.size(0)));
  const at::Tensor chosen = threshold ? above.index_select(0, places) : places;
  return {best, chosen.div(scores.size(1), "floor"), chosen.remainder(scores.size(1))};
}

Candidates WithSides(const Candidates& all, double least) {
  const at::Tensor sides = all.boxes.narrow(1, 2, 2) - all.boxes.narrow(1, 0, 2);
  const at::Tensor kept = sides.ge(least).all(1).nonzero().squeeze(1);
  return {all.boxes.index_select(0, kept), all.scores.index_select(0, kept),
          all.labels.index_select(0, kept)};
}

at::Tensor ChosenDetections(const std::vector<Candidates>& levels, const Choice& choice) {
  constexpr int64_t kLabel = 0, kScore = 1, kBox = 2, kNumbers = 6;
  std::vector<at::Tensor> boxes, scores, labels;
  for (const Candidates& level : levels) {
    boxes.push_back(level.boxes);
    scores.push_back(level.scores);
    labels.push_back(level.labels);
  }
  const Candidates all = {at::concat(boxes), at::concat(scores), at::concat(labels)};
  at::Tensor kept = NmsByLabel(all.boxes, all.scores, all.labels, choice.nms_threshold);
  const int64_t count = std::min(kept.size(0), choice.most);
  kept = kept.narrow(0, 0, count);
  at::Tensor rows = at::zeros({choice.most, kNumbers}, all.boxes.options());
  rows.select(1, kLabel).fill_(-1);
  at::Tensor found = rows.narrow(0, 0, count);
  found.select(1, kLabel).copy_(all.labels.index_select(0, kept));
  found.select(1, kScore).copy_(all.scores.index_select(0, kept));
  found.narrow(1, kBox, 4).copy_(all.boxes.index_select(0, kept));
  return rows;
}

}  // namespace assay::models
