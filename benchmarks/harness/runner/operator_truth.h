#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_OPERATOR_TRUTH_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_OPERATOR_TRUTH_H_

// ---------------------------------------------------------------------------------------------
// operator_truth.h: what an operator's case is compared with. No blob holds it: the operator is
// called here, in this process, on the CPU, with the case's own inputs (rounded to its dtype) cast
// to float64; integers and booleans stay as they are. Where a case differentiates, so does this.
// Where rows do not depend on one another it is called with some of them (compared_rows.h).
//
// The call may name another operator for it (suite.proto: OperatorCall.truth), for kernels that the
// CPU or float64 does not have. It gets the same inputs, and those of the arguments that it has.
//
// What it can't find: a mistake that the operator makes in float64 on the CPU as well.
//
// Not for: the comparison (verification.h).
//
// Example:
//   absl::StatusOr<numerics::ReferenceOutputs> truth = OperatorTruth(c);
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/program.h"
#include "benchmarks/harness/numerics/reference.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// The seeded inputs of the truth's call: rounded to the case's dtype, then cast to float64, on the
// CPU.
absl::StatusOr<execution::Tensors> InputsInFloat64(const ResolvedCase& c);

// Of as many rows as the case's `referenced` workload has, in their order. Outputs are whole up to
// 2^22 elements, and sampled beyond. Errors: those of OperatorProgram::Make, of the call, and
// InvalidArgument where it returns other outputs than the case names.
absl::StatusOr<numerics::ReferenceOutputs> OperatorTruth(const ResolvedCase& c);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_OPERATOR_TRUTH_H_
