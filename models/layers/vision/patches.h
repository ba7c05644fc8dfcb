#ifndef ASSAY_MODELS_LAYERS_VISION_PATCHES_H_
#define ASSAY_MODELS_LAYERS_VISION_PATCHES_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/patches.h: an image cut into squares, each of which becomes a token.
//
// Not for: squares that overlap, images of any size (swin).
//
// Example:
//
//     Patches patches{*this, "patch_embed.proj",
//                     {.family = "beit", .resolution = 224, .patch_size = 16, .features = 768}};
//     at::Tensor tokens = patches.Forward(image);              // (N, 3, 224, 224) -> (N, 196, 768)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer.h"
#include "models/parameters.h"

namespace assay::models {

struct PatchesOptions {
  const char* family;  // named in the message that refuses another image
  int64_t resolution;  // pixels a side of the image, a multiple of patch_size
  int64_t patch_size;  // pixels a side of a square
  int64_t features;    // width of a token
  bool bias = true;

  int64_t side() const { return resolution / patch_size; }  // of the image, in squares
  int64_t count() const { return side() * side(); }
};

// The parameters "resolution", "patch_size" and "hidden"; InvalidArgument if squares don't fill the
// image.
absl::StatusOr<PatchesOptions> ReadPatches(const char* family, const Parameters& parameters);

class Patches final {
 public:
  Patches(Layer& parent, std::string name, const PatchesOptions& options);

  // Images (N, 3, resolution, resolution) -> (N, count, features), row by row. Throws
  // c10::ValueError if they have another shape.
  at::Tensor Forward(const at::Tensor& image) const;

 private:
  PatchesOptions options_;
  Conv2d projection_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_PATCHES_H_
