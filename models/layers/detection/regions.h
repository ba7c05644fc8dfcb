#ifndef ASSAY_MODELS_LAYERS_DETECTION_REGIONS_H_
#define ASSAY_MODELS_LAYERS_DETECTION_REGIONS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/regions.h: the boxes at which the second stage of a detector looks, and the features
// in them, as torchvision's MultiScaleRoIAlign pools them (torchvision/ops/poolers.py).
//
// Not for: gradients, the GPU (region_operators.h).
//
// Example:
//
//     RegionRows regions = RegionsOf(rows);                             // rows of models/detector.h
//     at::Tensor x = PooledRegions(levels, regions.numbered, 7);     // (K, channels, 7, 7)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace assay::models {

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

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_REGIONS_H_
