#ifndef ASSAY_MODELS_LAYERS_CORE_LAYERED_MODEL_H_
#define ASSAY_MODELS_LAYERS_CORE_LAYERED_MODEL_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/layered_model.h: a Model whose state is that of the layers it declares.
//
// A family derives from it, declares its layers as members and writes Forward; names, moves and
// the training switch follow.
//
// Not for: models that are files.
//
// Example:
//
//     class Mlp final : public LayeredModel {
//       std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
//         return {dense_.Forward(inputs[0])};
//       }
//       Linear dense_{*this, "dense", {.in = 32, .out = 8}};
//     };
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "defs/case/lowerings.h"
#include "models/layers/core/layer.h"
#include "models/model.h"

namespace assay::models {

class LayeredModel : public Model, public Layer {
 public:
  std::vector<NamedTensor> State() final;
  void To(at::Device device, at::ScalarType dtype) final { MoveTo(device, dtype); }
  void SetTraining(bool training) final { SetLayerTraining(training); }
  bool SetDropout(bool on) final { return SetLayerDropout(on); }
  absl::Status Lower(const Lowering& lowering) final;

 private:
  // Whether what lies between the layers takes integers as well (static_int8.h).
  virtual bool TakesIntegers() const { return false; }
  absl::Status Calibrate(const Lowering& lowering);
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_LAYERED_MODEL_H_
