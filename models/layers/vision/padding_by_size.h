#ifndef ASSAY_MODELS_LAYERS_VISION_PADDING_BY_SIZE_H_
#define ASSAY_MODELS_LAYERS_VISION_PADDING_BY_SIZE_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/padding_by_size.h: zeros around an image as TensorFlow's "SAME" puts them for a
// convolution with a stride: as many as the last step of the kernel lacks, evenly, or one more behind the
// image.
//
// Not for: a stride of 1, where a convolution's own padding is the same and costs no copy.
//
// Example:
//
//     at::Tensor y = PaddedBySize(x, 3, 2);  // (N, C, 224, 224) -> (N, C, 225, 225)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::models {

// x (N, C, H, W).
at::Tensor PaddedBySize(const at::Tensor& x, int64_t kernel, int64_t stride);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_PADDING_BY_SIZE_H_
