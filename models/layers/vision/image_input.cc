#include "models/layers/vision/image_input.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <string>

namespace assay::models {

namespace {

// `what` is "image" or "video"; its last two dimensions are height and width.
void CheckSides(const at::Tensor& given, const char* family, const char* what,
                const ImageSides& sides) {
  const int64_t smaller = std::min(given.size(-2), given.size(-1));
  const int64_t larger = std::max(given.size(-2), given.size(-1));
  TORCH_CHECK_VALUE(smaller >= sides.minimum && larger <= sides.maximum, family, ": the ", what,
                    " is ", given.sizes(), "; its height and width must be ",
                    sides.minimum == sides.maximum ? "exactly " : "at least ", sides.minimum,
                    " pixels");
  TORCH_CHECK_VALUE(smaller % sides.multiple_of == 0 && larger % sides.multiple_of == 0, family,
                    ": the ", what, " is ", given.sizes(),
                    "; its height and width must be multiples of ", sides.multiple_of, " pixels");
}

}  // namespace

void CheckImage(const at::Tensor& image, const char* family, const ImageSides& sides) {
  TORCH_CHECK_VALUE(image.dim() == 4 && image.size(1) == 3, family, ": the image is ",
                    image.sizes(), "; want (N, 3, height, width)");
  CheckSides(image, family, "image", sides);
}

void CheckVideo(const at::Tensor& video, const char* family, int64_t frames,
                const ImageSides& sides) {
  TORCH_CHECK_VALUE(video.dim() == 5 && video.size(1) == 3, family, ": the video is ",
                    video.sizes(), "; want (N, 3, frames, height, width)");
  TORCH_CHECK_VALUE(video.size(2) >= frames, family, ": the video is ", video.sizes(),
                    "; it must have at least ", frames, " frames");
  CheckSides(video, family, "video", sides);
}

}  // namespace assay::models
