#ifndef ASSAY_MODELS_LAYERS_VISION_AUXILIARY_LOSS_H_
#define ASSAY_MODELS_LAYERS_VISION_AUXILIARY_LOSS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/auxiliary_loss.h: the loss of a classifier with auxiliary heads in training.
//
//     cross entropy(logits) + weight * sum over heads of cross entropy(a head's logits)
//
// Example, in a model that is Trainable (models/trainable.h):
//
//     return AuxiliaryLoss(outputs, targets[0], 0.3);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::models {

// `outputs`: the logits, then those of the auxiliary heads, each (N, classes); `labels` int64 (N).
// A scalar; each cross entropy is a mean over the rows. Lets c10::Error through.
at::Tensor AuxiliaryLoss(at::ArrayRef<at::Tensor> outputs, const at::Tensor& labels, double weight);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_AUXILIARY_LOSS_H_
