#ifndef ASSAY_MODELS_LAYERS_DETECTION_REGIONS_H_
#define ASSAY_MODELS_LAYERS_DETECTION_REGIONS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/regions.h: the boxes at which the second stage of a detector looks, the features in them, as
// torchvision's MultiScaleRoIAlign pools them (torchvision/ops/poolers.py), and the detections that they become
// (torchvision/models/detection/roi_heads.py).
//
// Not for: a gradient of the boxes, the GPU (roi_align.h).
//
// Example:
//
//     RegionRows regions = RegionsOf(rows);                             // rows of models/detector.h
//     at::Tensor x = PooledRegions(levels, regions.numbered, 7);     // (K, channels, 7, 7)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "models/layers/detection/anchor_boxes.h"

namespace assay::models {

// The weights of the codes of a region's box.
inline constexpr CodeWeights kRegionCodeWeights = {.shift = 10, .size = 5};

// Boxes of all images: their places among the rows, int64 (K), and `numbered` (K, 5): a column with the number of
// the image, then the box.
struct RegionRows {
  at::Tensor places, numbered;
};

// Keeps the rows of models/detector.h, (N, boxes of an image, 6), that hold a box.
RegionRows RegionsOf(const at::Tensor& rows);

// Returns the features in regions, (K, channels, cells, cells). One level is a map with a stride of 16, and each
// cell takes as many samples as it has pixels. Several levels are a pyramid, whose first four have strides of 4 to
// 32: a larger region looks at a coarser level, and each cell takes 2 x 2 samples.
at::Tensor PooledRegions(const std::vector<at::Tensor>& levels, const at::Tensor& numbered,
                         int64_t cells);

// The numbers of each region's label, (K, ...), of those of all classes, (K, classes, ...). Labels are int64 (K).
at::Tensor OfLabels(const at::Tensor& of_classes, const at::Tensor& labels);

// Logits (K, classes), of which the background has the first, and codes (K, classes * 4) of the regions of so many images ->
// rows of models/detector.h, (images, most, 6).
at::Tensor BoxesOfRegions(const at::Tensor& logits, const at::Tensor& codes,
                          const RegionRows& regions, int64_t images, const ImageSize& size,
                          int64_t most);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_REGIONS_H_
