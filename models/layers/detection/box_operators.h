#ifndef ASSAY_MODELS_LAYERS_DETECTION_BOX_OPERATORS_H_
#define ASSAY_MODELS_LAYERS_DETECTION_BOX_OPERATORS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/box_operators.h: non-maximum suppression, and the names by which files call
// torchvision's operators, on the CPU in float32 and float64. A box is a row (x1, y1, x2, y2) in pixels.
//
// They compute what torchvision 0.26 computes, in the same order of operations.
//
// Not for: gradients, the GPU.
//
// Example:
//
//     at::Tensor kept = Nms(boxes, scores, 0.5);                  // rows of boxes, the best score first
//     RegisterTorchvisionOperators();                             // scripts now find torchvision::nms
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::models {

// Non-maximum suppression: boxes (K, 4), scores (K) -> int64 rows of boxes, by descending score, equal
// scores in their order. A box is left out if its intersection over union with a kept one is more than
// `iou_threshold`. A box without area has NaN there, and leaves no other out.
at::Tensor Nms(const at::Tensor& boxes, const at::Tensor& scores, double iou_threshold);

// The same, for each of the int64 `labels` (K) apart.
at::Tensor NmsByLabel(const at::Tensor& boxes, const at::Tensor& scores, const at::Tensor& labels,
                      double iou_threshold);

// Registers Nms(), RoiAlign(), DeformConv2d() and the operators of region_operators.h with PyTorch under torchvision's
// names, once.
// Returns the names that another library has registered before, which keep the kernels of that library.
std::vector<std::string> RegisterTorchvisionOperators();

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_BOX_OPERATORS_H_
