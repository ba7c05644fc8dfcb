#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_MEMORY_USE_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_MEMORY_USE_H_

// ---------------------------------------------------------------------------------------------
// memory_use.h: the memory of a program's state and of calls of its steps, found by counting
// tensors (tensor_memory.h) in calls made for that purpose.
//
// The peak of a step is the most memory that one call has allocated at one time; parameters, and
// whatever else existed before the call, are not part of it. The first call fills caches and makes
// an optimizer's state, so a later one is counted.
//
// A leak is memory that each call leaves behind. One more call is made to look for it, and a second
// one if the first left something.
//
// Not for: the memory of the process as a whole (sampling/device).
//
// Example:
//   ProgramMemory memory = StateMemory(program);
//   absl::Status counted = CountMemory(*executable, c, {steps::kForward},
//                                      Calls::kSteady, memory);
// ---------------------------------------------------------------------------------------------

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::costs {

// Bytes of parameters and buffers. Memory under several names counts once.
ProgramMemory StateMemory(execution::Program& program);

enum class Calls {
  kSteady,  // three or four of each step: two warm up, one is counted
  kOne,     // one of each step: figures of a first call, without a search for leaks
};

// Adds an entry for each of `steps` that the case has and that copies nothing. For a program that
// differentiates it also adds the memory that one backward pass and one call of the optimizer leave
// behind. The program is reset afterwards. ResourceExhausted, naming the step, where memory does
// not suffice.
absl::Status CountMemory(execution::Executable& executable, const ResolvedCase& c,
                         absl::Span<const execution::Step> steps, Calls calls,
                         ProgramMemory& memory);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_MEMORY_USE_H_
