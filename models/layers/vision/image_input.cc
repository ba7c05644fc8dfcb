#include "models/layers/vision/image_input.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <string>

namespace assay::models {

void CheckImage(const at::Tensor& image, const char* family, const ImageSides& sides) {
  TORCH_CHECK_VALUE(image.dim() == 4 && image.size(1) == 3, family, ": the image is ",
                    image.sizes(), "; want (N, 3, height, width)");
  const int64_t smaller = std::min(image.size(2), image.size(3));
  const int64_t larger = std::max(image.size(2), image.size(3));
  TORCH_CHECK_VALUE(smaller >= sides.minimum && larger <= sides.maximum, family, ": the image is ",
                    image.sizes(), "; its height and width must be ",
                    sides.minimum == sides.maximum ? "exactly " : "at least ", sides.minimum,
                    " pixels");
  TORCH_CHECK_VALUE(
      image.size(2) % sides.multiple_of == 0 && image.size(3) % sides.multiple_of == 0, family,
      ": the image is ", image.sizes(), "; its height and width must be multiples of ",
      sides.multiple_of, " pixels");
}

}  // namespace assay::models
