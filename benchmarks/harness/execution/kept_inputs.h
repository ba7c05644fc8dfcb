#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_KEPT_INPUTS_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_KEPT_INPUTS_H_

// ---------------------------------------------------------------------------------------------
// kept_inputs.h: an executable for a program that writes to its inputs. The program gets copies, so
// that the given tensors stay as they are. Prepare() copies them again, and so does Outputs() before
// its call. The step must be a prepared one (StepSpec): the copies are then not timed.
//
// Outputs() returns tensors of its own, because a program that writes to an input often returns it.
// What Call() returns is valid until the next Prepare().
//
// Not for: programs that leave their inputs alone; they need no copies.
//
// Example:
//   if (!WrittenInputs(c.measured()).empty()) executable = WithKeptInputs(std::move(executable));
// ---------------------------------------------------------------------------------------------

#include <memory>

#include "benchmarks/harness/execution/executable.h"

namespace assay::execution {

std::unique_ptr<Executable> WithKeptInputs(std::unique_ptr<Executable> inner);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_KEPT_INPUTS_H_
