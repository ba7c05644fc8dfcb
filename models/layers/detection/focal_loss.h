#ifndef ASSAY_MODELS_LAYERS_DETECTION_FOCAL_LOSS_H_
#define ASSAY_MODELS_LAYERS_DETECTION_FOCAL_LOSS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/focal_loss.h: the loss of detectors whose anchors nearly all show background
// (torchvision/ops/focal_loss.py). A score that is nearly right counts less.
//
//     sum of alpha_t * (1 - p_t)^gamma * cross entropy,   alpha 0.25
//
// Example:
//
//     at::Tensor loss = FocalLoss(logits, ones_and_zeros);      // both (anchors, classes) -> a scalar
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::models {

at::Tensor FocalLoss(const at::Tensor& logits, const at::Tensor& targets, double gamma = 2);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_FOCAL_LOSS_H_
