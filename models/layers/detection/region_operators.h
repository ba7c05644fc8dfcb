#ifndef ASSAY_MODELS_LAYERS_DETECTION_REGION_OPERATORS_H_
#define ASSAY_MODELS_LAYERS_DETECTION_REGION_OPERATORS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/region_operators.h: operators of detectors that PyTorch lacks and torchvision has: they
// bring regions of features to one size, on the CPU in float32 and float64.
//
// They compute what torchvision 0.26 computes, in the same order of operations. They refuse images and regions
// that do not fit together, where torchvision reads beside its memory.
//
// Not for: RoiAlign() (roi_align.h), gradients, the GPU.
//
// Example:
//
//     const auto [y, places] = RoiPool(x, regions, 1. / 16, 7, 7);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <tuple>

namespace assay::models {

// Features (N, C, H, W) and regions (K, 5), each the number of an image and a box -> (K, C, pooled_height, pooled_width).
// A box's numbers times `spatial_scale` are pixels of the features.
//
// Each value is the greatest pixel of its cell. The second result has the places of these pixels in their plane,
// int32; -1 for a cell outside of the image, whose value is 0.
std::tuple<at::Tensor, at::Tensor> RoiPool(const at::Tensor& features, const at::Tensor& regions,
                                           double spatial_scale, int64_t pooled_height,
                                           int64_t pooled_width);

// Each cell of the result reads a channel of its own (R-FCN's position-sensitive pooling): (N, C, H, W) ->
// (K, C / (pooled_height pooled_width), pooled_height, pooled_width). PsRoiPool takes means of pixels, and
// PsRoiAlign of bilinear samples. The second result has these channels, int32.
std::tuple<at::Tensor, at::Tensor> PsRoiPool(const at::Tensor& features, const at::Tensor& regions,
                                             double spatial_scale, int64_t pooled_height,
                                             int64_t pooled_width);
std::tuple<at::Tensor, at::Tensor> PsRoiAlign(const at::Tensor& features, const at::Tensor& regions,
                                              double spatial_scale, int64_t pooled_height,
                                              int64_t pooled_width, int64_t sampling_ratio);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_REGION_OPERATORS_H_
