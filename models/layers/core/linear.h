#ifndef ASSAY_MODELS_LAYERS_CORE_LINEAR_H_
#define ASSAY_MODELS_LAYERS_CORE_LINEAR_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/linear.h: x W^T + b over the last dimension; names and shapes of torch.nn.Linear.
//
// A lowering that rounds weights puts the weight in few bits in the place of "weight"
// (rounded_weight.h). A layer whose sizes the kernel does not take stays as it is. With int8_static the
// result is integers inside, and floats again outside (static_int8.h).
//
// Not for: activations (use the in-place ATen operator on the result, which is a new tensor).
//
// Example:
//
//     Linear dense{*this, "dense", {.in = 768, .out = 3072}};
//     at::Tensor y = dense.Forward(x);                            // (..., 768) -> (..., 3072)
//     Linear head{*this, "head", {.in = 768, .out = 30522, .tied_weight = &words.weight()}};
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "defs/case/lowerings.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/rounded_weight.h"
#include "models/layers/core/static_int8.h"

namespace assay::models {

struct LinearOptions {
  int64_t in;
  int64_t out;
  bool bias = true;
  double gain = 1;        // factor on the weight's recipe
  bool in_first = false;  // the weight is (in, out), as transformers' Conv1D stores it
  // Another layer's tensor (out, in) that is this one's weight as well, or null: the output layer
  // of a language model, tied to its embedding.
  const at::Tensor* tied_weight = nullptr;
  const at::Tensor* tied_bias = nullptr;  // likewise, (out)
};

class Linear final : public Layer {
 public:
  Linear(Layer& parent, std::string name, const LinearOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  absl::StatusOr<bool> LowerSelf(const Lowering& lowering) override;
  void LowerToInt8(const Lowering& lowering);
  at::Tensor ForwardRounded(const at::Tensor& x) const;
  void AddError(const at::Tensor& x, const at::Tensor& y) const;

  const bool in_first_;
  at::Tensor weight_;                         // (out, in), or (in, out)
  at::Tensor bias_;                           // (out), or undefined
  const WeightRounding* rounding_ = nullptr;  // null: not lowered
  int64_t out_ = 0;                           // features of the result, if lowered
  Packed packed_;                             // lowered, in the place of weight_

  // Lowered, for a judge.
  struct Judged {
    Rounded rounded;
    std::string layer;
    JudgedLayers* into;
  };
  std::unique_ptr<Judged> judged_;  // null: nobody judges

  std::unique_ptr<StaticInt8> int8_;  // null: another lowering, or none
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_LINEAR_H_
