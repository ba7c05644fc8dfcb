#ifndef ASSAY_MODELS_LAYERS_VISION_DETECTION_ROWS_H_
#define ASSAY_MODELS_LAYERS_VISION_DETECTION_ROWS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/detection_rows.h: what one-stage detectors share: how numbers of the cells of a
// level become rows, and candidates become the rows of models/detector.h.
//
// Not for: heads that look at regions (R-CNN).
//
// Example:
//
//     at::Tensor logits = RowsOfCells(tower.Forward(level), num_classes);      // (N, H * W * anchors, classes)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace assay::models {

// (N, anchors * numbers, H, W) -> (N, H * W * anchors, numbers): cells row by row, for each its anchors.
at::Tensor RowsOfCells(const at::Tensor& x, int64_t numbers);

// Some boxes of an image, before any is left out: boxes (K, 4), scores (K), labels int64 (K).
struct Candidates {
  at::Tensor boxes, scores, labels;
};

struct Choice {
  double nms_threshold;
  int64_t most;  // boxes of an image
};

// Leaves out boxes that overlap better ones of their label, and those behind the best `most`; rows of
// models/detector.h, (most, 6).
at::Tensor ChosenDetections(const std::vector<Candidates>& levels, const Choice& choice);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_DETECTION_ROWS_H_
