#ifndef ASSAY_MODELS_LAYERS_DETECTION_BALANCED_SAMPLE_H_
#define ASSAY_MODELS_LAYERS_DETECTION_BALANCED_SAMPLE_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/balanced_sample.h: which anchors and regions count in a loss, if there are more than it takes:
// torchvision's BalancedPositiveNegativeSampler (torchvision/models/detection/_utils.py).
//
// torchvision draws them by torch.randperm. Here they are a fixed choice, so that two programs can be compared: the
// permutation of n places sorts them by a multiplicative hash, place * 2654435761 modulo 2^32. It spreads the first few
// places evenly. models/rcnn/reference.py gives torchvision the same permutation.
//
// Example:
//
//     BalancedSample sample = SampledPlaces(labels, 256, 0.5);     // up to 128 of objects, and background up to 256
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::models {

// Places, int64, each in the order of the permutation.
struct BalancedSample {
  at::Tensor objects, background;
};

// Labels int64 (K): objects have 1 or more, background has 0, and what has less never counts. At most `count` places, of
// which objects have at most `share`.
BalancedSample SampledPlaces(const at::Tensor& labels, int64_t count, double share);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_BALANCED_SAMPLE_H_
