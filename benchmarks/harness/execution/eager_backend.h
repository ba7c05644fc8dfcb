#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_EAGER_BACKEND_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_EAGER_BACKEND_H_

// ---------------------------------------------------------------------------------------------
// eager_backend.h: the back end eager: ATen operators called one by one, as in Python without
// torch.compile. It has every step of every program. Whatever the case's back end is, costs and
// plain baselines are computed by it.
//
// Example:
//   std::unique_ptr<Executable> eager = LoadEager(execution, program);
//   absl::StatusOr<Tensors> outputs = OutputsOf(*eager, inputs);
// ---------------------------------------------------------------------------------------------

#include <memory>

#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::execution {

// `program` outlives the result. What `execution` says of the back end is not read.
std::unique_ptr<Executable> LoadEager(const Execution& execution, Program& program);

// Puts inputs and, where it is not so yet, the program's state into the memory format.
Tensors LaidOut(Tensors inputs, MemoryFormat format, Program& program);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_EAGER_BACKEND_H_
