#ifndef ASSAY_MODELS_LAYERS_CORE_ROUNDED_WEIGHT_H_
#define ASSAY_MODELS_LAYERS_CORE_ROUNDED_WEIGHT_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/rounded_weight.h: the weight of a linear layer in few bits, and LibTorch's
// kernels that multiply by it. A row for each lowering of defs/case/lowerings.h that rounds.
//
//   int8_dynamic  quantized::linear_dynamic: one scale for the weight; inputs on 128 steps of their
//                 own range, as torch.ao.nn.quantized.dynamic.Linear
//   int8_weights  _weight_int8pack_mm: a scale for each row. `in` is a multiple of 16: the kernel reads
//                 16 elements at once, so it would read elements of the next row
//   int4_weights  _weight_int4pack_mm_for_cpu: w = (q - 8) * scale + zero for each group of 128, 64
//                 or 32 elements of a row. `out` is a multiple of 16, `in` of 32
//   fp8_dynamic   _scaled_mm: weight and inputs in float8_e4m3fn, each with one scale, which makes
//                 the largest magnitude 448. `out` and `in` are multiples of 16
//   mxfp8_dynamic, nvfp4_dynamic
//                 _scaled_mm_v2: 8 and 4 bits, with a scale for each block of a row (block_scaled.h). `out`
//                 is a multiple of 16, `in` of 32
//
// Not for: which dtypes and devices a lowering takes (lowerings.h has them).
//
// Example:
//   const WeightRounding* rounding = FindWeightRounding("int4_weights");
//   if (rounding->fits(weight)) {
//     Rounded rounded = rounding->round(weight);                      // weight (out, in)
//     Packed packed = rounding->pack(rounded, bias);
//     at::Tensor y = rounding->multiply(x, packed, bias);             // (rows, in) -> (rows, out)
//     at::Tensor truth = at::linear(rounding->read(x).values, rounding->values(rounded), bias64);
//   }
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>
#include <string_view>

#include "models/layers/core/rounded.h"

namespace c10 {
struct IValue;  // its header takes a second of each file that includes it
}

namespace assay::models {

// A Rounded as the kernel wants it.
struct Packed {
  at::Tensor numbers;
  at::Tensor scales = {};  // undefined where `operand` has them
  at::Tensor scale = {};   // as in Rounded
  std::shared_ptr<const c10::IValue> operand =
      {};  // null, or what the kernel takes in place of tensors
};

// An input (rows, in) as the kernel reads it, float64.
struct ReadInput {
  at::Tensor values;
  // How far another value may be from that: a step where the input lies between two of them, nearer
  // to their middle than float32 tells; else 0. Undefined: 0 everywhere.
  at::Tensor unsure = {};
};

struct WeightRounding {
  std::string_view lowering;
  const char* name;  // of the tensor in the state, in the place of "weight"
  // Whether the kernel takes a weight (out, in) of this shape.
  bool (*fits)(at::IntArrayRef shape);
  Rounded (*round)(const at::Tensor& weight);
  // The values that the kernel multiplies by, float64 (out, in).
  at::Tensor (*values)(const Rounded& rounded);
  ReadInput (*read)(const at::Tensor& x);
  Packed (*pack)(const Rounded& rounded, const at::Tensor& bias);
  // x (rows, in), contiguous -> (rows, out). `bias` may be undefined.
  at::Tensor (*multiply)(const at::Tensor& x, const Packed& packed, const at::Tensor& bias);
};

// Null for a lowering that rounds no weights.
const WeightRounding* FindWeightRounding(std::string_view lowering);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_ROUNDED_WEIGHT_H_
