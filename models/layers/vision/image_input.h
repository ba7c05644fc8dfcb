#ifndef ASSAY_MODELS_LAYERS_VISION_IMAGE_INPUT_H_
#define ASSAY_MODELS_LAYERS_VISION_IMAGE_INPUT_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/image_input.h: refuses an image or a video that a network cannot take. Without it,
// one of the layers would refuse an intermediate tensor, with a message that does not name the image.
//
// Not for: the shapes of a case, which the build checks by the parameters' ranges.
//
// Example:
//
//     CheckImage(inputs[0], "alexnet", {.minimum = 63});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <limits>

namespace assay::models {

struct ImageSides {
  int64_t minimum = 1;  // pixels
  int64_t maximum = std::numeric_limits<int64_t>::max();
  int64_t multiple_of = 1;
};

// Throws c10::ValueError unless `image` is (N, 3, H, W) with H and W among `sides`.
void CheckImage(const at::Tensor& image, const char* family, const ImageSides& sides);

// Likewise unless `video` is (N, 3, T, H, W) with at least `frames` frames, whose H and W are among
// `sides`.
void CheckVideo(const at::Tensor& video, const char* family, int64_t frames,
                const ImageSides& sides);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_IMAGE_INPUT_H_
