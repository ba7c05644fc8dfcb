#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_BYTE_COUNT_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_BYTE_COUNT_H_

// ---------------------------------------------------------------------------------------------
// byte_count.h: counts the bytes that one call must move at least, from the tensors that its
// operators really see: the bytes that remain if a cache keeps everything from the call's begin to
// its end; and the operators that move bytes.
//
//   read      memory that was there before the call: inputs, parameters, buffers, what a forward
//             pass saved for backward; each once, however many operators read it
//   written   memory that was there before, where the call writes to it, and memory that the call
//             made and that outlives it: results, gradients, what a forward pass saves
//
// Memory in between, one operator's result and the next one's argument, is not counted. Views move
// nothing. A lookup in a table (embedding, index_select, gather, ...) counts the rows that its
// indices name, each once, or as many elements. A tensor that is read in part for another reason (a
// pooling whose windows leave gaps) is counted whole.
//
// "Unknown" (no number) where a tensor is not strided (sparse, nested) and for operators that are
// not ATen's own: what they touch cannot be seen from outside.
//
// An operator counts if it reads or writes memory. Views, allocations and operators that only
// call others (linear) do not count. What an operator calls within is its own affair: a convolution is
// one, whichever algorithm the instruction set chooses. On CUDA each is one kernel or a few.
//
// Sees operators, as flop_count.h does, and has the same limits: count the eager call, outside of
// timed calls. Both can watch the same call.
//
// Example:
//   const absl::StatusOr<ByteCount> count = CountBytes([&] {
//     sum = at::add(a, b);                                  // float32 tensors of 1 MiB
//     return absl::OkStatus();
//   });
//   if (count.ok() && count->bytes) Print(*count->bytes);   // 3145728
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::costs {

struct ByteCount {
  std::optional<int64_t> bytes;  // nothing: unknown
  int32_t operators = 0;
};

// Runs `call` once on this thread. Results that shall count as written must still exist when it
// returns. Errors: those of `call`.
absl::StatusOr<ByteCount> CountBytes(absl::FunctionRef<absl::Status()> call);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_BYTE_COUNT_H_
