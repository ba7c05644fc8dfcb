#ifndef ASSAY_MODELS_TRAINABLE_H_
#define ASSAY_MODELS_TRAINABLE_H_

// ---------------------------------------------------------------------------------------------
// models/trainable.h: the interface that a model adds to models/model.h if it can be trained.
//
// A step: SetTraining(true), which switches dropout and batch statistics on; requires_grad_() on
// the State() entries that are `trainable` (after To(), which makes new leaves); then Forward,
// Loss, backward() and an optimizer over the same entries. Forward updates buffers such as running
// statistics. Targets are inputs of the workload that come after those of Forward.
//
// Not for: optimizers and their settings, which belong to the harness.
//
// Example:
//
//     auto* trainable = dynamic_cast<Trainable*>(model.get());     // null: it cannot be trained
//     at::Tensor loss = trainable->Loss(model->Forward({x}), {labels});
//     loss.backward();
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::models {

class Trainable {
 public:
  virtual ~Trainable() = default;

  // The scalar to minimise, a mean over the rows, from Forward's outputs and the workload's targets.
  // Lets c10::Error through.
  virtual at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) = 0;

  // Whether Forward in training changes what the next Forward reads, such as a queue of keys, so that equal
  // calls give other outputs.
  virtual bool Remembers() const { return false; }
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_TRAINABLE_H_
