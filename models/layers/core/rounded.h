#ifndef ASSAY_MODELS_LAYERS_CORE_ROUNDED_H_
#define ASSAY_MODELS_LAYERS_CORE_ROUNDED_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/rounded.h: a matrix in few bits.
//
// Not for: its bytes as a kernel wants them (rounded_weight.h: Packed).
//
// Example:
//   Rounded weight = RoundToMxfp8(x);  // weight.numbers (out, in), weight.scales (out, in / 32)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::models {

struct Rounded {
  at::Tensor numbers;  // (out, in): integers, float8_e4m3fn, or codes of float4_e2m1
  at::Tensor scales;   // a scalar, or (out), or (groups, out, 2) with the zeros, or (out, blocks)
  at::Tensor scale = {};  // a scalar by which all scales are multiplied; undefined: 1
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_ROUNDED_H_
