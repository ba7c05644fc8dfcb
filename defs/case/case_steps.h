#ifndef ASSAY_DEFS_CASE_CASE_STEPS_H_
#define ASSAY_DEFS_CASE_CASE_STEPS_H_

// ---------------------------------------------------------------------------------------------
// case_steps.h: the steps of a case, the parts of its program that can be called and timed.
//
//   forward      from inputs to outputs; in a training case with autograd, and the loss
//   backward     gradients of all trainable tensors from the loss, or of an operator's inputs; a
//                forward before it, untimed
//   optimizer    one step of the optimizer with the gradients of one backward pass
//   train_step   all of these, one after the other
//   prefill      a prompt into an empty cache, and the first new token's logits
//   decode       one more token's logits, at the end of a full cache
//   generate     prefill, then a decode for each further token, each the likeliest
//   preprocess   from photographs to a classifier's input (execution/image_steps.h)
//   postprocess  from its logits to the likeliest classes, or from a detector's outputs to boxes
//                (models/detector.h); a forward before it, untimed
//   h2d, d2h     the inputs to the device, the outputs to the host, from and into pinned memory
//
// Which steps a case has, its kind says (program_kinds.h). A new step is a name, a row there, and the
// code of a program that makes its calls.
//
// Not for: what a step does (benchmarks/harness/programs/program.h).
//
// Example:
//   absl::StatusOr<StepSpec> step = FindStep(c, "backward", CPU);
//   if (step.ok() && step->prepared()) ...
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "defs/case/step_names.h"
#include "defs/proto/suite.pb.h"

namespace assay {

// InvalidArgument, with all names, for a name that no case's step has.
absl::Status CheckStepName(std::string_view name);

// Sets `steps` of a case whose other fields are resolved. Called again after flags have changed
// what they depend on: batch, scaler.
void SetSteps(ResolvedCase& c);

// FailedPrecondition, with the case's steps, for one that it does not have; and for a copy on the
// CPU, where nothing is copied.
absl::StatusOr<StepSpec> FindStep(const ResolvedCase& c, std::string_view name, DeviceType device);

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_CASE_STEPS_H_
