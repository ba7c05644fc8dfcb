#ifndef ASSAY_MODELS_MODEL_H_
#define ASSAY_MODELS_MODEL_H_

// ---------------------------------------------------------------------------------------------
// models/model.h: what the harness needs from a model, whatever it is made of.
//
// How each use fits, so that this interface need not change when it comes:
//
// - Several named inputs and outputs: positional here; the names and their order stand once, in
//   the implementation's table (InputSpec, outputs). An output that is not asked for is still
//   returned. Absent optional inputs are undefined tensors.
// - Sequence lengths, image sizes, batches: a model reads them from the shapes of its inputs, so
//   one built model serves them all; it keeps no buffer that depends on them.
// - Weights: State() hands out every tensor with its recipe (Init). A new model's floating-point
//   tensors are uninitialised float32 on the CPU; the harness fills them in place. Integer
//   buffers already hold their value.
// - dtype and device: To(). Handles taken from State() before go stale: take them again.
// - Evaluation: the caller holds a c10::InferenceMode guard; a model does not, as training could
//   not switch it off. Create models *outside* of that guard, or their parameters can never be
//   trained.
// - Training: SetTraining(true), requires_grad_() on the State() entries that are `trainable`
//   (after To(), which makes new leaves), then Forward, Loss, backward() and an optimizer over the
//   same entries. Buffers such as running statistics are updated by Forward. Targets are inputs
//   of the workload that come after those of Forward, and go to Loss.
// - Generation: NewCache() makes the keys and values of one batch of sequences, of a fixed
//   capacity so that addresses stay put (CUDA graphs need that); Step() appends tokens to it. The
//   cache belongs to the caller, so the model itself keeps no sequence.
// - Models that are files (TorchScript, .pt2): an implementation like any other, whose Forward
//   calls the loaded module. The harness finds the file (runfiles, digest), then calls LoadFile()
//   before anything else; State() lists what the file holds, and To() reloads or moves it.
//
// Errors: what runs ATen operators (the constructor, Forward, To, Loss, Step) lets c10::Error
// through, because the caller tells out-of-memory from the rest by the exception's type. The hooks
// that an implementation may lack return a Status, UNIMPLEMENTED by default.
//
// Not for: timing, seeds, files' places, devices' choice. A model is not thread-safe.
//
// Example:
//
//     absl::StatusOr<std::unique_ptr<Model>> model = Create("mlp", parameters);
//     for (NamedTensor& entry : (*model)->State()) { ... fill entry.tensor by entry.init ... }
//     c10::InferenceMode guard;
//     at::Tensor probabilities = (*model)->Forward({x})[0];
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "models/init.h"

namespace assay::models {

// One parameter or buffer.
struct NamedTensor {
  std::string name;        // as in the independent implementation's state_dict
  at::Tensor tensor;       // shares its memory with the model
  Init init;               // how to fill it; meaningless for integer tensors
  bool trainable = false;  // a parameter, not a buffer
};

// Keys and values (or any other state) of one batch of sequences that are being generated.
class Cache {
 public:
  virtual ~Cache() = default;
  virtual int64_t length() const = 0;         // tokens held for each row
  virtual int64_t capacity() const = 0;       // tokens that fit
  virtual void Truncate(int64_t length) = 0;  // forgets the tokens from `length` on
};

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

  // The scalar to minimise, from Forward's outputs and the workload's targets.
  virtual absl::StatusOr<at::Tensor> Loss(at::ArrayRef<at::Tensor> outputs,
                                          at::ArrayRef<at::Tensor> targets);

  // An empty cache for `batch` sequences of up to `capacity` tokens, on the model's device.
  virtual absl::StatusOr<std::unique_ptr<Cache>> NewCache(int64_t batch, int64_t capacity);

  // Runs the tokens of `inputs` (the same positions as Forward's) after those in `cache`, and
  // appends them to it. Outputs as Forward's, for the new tokens only.
  virtual absl::StatusOr<std::vector<at::Tensor>> Step(at::ArrayRef<at::Tensor> inputs,
                                                       Cache& cache);

  // For implementations that are files: loads the model.
  virtual absl::Status LoadFile(const std::string& path);

 protected:
  Model() = default;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_MODEL_H_
