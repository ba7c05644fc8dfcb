#ifndef ASSAY_MODELS_MODEL_H_
#define ASSAY_MODELS_MODEL_H_

// ---------------------------------------------------------------------------------------------
// models/model.h: the interface of a model, as the harness needs it.
//
// How each use fits:
//
// - Several named inputs and outputs: they are positional here; only the implementation's table
//   (InputSpec, outputs) has their names and order. An output that is not asked for is still
//   returned. Absent optional inputs are undefined tensors.
// - Sequence lengths, image sizes, batches: a model reads them from the shapes of its inputs, so
//   one built model serves them all; it keeps no buffer that depends on them.
// - Weights: State() hands out every tensor with its recipe (Init). A new model's tensors that
//   NeedFilling() are uninitialised float32 on the CPU; the harness fills them in place. All
//   others hold their value.
// - Tied weights: one tensor under several names. State() lists each name; the first is the
//   tensor's own, the others are marked as aliases of it.
// - dtype and device: To(). Tensors taken from State() before are no longer the state: take them
//   again.
// - Evaluation: the caller holds a c10::InferenceMode guard; a model does not, as training could
//   not switch it off. Create models *outside* of that guard, or their parameters can never be
//   trained.
// - Training: an ability of its own, models/trainable.h; ask by dynamic_cast.
// - Generation: likewise, models/generator.h.
// - Lowering (defs/case/lowerings.h): a model may be made into one that should compute the same in another
//   way. Its truth stays that of the model as it was; a second model would have a truth of its own,
//   and the step from one to the other would never be verified.
// - Models that are files (TorchScript, .pt2): not models of this package; the harness would run
//   them as another kind of program.
//
// Errors: functions that run ATen operators (the constructor, Forward, To, Trainable::Loss) let
// c10::Error through, because the caller tells out-of-memory from other errors by the exception's
// type.
//
// Not for: timing, seeds, finding files, choosing devices. A model is not thread-safe.
//
// Example:
//
//     absl::StatusOr<std::unique_ptr<Model>> model = Create("mlp", parameters);
//     for (NamedTensor& entry : (*model)->State()) { ... fill entry.tensor by entry.init ... }
//     c10::InferenceMode guard;
//     at::Tensor probabilities = (*model)->Forward({x})[0];
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "defs/case/lowerings.h"
#include "models/named_tensor.h"

namespace assay::models {

class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // Runs the model once. Never writes to its inputs; outputs are new tensors.
  virtual std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) = 0;

  // All parameters and persistent buffers, in the order of the independent implementation's
  // state_dict: for each module its own parameters, its own buffers, then its children.
  virtual std::vector<NamedTensor> State() = 0;

  // Moves all state. Floating-point tensors change device and dtype, others the device only.
  virtual void To(at::Device device, at::ScalarType dtype) = 0;

  // Switches dropout and batch statistics on or off. A new model evaluates.
  virtual void SetTraining(bool training) = 0;

  // Switches dropout in training off, or on again, and leaves batch statistics as they are. Returns
  // whether the model draws random numbers in training now.
  virtual bool SetDropout(bool /*on*/) { return false; }

  // Makes the model into what `lowering` names; once, after its tensors have been filled and moved.
  // Tensors may be replaced by others made of them, so take State() again. Unimplemented where the
  // model has nothing that the lowering changes, FailedPrecondition where it cannot be done with the
  // tensors' device and dtype.
  virtual absl::Status Lower(const Lowering& lowering) {
    return absl::UnimplementedError(
        absl::StrCat("the model has nothing that ", lowering.name, " changes"));
  }

 protected:
  Model() = default;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_MODEL_H_
