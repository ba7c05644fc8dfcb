#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_SEEDED_EXECUTABLE_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_SEEDED_EXECUTABLE_H_

// ---------------------------------------------------------------------------------------------
// seeded_executable.h: a case's model on the seeded inputs of one of its workloads, ready to call.
//
// Not for: the model's weights (seeded_model.h).
//
// Example:
//   auto executable = PrepareSeeded(c.benchmark_case(), c.verified(), *model, at::kCPU);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "defs/suite.pb.h"
#include "models/model.h"

namespace assay::execution {

// `model` is placed on `device` in the case's dtype, and outlives the result. Errors of
// SeededInputs and Prepare.
absl::StatusOr<std::unique_ptr<Executable>> PrepareSeeded(const BenchmarkCase& benchmark_case,
                                                          const Workload& workload,
                                                          models::Model& model, at::Device device);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_SEEDED_EXECUTABLE_H_
