#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_SEEDED_MODEL_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_SEEDED_MODEL_H_

// ---------------------------------------------------------------------------------------------
// seeded_model.h: a workload's model with its seeded weights, and its inputs.
//
// Weights are made in float32 on the CPU, each tensor keyed by (seed, its name), then moved: the
// same numbers on every machine, rounded once to the case's dtype.
//
// Not for: calling the model (executable.h).
//
// Example:
//   auto model = SeededModel(implementation, case.measured(), seed);        // float32, CPU
//   (*model)->To(at::kCPU, at::kBFloat16);
//   auto inputs = SeededInputs(case.measured(), BF16, seed, at::kCPU);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "defs/suite.pb.h"
#include "models/model.h"

namespace assay::execution {

// Builds the model: float32, on the CPU, floating-point tensors uninitialised. Errors: what
// models::Create returns, or ResourceExhausted where memory does not suffice.
absl::StatusOr<std::unique_ptr<models::Model>> NewModel(const ModelImplementation& implementation,
                                                        const Workload& workload);

// A new model with every tensor filled that needs it (models::NamedTensor).
absl::StatusOr<std::unique_ptr<models::Model>> SeededModel(
    const ModelImplementation& implementation, const Workload& workload, uint64_t seed);

// One tensor for each InputSpec, in order; floating-point ones rounded to `dtype`.
absl::StatusOr<std::vector<at::Tensor>> SeededInputs(const Workload& workload, Dtype dtype,
                                                     uint64_t seed, at::Device device);

// Moves the model's state; ResourceExhausted where memory does not suffice.
absl::Status Move(models::Model& model, at::Device device, Dtype dtype);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_SEEDED_MODEL_H_
