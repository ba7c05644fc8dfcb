#ifndef ASSAY_MODELS_LAYERS_DETECTION_DEFORM_CONV2D_H_
#define ASSAY_MODELS_LAYERS_DETECTION_DEFORM_CONV2D_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/deform_conv2d.h: a convolution that reads the image beside its grid (Dai et al., Deformable
// Convolutional Networks, 2017), as torchvision 0.26 computes it, on the CPU in float32 and float64.
//
// Not for: gradients, the GPU.
//
// Example:
//
//     at::Tensor y = DeformConv2d(x, weight, offset, mask, bias, 1, 1, 1, 1, 1, 1, 1, 1, /*use_mask=*/true);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::models {

// Images (N, C, H, W), weights (O, C/groups, kh, kw), bias (O) -> (N, O, h, w). `offset`, (N, 2 offset_groups kh kw, h,
// w), says how far each sample is moved, down and then right, in pixels; `mask`, (N, offset_groups kh kw, h, w), is
// multiplied in where use_mask says so. A sample outside of the image is 0.
at::Tensor DeformConv2d(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offset,
                        const at::Tensor& mask, const at::Tensor& bias, int64_t stride_h,
                        int64_t stride_w, int64_t pad_h, int64_t pad_w, int64_t dilation_h,
                        int64_t dilation_w, int64_t groups, int64_t offset_groups, bool use_mask);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_DEFORM_CONV2D_H_
