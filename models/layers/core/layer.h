#ifndef ASSAY_MODELS_LAYERS_CORE_LAYER_H_
#define ASSAY_MODELS_LAYERS_CORE_LAYER_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/layer.h: base of every layer: owns tensors and knows their names.
//
// A layer is declared as a member of its parent and told its name there; the order of declaration
// is the order of registration, and the order of a state_dict (own parameters, own buffers, then
// children). A name may hold dots ("encoder.layer.0"), which stand for containers without tensors. It
// may be empty: then the names inside are those of the parent's.
//
// Why not torch::nn::Module: its layers fill their weights at random when constructed (seconds for
// BERT-large, all of it thrown away), its header costs 13 s and 1.3 GB of memory for each file, C++
// lacks several of Python's modules, and its MultiheadAttention is no fused attention. This file
// has the rest that is needed.
//
// Not for: hooks, copying, moving, sharing a layer between parents.
//
// Example:
//
//     class Head : public Layer {
//      public:
//       Head(Layer& parent, std::string name)
//           : Layer(parent, std::move(name)), dense(*this, "dense", {.in = 768, .out = 2}) {}
//       at::Tensor Forward(const at::Tensor& x) const { return dense.Forward(x); }
//      private:
//       Linear dense;                       // "dense.weight", "dense.bias"
//     };
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "defs/case/lowerings.h"
#include "models/init.h"
#include "models/model.h"

namespace assay::models {

class Layer {
 public:
  // Registers itself with `parent`, which must outlive it.
  Layer(Layer& parent, std::string name);
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  // Appends this layer's and its children's tensors, each name with `prefix` before it.
  void AppendState(const std::string& prefix, std::vector<NamedTensor>& state) const;

  // Moves this layer's and its children's tensors, one after the other, so that no second copy of
  // the whole model is held. Floating-point tensors change device and dtype, others the device. An
  // alias stays one if the layer that holds its tensor is moved with it.
  void MoveTo(at::Device device, at::ScalarType dtype);

  void SetLayerTraining(bool training);
  // Returns whether this layer or a child of it draws random numbers in training now.
  bool SetLayerDropout(bool on);
  // Lowers this layer and its children (Model::Lower). Returns how many of them have changed.
  absl::StatusOr<int> LowerLayers(const Lowering& lowering);

 protected:
  Layer() = default;  // a root

  // All members given to these functions must be part of this layer, since their addresses are
  // kept.

  // Makes `member` an uninitialised float32 CPU tensor, to be filled by `init`, and registers it.
  void AddParameter(std::string name, at::IntArrayRef shape, Init init, at::Tensor& member);
  void AddBuffer(std::string name, at::IntArrayRef shape, Init init, at::Tensor& member);

  // Registers a table of which a call reads only the rows that its indices name.
  void AddLookedUpParameter(std::string name, at::IntArrayRef shape, Init init, at::Tensor& member);

  // Makes `member` the tensor `value`, which the harness does not fill, and registers it as a
  // buffer. Integer and boolean values keep their dtype; floating-point ones follow the model's.
  void AddBuffer(std::string name, at::Tensor value, at::Tensor& member);

  // The same for a weight that a lowering has made of `elements` numbers.
  void AddLoweredWeight(std::string name, at::Tensor value, int64_t elements, at::Tensor& member);

  // Makes `member` the tensor `value`, which moves with the model and is not in its state: a table
  // that is computed and that no file holds. Its dtype follows the model's if it is floating-point,
  // unless it `keeps_dtype`.
  void AddConstant(at::Tensor value, at::Tensor& member, bool keeps_dtype = false);

  // Makes `member` the same tensor as `of`: a registered member, no alias itself, of a layer of the
  // same model that is built before. The state lists both names.
  void AddAlias(std::string name, at::Tensor& member, const at::Tensor& of);

  // Registers an int64 scalar buffer that counts from zero. Evaluation does not read it.
  void AddCounter(std::string name, at::Tensor& member);

  // Takes this layer's and its children's parameters out of training: what updates them is no optimizer.
  void Freeze();

  bool training() const { return training_; }
  // Whether dropout is switched on. In evaluation nothing is dropped in any case.
  bool dropout_on() const { return dropout_on_; }
  // Called whenever this layer's own tensors, not those of its children, have been moved: for a layer
  // whose kernel wants them laid out in a way of its own. It changes neither values nor shapes.
  virtual void Moved() {}
  // Whether a call in training draws random numbers.
  virtual bool Draws() const { return false; }
  // Lowers this layer alone; its children follow. Returns whether the lowering changes it.
  virtual absl::StatusOr<bool> LowerSelf(const Lowering& /*lowering*/) { return false; }

  // For a layer that is lowered: takes a tensor out of the state, or all children. Destroy the
  // children afterwards.
  void RemoveTensor(const at::Tensor& member);
  void RemoveChildren() { children_.clear(); }

 private:
  struct Entry {
    std::string name;
    at::Tensor* tensor;
    NamedTensor description;         // without name and tensor
    const at::Tensor* of = nullptr;  // for an alias: the member that it follows
    bool in_state = true;
    bool keeps_dtype = false;
  };
  struct Child {
    std::string name;
    Layer* layer;
  };

  void MoveOwnTensors(at::Device device, at::ScalarType dtype);
  void FollowAliases();

  std::vector<Entry> entries_;  // parameters before buffers
  std::vector<Child> children_;
  bool training_ = false;
  bool dropout_on_ = true;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_LAYER_H_
