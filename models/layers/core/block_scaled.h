#ifndef ASSAY_MODELS_LAYERS_CORE_BLOCK_SCALED_H_
#define ASSAY_MODELS_LAYERS_CORE_BLOCK_SCALED_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/block_scaled.h: matrices in few bits, with a scale for each block of a row.
//
//   MXFP8  of OCP's Microscaling specification 1.0: float8_e4m3fn, and for each 32 elements a power of
//          two in float8_e8m0fnu. It is the smallest by which no element exceeds 448. (The
//          specification recommends the next smaller one where the largest element would lie between
//          448 and 512, and cuts it off at 448. NVIDIA's kernels and torchao do as this file does.)
//   NVFP4  of NVIDIA: float4_e2m1, for each 16 elements a scale in float8_e4m3fn, and for the matrix one
//          in float32, by which no scale exceeds 448. A scale is rounded to the nearest, so the largest
//          element may exceed 6 by a sixteenth. It is cut off at 6.
//
// A block of zeros has the smallest scale that there is. Where an element is NaN or infinite, all
// products with its block (with NVFP4: with the matrix) are NaN.
//
// Not for: products (rounded_weight.h).
//
// Example:
//   const Rounded rounded = RoundToNvfp4(x);                              // x (rows, in)
//   const at::Tensor bytes = InPairs(rounded.numbers), scales = InTiles(rounded.scales);
//   const double error = (ValuesOfNvfp4(rounded) - x).abs().max().item<double>();
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include "models/layers/core/rounded.h"

namespace assay::models {

// x (rows, in), contiguous; `in` is a multiple of the block.
Rounded RoundToMxfp8(const at::Tensor& x);
Rounded RoundToNvfp4(const at::Tensor& x);

// The rounded values, float64 (rows, in).
at::Tensor ValuesOfMxfp8(const Rounded& rounded);
at::Tensor ValuesOfNvfp4(const Rounded& rounded);

// Codes of float4_e2m1, a byte each (rows, in) -> two to a byte (rows, in / 2), the first in the low bits.
at::Tensor InPairs(const at::Tensor& codes);

// scales (rows, blocks), a byte each -> the order in which NVIDIA's kernels read them, one dimension: in
// tiles of 128 rows and 4 blocks, filled up with zeros. Row r and block b of a tile have byte
// 16 (r % 32) + 4 (r / 32) + b of its 512 (cuBLAS, "1D block scaling factors layout").
at::Tensor InTiles(const at::Tensor& scales);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_BLOCK_SCALED_H_
