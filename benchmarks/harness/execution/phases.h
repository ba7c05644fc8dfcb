#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_PHASES_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_PHASES_H_

// ---------------------------------------------------------------------------------------------
// phases.h: the parts of a training or inference step, each as a workload of its own, so that each
// is timed apart.
//
//   phase       timed                                        done before it, untimed
//   forward     the model on its inputs, no autograd         -
//   backward    gradients of all trainable tensors           forward with autograd; what it starts
//                                                            from (ones) is made once
//   optimizer   one step of SGD with momentum                one forward and backward, once
//   h2d         the inputs to the device, from pinned memory -
//   d2h         the outputs to the host, into pinned memory  -
//
// The optimizer's learning rate is so small that weights keep their values to the last bits: the
// arithmetic costs the same, and the model that was verified is still that model.
//
// Not for: verifying gradients. What is compared with the reference is forward.
//
// Example:
//   auto backward = MakePhase(Phase::kBackward, c, *model, at::kCPU, /*input_sets=*/1);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/workload.h"
#include "defs/suite.pb.h"
#include "models/model.h"

namespace assay::execution {

enum class Phase { kForward, kBackward, kOptimizer, kHostToDevice, kDeviceToHost };

// "forward", "backward", "optimizer", "h2d", "d2h".
std::string_view PhaseName(Phase phase);
// InvalidArgument with the list of names for any other text.
absl::StatusOr<Phase> ParsePhase(std::string_view name);

// FailedPrecondition for a copy phase on the CPU, where nothing is copied.
absl::Status CheckPhase(Phase phase, at::Device device);

// `model` is placed on `device` in the case's dtype, and outlives the result. Errors of
// CheckPhase, SeededInputs and Prepare; FailedPrecondition for a model without trainable tensors.
absl::StatusOr<std::unique_ptr<sampling::Workload>> MakePhase(Phase phase, const ResolvedCase& c,
                                                              models::Model& model,
                                                              at::Device device, int input_sets);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_PHASES_H_
