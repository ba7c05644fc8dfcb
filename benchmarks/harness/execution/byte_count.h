#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_BYTE_COUNT_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_BYTE_COUNT_H_

// ---------------------------------------------------------------------------------------------
// byte_count.h: how many bytes one call has to move at least, from the tensors that its operators
// really see: what a cache that keeps everything from the call's begin to its end would still read
// and write.
//
//   read      memory that was there before the call: inputs, parameters, buffers, what a forward
//             pass saved for backward; each once, however many operators read it
//   written   memory that was there before, where the call writes to it, and memory that the call
//             made and that outlives it: results, gradients, what a forward pass saves
//
// What lies between, one operator's result and the next one's argument, is not counted. Views move
// nothing. Of a table that is looked up (embedding, index_select, gather, ...), the rows that its
// indices name, each once, or as many elements. In place of a tensor that is read in part for
// another reason (a pooling whose windows leave gaps) the whole tensor is counted.
//
// "Unknown" (no number) where a tensor is not strided (sparse, nested) and for operators that are
// not ATen's own: nobody can tell from outside what they touch.
//
// Sees operators, as flop_count.h does, and has the same limits: count the eager call, outside of
// what is timed. The two can watch one call together.
//
// Example:
//   absl::StatusOr<std::optional<int64_t>> bytes = CountBytes(*executable, Step::kForward);
//   if (bytes.ok() && *bytes) Print(**bytes);   // add of two float32 tensors of 1 MiB: 3145728
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::execution {

// Runs `call` once on this thread. What it made and shall count as written must be alive when it
// returns. Errors: those of `call`.
absl::StatusOr<std::optional<int64_t>> CountBytes(absl::FunctionRef<absl::Status()> call);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_BYTE_COUNT_H_
