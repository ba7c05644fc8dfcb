#ifndef ASSAY_MODELS_TRAINABLE_H_
#define ASSAY_MODELS_TRAINABLE_H_

// ---------------------------------------------------------------------------------------------
// models/trainable.h: what a model offers besides Model if it can be trained. The harness finds it
// by dynamic_cast; its table says `trainable = True` and declares the targets.
//
// Example:
//
//     class Mlp final : public LayeredModel, public Trainable { ... };
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::models {

class Trainable {
 public:
  virtual ~Trainable() = default;

  // The scalar to minimise, from Forward's outputs and the table's targets, in its order.
  virtual at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) = 0;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_TRAINABLE_H_
