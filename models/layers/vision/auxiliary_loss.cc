#include "models/layers/vision/auxiliary_loss.h"

#include <ATen/ops/cross_entropy_loss.h>

namespace assay::models {

at::Tensor AuxiliaryLoss(at::ArrayRef<at::Tensor> outputs, const at::Tensor& labels,
                         double weight) {
  at::Tensor loss = at::cross_entropy_loss(outputs[0], labels);
  for (const at::Tensor& head : outputs.slice(1)) {
    loss = loss.add(at::cross_entropy_loss(head, labels), weight);
  }
  return loss;
}

}  // namespace assay::models
