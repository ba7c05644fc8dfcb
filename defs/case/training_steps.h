#ifndef ASSAY_DEFS_CASE_TRAINING_STEPS_H_
#define ASSAY_DEFS_CASE_TRAINING_STEPS_H_

// ---------------------------------------------------------------------------------------------
// training_steps.h: the outputs by which a training case is verified.
//
// They come from steps 1 and 3 of three steps on the same inputs, for each of the case's optimizers
// from the same state: one step shows a wrong gradient, three show a wrong momentum or a stale
// gradient. In this order:
//
//   step1.loss                     before any update, so whatever the optimizer
//   step1.<output>                 of the model
//   step1.gradients                of all trainable tensors in the order of the state, flattened
//                                  and joined, before they are clipped
//   step1.gradient_norms           the L2 norm of each
//   step1.buffers                  all other tensors, flattened and joined, where the implementation
//                                  keeps statistics
//   and for each optimizer
//   <optimizer>.step1.parameters   all trainable tensors after the update, flattened and joined
//   <optimizer>.step1.update_norms the L2 norm of what changed in each
//   <optimizer>.step3.loss, ...    all of the above in the third step
//
// None of them is batched: from the second step on, every number depends on every row.
//
// Not for: computing them (benchmarks/harness/programs/training_program.h).
//
// Example:
//   for (const Optimizer& optimizer : training.optimizers()) Print(OptimizerName(optimizer));
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "defs/proto/suite.pb.h"

namespace assay {

inline constexpr int kLastVerifiedStep = 3;

// "sgd", "adam" or "adamw"; empty where none is set.
std::string OptimizerName(const Optimizer& optimizer);

// Names that no output of a model may have.
inline constexpr std::string_view kTrainingOutputs[] = {"loss",    "gradients",  "gradient_norms",
                                                        "buffers", "parameters", "update_norms"};

// The outputs that the reference holds, in its order; `of_forward` are the model's outputs in the
// same dtype.
std::vector<ExpectedOutput> TrainingOutputs(const std::vector<ExpectedOutput>& of_forward,
                                            const Training& training, bool keeps_statistics,
                                            Dtype dtype);

// Sets the factor of the limits for elements of gradients (VerifyParameters.gradient_factor).
void SetLimitFactors(const VerifyParameters& limits, Workload& workload);

// Whether the loss reads the implementation's targets; false without training.
bool ReadsTargets(const Training& training);

// Whether the output belongs to an optimizer that `training` does not have.
bool IsOfAnotherOptimizer(std::string_view output, const Training& training);

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_TRAINING_STEPS_H_
