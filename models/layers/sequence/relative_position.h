#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_RELATIVE_POSITION_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_RELATIVE_POSITION_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/relative_position.h: the number that attention inside a square window adds to its
// scores for each difference of positions.
//
// A window of side W has W * W tokens, row by row, and (2W - 1) * (2W - 1) differences between two of
// them. A table has a row for each difference and a column for each head; the index says which row
// each pair of tokens reads.
//
// Not for: windows that are not square; positions in a sequence.
//
// Example:
//
//     AddBuffer("relative_position_index", RelativePositionIndex(7).flatten(), index_);
//     scores.add_(RelativePositionBias(table_, index_));          // (windows, heads, 49, 49)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::models {

// Rows of a table that has one for each difference of positions.
inline int64_t RelativePositions(int64_t side) { return (2 * side - 1) * (2 * side - 1); }

// int64 (W * W, W * W): of the difference first token minus second.
at::Tensor RelativePositionIndex(int64_t side);

// table (RelativePositions(W), heads), index of W^4 elements -> (1, heads, W * W, W * W).
at::Tensor RelativePositionBias(const at::Tensor& table, const at::Tensor& index);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_RELATIVE_POSITION_H_
