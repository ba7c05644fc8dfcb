#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_CANDIDATE_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_CANDIDATE_H_

// ---------------------------------------------------------------------------------------------
// candidate.h: a library with a kernel, loaded; its operator; and a call of it with the arguments of
// the operator that it must be like.
//
// Example:
//   absl::StatusOr<std::string> name = LoadCandidate("libmine.so", "");
//   absl::StatusOr<execution::BoundOperator> mine = BindLike(*name, aten_call);
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"

namespace assay::kernel {

// The name of the operator to call, "mine::softmax": `asked`, or the one that the library registers.
// FailedPrecondition in the loader's words for a library that does not load; InvalidArgument for one
// that registers none, or several and none is asked for, or not the one that is.
absl::StatusOr<std::string> LoadCandidate(const std::string& library, const std::string& asked);

// `name` with the values of `like`: an argument takes the value of the one with its name, else of the
// one at its place. An argument of `like` that it lacks must have its default. InvalidArgument, with both
// schemas, where they do not fit.
absl::StatusOr<execution::BoundOperator> BindLike(const std::string& name,
                                                  const execution::BoundOperator& like);

// InvalidArgument for an operator without a kernel that takes CPU tensors, FailedPrecondition for one with a kernel for CUDA alone.
absl::Status HasCpuKernel(const std::string& name);

// Whether a call may leave the argument out. An argument without a default value: whether it is None.
bool IsDefault(const c10::Argument& argument, const c10::IValue& value);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_CANDIDATE_H_
