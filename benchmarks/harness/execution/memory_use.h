#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_MEMORY_USE_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_MEMORY_USE_H_

// ---------------------------------------------------------------------------------------------
// memory_use.h: what of a program lies in memory, and what calls of its steps take, by counting
// tensors (tensor_memory.h) in calls of its own.
//
// The peak of a step is what one call allocates itself, at most at once: parameters, and whatever
// else was alive before the call, are not part of it. It is taken from a call that others went
// before, since the first one fills caches and makes an optimizer's state.
//
// A leak is memory that each call leaves behind: it is looked for in one call more, and in a second
// one where the first left something.
//
// Not for: the memory of the process as a whole (sampling/device).
//
// Example:
//   ProgramMemory memory = StateMemory(program);
//   absl::Status counted = CountMemory(program, *executable, {Step::kForward}, Calls::kSteady,
//                                      memory);
// ---------------------------------------------------------------------------------------------

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/program.h"
#include "defs/record.pb.h"

namespace assay::execution {

// Parameters and buffers. Memory under several names counts once.
ProgramMemory StateMemory(Program& program);

enum class Calls {
  kSteady,  // three or four of each step: two that warm up, one that is counted
  kOne,     // one of each step: its figures hold what a first call allocates; leaks are not seen
};

// Adds an entry for each of `steps` (no copies) and, of a program that differentiates, what one
// backward pass and one call of the optimizer leave in memory. The program is reset afterwards.
// ResourceExhausted, naming the step, where memory does not suffice.
absl::Status CountMemory(Program& program, Executable& executable, absl::Span<const Step> steps,
                         Calls calls, ProgramMemory& memory);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_MEMORY_USE_H_
