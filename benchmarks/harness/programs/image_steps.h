#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_IMAGE_STEPS_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_IMAGE_STEPS_H_

// ---------------------------------------------------------------------------------------------
// image_steps.h: the steps before and after a classifier: torchvision's ImageClassification preset
// (torchvision 0.26, transforms/_presets.py) as it treats tensors, and the five likeliest classes.
//
//   preprocess    bytes (N, 3, height, width): resized with antialiasing so that the shorter side is
//                 the preset's, rounded back to bytes, its centre cut out, divided by 255, normalised
//   postprocess   softmax over the logits, in float32 where they have fewer bits; the top five
//
// Photographs have the size of most of ImageNet's, 500 x 375 pixels. They are made from a
// workload's images, so that they differ where those differ. Decoding a file is not included.
//
// Errors: lets c10::Error through.
//
// Example:
//   at::Tensor photographs = PhotographsOf(images, preset);                      // uint8
//   at::Tensor images = Preprocess(photographs, preset, 224, at::kFloat);       // (N, 3, 224, 224)
//   TopClasses top = Postprocess(logits);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "defs/proto/suite.pb.h"

namespace assay::execution {

inline constexpr int64_t kPhotographHeight = 375;
inline constexpr int64_t kPhotographWidth = 500;

// Bytes (N, 3, 375, 500) that show normalised images (N, 3, side, side).
at::Tensor PhotographsOf(const at::Tensor& images, const ImagePreset& preset);

// Normalised images (N, 3, side, side) in `dtype`. If `side` is not the preset's crop, the resize
// is scaled by the same factor.
at::Tensor Preprocess(const at::Tensor& photographs, const ImagePreset& preset, int64_t side,
                      at::ScalarType dtype);

struct TopClasses {
  at::Tensor probabilities;  // (N, 5), descending; fewer where there are fewer classes
  at::Tensor classes;        // likewise, int64
};

// From logits (N, classes).
TopClasses Postprocess(const at::Tensor& logits);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_IMAGE_STEPS_H_
