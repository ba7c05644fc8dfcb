#ifndef ASSAY_MODELS_LAYERS_DETECTION_DETECTION_ROWS_H_
#define ASSAY_MODELS_LAYERS_DETECTION_DETECTION_ROWS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/detection_rows.h: what detectors share: how numbers of the cells of a level become
// rows, and candidates become the rows of models/detector.h.
//
// Not for: anchors (anchor_boxes.h), regions (regions.h).
//
// Example:
//
//     at::Tensor logits = RowsOfCells(tower.Forward(level), num_classes);      // (N, H * W * anchors, classes)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace assay::models {

// (N, anchors * numbers, H, W) -> (N, H * W * anchors, numbers): cells row by row, for each its anchors.
at::Tensor RowsOfCells(const at::Tensor& x, int64_t numbers);

// The same numbers in float32 at least. Boxes are not made in bf16, whose numbers above 256 are no whole pixels.
at::Tensor InFloats(const at::Tensor& x);
std::vector<at::Tensor> InFloats(at::ArrayRef<at::Tensor> tensors);

// Chooses the best `most` of scores (cells, classes), above a threshold if there is one, by descending score. `cells` and
// `labels`, int64 (K), say where each score stood.
struct BestScores {
  at::Tensor scores, cells, labels;
};
BestScores BestOf(const at::Tensor& scores, std::optional<double> threshold, int64_t most);

// Some boxes of an image, before any is left out: boxes (K, 4), scores (K), labels int64 (K).
struct Candidates {
  at::Tensor boxes, scores, labels;
};

// Keeps the candidates whose sides are both `least` pixels long or longer.
Candidates WithSides(const Candidates& all, double least);

struct Choice {
  double nms_threshold;
  int64_t most;  // boxes of an image
};

// Leaves out boxes that overlap better ones of their label, and those behind the best `most`; rows of
// models/detector.h, (most, 6).
at::Tensor ChosenDetections(const std::vector<Candidates>& levels, const Choice& choice);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_DETECTION_ROWS_H_
