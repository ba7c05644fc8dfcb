#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_TRAINING_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_TRAINING_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// training_program.h: a training step of a model as a program.
//
// A step is what it is in Python: gradients set to none, forward, loss, backward, optimizer. Its
// inputs are the model's, then the targets of the loss.
//
// What is verified are three steps on the same inputs, seen after the first and the third
// (kVerifiedSteps): a wrong momentum or a stale gradient does not show before the second. For each
// of the two, in this order: the loss; the model's outputs, before the parameters move; all
// gradients, flattened and joined in the order of the state; the L2 norm of each; all trainable
// tensors after the step, flattened and joined. defs/case_resolution.cc gives them their names.
//
// While a step is timed the learning rate is kTimedLearningRate: the arithmetic costs the same, but
// the model stays the one that was verified, however many thousand steps are taken.
//
// Not for: data loading, schedules, gradient scaling.
//
// Example:
//   auto program = TrainingProgram::Make(std::move(model), c.benchmark_case().training(), targets);
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/program.h"
#include "defs/suite.pb.h"
#include "models/model.h"
#include "models/trainable.h"

namespace torch::optim {
class SGD;
}  // namespace torch::optim

namespace assay::execution {

inline constexpr int kVerifiedSteps[] = {1, 3};
inline constexpr double kTimedLearningRate = 1e-12;

class TrainingProgram final : public Program {
 public:
  // `targets`: how many of the inputs, the last ones, only the loss reads. Unimplemented for a
  // model without a loss; InvalidArgument where no optimizer is named.
  static absl::StatusOr<std::unique_ptr<Program>> Make(std::unique_ptr<models::Model> model,
                                                       const Training& training, int targets);
  ~TrainingProgram() override;

  std::vector<Step> Steps() const override {
    return {Step::kForward, Step::kBackward, Step::kOptimizer, Step::kTrainStep};
  }
  StateContract Contract() const override { return StateContract::kResettable; }
  bool Differentiates() const override { return true; }
  std::vector<models::NamedTensor> State() override { return model_->State(); }
  void To(at::Device device, at::ScalarType dtype) override;
  Tensors Outputs(TensorsRef inputs) override;
  void Begin(Step step, TensorsRef inputs) override;
  bool NeedsPreparation(Step step) const override { return step == Step::kBackward; }
  void Prepare(Step step, TensorsRef inputs) override;
  Tensors Call(Step step, TensorsRef inputs) override;
  void Reset() override;

 private:
  TrainingProgram(std::unique_ptr<models::Model> model, models::Trainable& trainable, Sgd sgd,
                  int targets);

  // Takes the trainable tensors and a copy of the state, if it has not been done since the last
  // move.
  void Freeze();
  void ResetWith(double learning_rate);
  // Forward and loss, with the graph that Backward() needs.
  void Forward(TensorsRef inputs);
  void Backward();
  Tensors Gradients() const;
  void AppendStep(Tensors& results) const;

  const std::unique_ptr<models::Model> model_;
  models::Trainable& loss_of_;
  const Sgd options_;
  const int targets_;
  Tensors trainable_;       // leaves that ask for gradients
  Tensors state_, frozen_;  // every tensor of the state, and what it was
  std::unique_ptr<torch::optim::SGD> sgd_;
  Tensors outputs_;
  at::Tensor loss_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_TRAINING_PROGRAM_H_
