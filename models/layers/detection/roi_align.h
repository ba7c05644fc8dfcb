#ifndef ASSAY_MODELS_LAYERS_DETECTION_ROI_ALIGN_H_
#define ASSAY_MODELS_LAYERS_DETECTION_ROI_ALIGN_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/roi_align.h: brings regions of features to one size by bilinear samples (He et al., Mask
// R-CNN, 2017), with its gradient, on the CPU in float32 and float64.
//
// It computes what torchvision 0.26 computes, in the same order of operations. It refuses images and regions that do
// not fit together, where torchvision reads beside its memory. Regions have no gradient, there and here.
//
// Not for: the GPU, a gradient of the gradient.
//
// Example:
//
//     at::Tensor y = RoiAlign(x, regions, 1. / 16, 7, 7, /*sampling_ratio=*/2, /*aligned=*/false);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::models {

// Features (N, C, H, W) and regions (K, 5), each the number of an image and a box -> (K, C, pooled_height,
// pooled_width), means of bilinear samples. A box's numbers times `spatial_scale` are pixels of the
// features. sampling_ratio <= 0: as many samples as a cell of the result has pixels.
at::Tensor RoiAlign(const at::Tensor& features, const at::Tensor& regions, double spatial_scale,
                    int64_t pooled_height, int64_t pooled_width, int64_t sampling_ratio,
                    bool aligned);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_ROI_ALIGN_H_
