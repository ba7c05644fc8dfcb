#ifndef ASSAY_MODELS_LAYERS_DETECTION_ANCHOR_BOXES_H_
#define ASSAY_MODELS_LAYERS_DETECTION_ANCHOR_BOXES_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/anchor_boxes.h: anchors, boxes that detectors move and stretch, as torchvision has them
// (torchvision/models/detection/anchor_utils.py, _utils.py). A box is a row (x1, y1, x2, y2) in pixels.
//
// Not for: default boxes of SSD, points of FCOS.
//
// Example:
//
//     at::Tensor anchors = GridAnchors({.sizes = {32, 40, 50}}, 100, 100, 8, 8, like);   // (90000, 4)
//     at::Tensor boxes = ClippedBoxes(DecodedBoxes(codes, anchors), 800, 800);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace assay::models {

struct ImageSize {
  int64_t height, width;  // pixels
};

// The anchors of each cell: one of each size and ratio, height to width.
struct CellAnchors {
  std::vector<int64_t> sizes;
  std::vector<double> ratios = {0.5, 1, 2};
};

// (rows * columns * anchors of a cell, 4), cells row by row, for each its ratios, for each its sizes.
at::Tensor GridAnchors(const CellAnchors& cell, int64_t rows, int64_t columns, int64_t row_stride,
                       int64_t column_stride, const at::Tensor& like);

// Boxes of a cell, whose edges are counted from the first cell's corner, four for each -> those of all cells
// (rows * columns * boxes of a cell, 4), cells row by row.
at::Tensor BoxesOfGrid(const std::vector<double>& of_cell, int64_t rows, int64_t columns,
                       int64_t row_stride, int64_t column_stride, const at::TensorOptions& options);

// Codes (K, 4), shifts of the centre in sizes of the anchor and logarithms of ratios of sizes, of anchors
// (K, 4) -> boxes (K, 4). `weights`: what the codes were multiplied by, of shifts and of sizes.
struct CodeWeights {
  double shift = 1, size = 1;
};
at::Tensor DecodedBoxes(const at::Tensor& codes, const at::Tensor& anchors,
                        const CodeWeights& weights = {});
// The beta of smooth_l1_loss, by which the codes of proposals and regions are learned.
inline constexpr double kCodeBeta = 1. / 9;
// The codes of boxes, which have an area.
at::Tensor EncodedBoxes(const at::Tensor& boxes, const at::Tensor& anchors,
                        const CodeWeights& weights = {});

// Boxes with all edges within an image.
at::Tensor ClippedBoxes(const at::Tensor& boxes, int64_t height, int64_t width);

// Boxes (M, 4) and (K, 4) -> intersection over union of each pair (M, K).
at::Tensor PairwiseIou(const at::Tensor& a, const at::Tensor& b);

// MatchedObjects() gives this to an anchor that no object is near.
inline constexpr int64_t kBackground = -1, kBetween = -2;

// Objects (M, 4), at least one (else c10::ValueError), and anchors (K, 4) -> for each anchor the object that overlaps it most, int64
// (K): kBackground where that is below `low`, kBetween below `high`. If `each_object`, the anchors that overlap
// an object most have their object however little it is.
at::Tensor MatchedObjects(const at::Tensor& objects, const at::Tensor& anchors, double high,
                          double low, bool each_object);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_ANCHOR_BOXES_H_
