#ifndef ASSAY_MODELS_LAYERS_CORE_LINEAR_H_
#define ASSAY_MODELS_LAYERS_CORE_LINEAR_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/linear.h: x W^T + b over the last dimension; names and shapes of torch.nn.Linear.
//
// Lowered to int8_dynamic it does what torch.ao.nn.quantized.dynamic.Linear does: the weight is
// rounded to 8 bits with one scale, the input in each call to 7 with a scale and a zero of that call,
// and products are summed as integers. Float32, on the CPU.
//
// Lowered to int8_weights the weight alone is rounded, with a scale for each of its rows, and the
// kernel (_weight_int8pack_mm) multiplies in bf16: half the bytes to read. On the CPU; a layer whose
// `in` is no multiple of 16, which the kernel wants, stays as it is.
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
#include <string_view>

#include "absl/status/statusor.h"
#include "models/layers/core/layer.h"

namespace c10 {
struct IValue;  // its header takes a second of each file that includes it
}

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
  absl::StatusOr<bool> LowerSelf(std::string_view lowering) override;
  absl::StatusOr<bool> RoundWeight();
  // Puts `int8` into the place of the weight.
  void ReplaceWeight(at::Tensor int8);

  const bool in_first_;
  at::Tensor weight_;  // (out, in), or (in, out)
  at::Tensor bias_;    // (out), or undefined
  // Lowered, in the place of weight_: (out, in) of 8 bits, and its scales, (out), or for
  // int8_dynamic the same as the kernel wants it, with the bias.
  at::Tensor int8_;
  at::Tensor scales_;
  std::shared_ptr<const c10::IValue> packed_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_LINEAR_H_
