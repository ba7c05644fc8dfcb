#ifndef ASSAY_MODELS_LAYERS_DETECTION_REGION_TARGETS_H_
#define ASSAY_MODELS_LAYERS_DETECTION_REGION_TARGETS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/region_targets.h: what the second stage of a detector learns of which regions, and its losses, as
// torchvision has them (torchvision/models/detection/roi_heads.py).
//
// Example:
//
//     RegionTargets targets = SampledRegions(proposals, boxes, labels, 512);
//     at::Tensor x = PooledRegions(levels, targets.numbered, 7);
//     std::vector<at::Tensor> losses = BoxLosses(logits.Forward(x), codes.Forward(x), targets);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace assay::models {

// The regions that count, image by image.
struct RegionTargets {
  at::Tensor numbered;  // (K, 5): the number of the image, then the box
  at::Tensor labels;    // int64 (K); the background is 0
  at::Tensor objects;   // int64 (K): which object of all images the region shows, if it shows one
  at::Tensor codes;     // (K, 4): of this object's box
};

// Proposals: rows of models/detector.h, (N, any number, 6). Objects: boxes (N, objects, 4) in the dtype of the rows, and labels
// int64 (N, objects), from 1 on. The objects' boxes are regions too. `count` regions of an image count at most.
RegionTargets SampledRegions(const at::Tensor& proposals, const at::Tensor& boxes,
                             const at::Tensor& labels, int64_t count);

// Keeps the regions that show an object.
RegionTargets WithObjects(const RegionTargets& all);

// torchvision's loss_classifier and loss_box_reg: scalars, means over the regions. Logits (K, classes), and codes (K, classes * 4).
std::vector<at::Tensor> BoxLosses(const at::Tensor& logits, const at::Tensor& codes,
                                  const RegionTargets& targets);

// torchvision's loss_mask, a scalar: a mean over the pixels of the masks of each region's label. All regions show an object.
// Logits (K, classes, M, M), and the objects' masks (N, objects, H, W) of the whole image, ones and zeros.
at::Tensor MaskLoss(const at::Tensor& logits, const at::Tensor& masks,
                    const RegionTargets& targets);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_REGION_TARGETS_H_
