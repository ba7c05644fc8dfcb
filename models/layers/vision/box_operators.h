#ifndef ASSAY_MODELS_LAYERS_VISION_BOX_OPERATORS_H_
#define ASSAY_MODELS_LAYERS_VISION_BOX_OPERATORS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/box_operators.h: operators of detectors that PyTorch lacks and torchvision has, on
// the CPU in float32 and float64. A box is a row (x1, y1, x2, y2) in pixels.
//
// They compute what torchvision 0.26 computes, in the same order of operations, and refuse images and
// boxes that do not fit together, where torchvision reads beside its memory.
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

// Features (N, C, H, W) and regions (K, 5), each the number of an image and a box -> (K, C, pooled_height,
// pooled_width), means of bilinear samples. A box's numbers times `spatial_scale` are pixels of the
// features. sampling_ratio <= 0: as many samples as a cell of the result has pixels.
at::Tensor RoiAlign(const at::Tensor& features, const at::Tensor& regions, double spatial_scale,
                    int64_t pooled_height, int64_t pooled_width, int64_t sampling_ratio,
                    bool aligned);

// Registers Nms(), RoiAlign() and DeformConv2d() with PyTorch under torchvision's names, once.
// Returns the names that another library has registered before, which keep the kernels of that library.
std::vector<std::string> RegisterTorchvisionOperators();

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_BOX_OPERATORS_H_
