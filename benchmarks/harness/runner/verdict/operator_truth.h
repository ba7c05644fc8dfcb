#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_OPERATOR_TRUTH_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_OPERATOR_TRUTH_H_

// ---------------------------------------------------------------------------------------------
// operator_truth.h: computes the reference of an operator's case. No blob holds it: this process
// calls the operator on the CPU, with the case's own inputs (rounded to its dtype) cast to float64;
// integers and booleans stay as they are. It differentiates where the case does. Where rows do not
// depend on one another it is called with some of them (compared_rows.h).
//
// For kernels that the CPU or float64 does not have, the call may name another operator
// (suite.proto: OperatorCall.truth). That one gets the same inputs, and the arguments that it
// knows.
//
// LibTorch's own kernels compute it, also where somebody has registered others over them
// (execution/kernels_over_aten.h). It cannot find a fault that the operator has in float64 on the CPU
// as well.
//
// Not for: the comparison (verification.h).
//
// Example:
//   absl::StatusOr<numerics::ReferenceOutputs> truth = OperatorTruth(c);
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/numerics/comparison.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// The inputs of the reference's call: the seeded inputs, rounded to the case's dtype, then cast to
// float64, on the CPU.
absl::StatusOr<execution::Tensors> InputsInFloat64(const ResolvedCase& c);

// Moves the tensors to the CPU; those of floating point become float64.
absl::Status ToFloat64(execution::Tensors& tensors);

// The reference, with as many rows as the case's `referenced` workload, in their order. Outputs
// are whole up to 2^22 elements, and sampled beyond. Errors: those of OperatorProgram::Make, of the
// call, InvalidArgument where it returns other outputs than the case names, and NOT_VERIFIED
// (run_status.h) where another kernel cannot be taken away.
absl::StatusOr<numerics::ReferenceOutputs> OperatorTruth(const ResolvedCase& c);

// The program's outputs in float64 on the CPU, from these inputs and from its weights, which stay
// rounded to the dtype that they have. The program is moved there, and stays.
absl::StatusOr<execution::Tensors> OutputsInFloat64(execution::Program& program,
                                                    execution::Tensors inputs);

// The reference whose outputs these are, under the names of `named`; whole or sampled as above.
// InvalidArgument where there are more or fewer: `returned_by` is who the error says returned them.
absl::StatusOr<numerics::ReferenceOutputs> TruthOf(std::string_view returned_by,
                                                   const numerics::ExpectedOutputs& named,
                                                   const execution::Tensors& outputs);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_OPERATOR_TRUTH_H_
