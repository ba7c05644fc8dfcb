#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_STEPS_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_STEPS_H_

// ---------------------------------------------------------------------------------------------
// steps.h: the names of the steps, the parts of a program that can be called and timed.
//
//   forward      from inputs to outputs; in a training case with autograd, and the loss
//   backward     gradients of all trainable tensors from the loss; a forward before it, untimed
//   optimizer    one step of the optimizer with the gradients of one backward pass
//   train_step   all of these, one after the other
//   preprocess   from photographs to a classifier's input (image_steps.h)
//   postprocess  from its logits to the likeliest classes; a forward before it, untimed
//   h2d, d2h     the inputs to the device, the outputs to the host, from and into pinned memory
//
// A program says which of these it has (program.h); the copies belong to every program on
// a device that is not the host.
//
// Example:
//   absl::StatusOr<Step> step = ParseStep("backward");
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "absl/status/statusor.h"

namespace assay::execution {

enum class Step {
  kForward,
  kBackward,
  kOptimizer,
  kTrainStep,
  kPreprocess,
  kPostprocess,
  kHostToDevice,
  kDeviceToHost
};

// "forward", "backward", "train_step", as above.
std::string_view StepName(Step step);

// InvalidArgument with the list of names for any other text.
absl::StatusOr<Step> ParseStep(std::string_view name);

inline bool IsCopy(Step step) { return step == Step::kHostToDevice || step == Step::kDeviceToHost; }

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_STEPS_H_
