#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_TRAINING_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_TRAINING_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// training_program.h: a training step of a model as a program.
//
// A step is the same as in Python: gradients set to none, forward, loss, backward, clip, optimizer;
// autocast covers only forward and loss. Its inputs are the model's, then the targets of the loss.
// With accumulation the batch is cut into parts of equal rows, each with a forward and a backward
// pass of its own, before one update; a loss that is a mean over rows is divided by the number of
// parts. defs/case/training_steps.h says what is verified and under which names.
//
// Dropout is on in timed steps and off in verified ones, since random numbers have no reference.
//
// While a step is timed the learning rate is kTimedLearningRate: the arithmetic costs the same, but
// thousands of steps leave the model close to the one that was verified. The first of the case's
// optimizers is timed.
//
// Not for: data loading, schedules.
//
// Example:
//   auto program = TrainingProgram::Make(std::move(model), implementation, c);
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"
#include "models/model.h"
#include "models/trainable.h"

namespace assay::execution {

class FusedOptimizer;
class GradientScaler;

inline constexpr double kTimedLearningRate = 1e-12;

class TrainingProgram final : public Program {
 public:
  // The case is resolved and therefore consistent. Unimplemented for a model whose code lacks the
  // loss that the case wants, InvalidArgument for one without trainable tensors.
  static absl::StatusOr<std::unique_ptr<Program>> Make(std::unique_ptr<models::Model> model,
                                                       const ModelImplementation& implementation,
                                                       const BenchmarkCase& c);
  ~TrainingProgram() override;

  StateContract Contract() const override { return StateContract::kResettable; }
  bool Differentiates() const override { return true; }
  std::vector<models::NamedTensor> State() override { return model_->State(); }
  void To(at::Device device, at::ScalarType dtype) override;
  Tensors Outputs(TensorsRef inputs) override;
  void Begin(Step step, TensorsRef inputs) override;
  void Prepare(Step step, TensorsRef inputs) override;
  Tensors Call(Step step, TensorsRef inputs) override;
  // The steps of the first optimizer, at its own learning rate and without dropout.
  void BeginVerified(Step step, TensorsRef inputs) override;
  std::vector<VerifiedOutput> Verified(Step step, Tensors returned) override;
  void Reset() override;
  std::optional<double> Drift() const override;
  Tensors Kept() const override;
  std::vector<std::string> Mistakes() const override;
  void MakeMistake(std::string_view mistake) override { mistake_ = mistake; }

 private:
  // One forward pass: over all rows, or over one part of them.
  struct Pass {
    Tensors outputs;
    at::Tensor loss;
    int64_t parts = 1;  // of the batch, of which this is one
    bool differentiated = false;
  };

  TrainingProgram(std::unique_ptr<models::Model> model, models::Trainable* own_loss,
                  const ModelImplementation& implementation, const BenchmarkCase& c);

  // Takes the trainable tensors and a copy of the state, if it has not been done since the last
  // move.
  void Freeze();
  // Restores the frozen state and makes a new optimizer.
  void ResetTo(const Optimizer& optimizer);

  at::Tensor Loss(TensorsRef outputs, TensorsRef targets) const;
  bool IsBatched(size_t input) const { return input < batched_.size() && batched_[input]; }
  int64_t Parts(TensorsRef inputs) const;
  void Forward(TensorsRef inputs, int64_t part, int64_t parts);
  void Forward(TensorsRef inputs);
  void Backward();
  // Throws c10::ValueError where a gradient is sparse.
  void CheckGradients();
  void ClearGradients(bool first = false);
  // Scales the gradients of a row, which is one of `rows`, to the norm that a row may have.
  void ClipRow(int64_t rows);
  void Restore();
  // Lowers the scale until a step does not overflow. The first steps of any run do the same, and
  // change nothing but the scale.
  void SettleScale(TensorsRef inputs);
  // Divides the gradients by the scale, once after each backward pass.
  void Unscale();
  void Update();
  void WholeStep(TensorsRef inputs);
  void PrepareVerifiedUpdate(Step step, TensorsRef inputs);

  Tensors Gradients() const;
  // Appends the outputs that training_steps.h names, from the passes and gradients that exist.
  void AppendForward(Tensors& results) const;
  void AppendBackward(Tensors& results) const;
  size_t OutputsOfForward() const;     // how many of them
  size_t OutputsBeforeUpdate() const;  // and with those of backward
  void AppendAfterUpdate(Tensors& results) const;
  std::vector<VerifiedOutput> VerifiedUpdate() const;

  const std::unique_ptr<models::Model> model_;
  models::Trainable* const own_loss_;  // the model's own loss, where the case trains by it
  const Training training_;
  const Execution execution_;
  const size_t targets_;             // the last inputs that only the loss reads
  const size_t declared_outputs_;    // a model may return more in training, for its loss alone
  const std::vector<bool> batched_;  // for each input: whether the first dimension is the batch
  const bool keeps_statistics_;
  std::string mistake_;  // empty: none

  Tensors trainable_;         // leaves that need gradients
  Tensors buffers_;           // the rest of the state
  Tensors state_, frozen_;    // every tensor of the state, with a copy of its value
  Tensors trainable_frozen_;  // those copies that belong to trainable_
  const bool remembers_;      // calls change what the next one reads
  bool drops_out_ = false;    // calls draw random numbers
  bool verifying_ = false;    // since BeginVerified()
  int64_t forwards_ = 0;      // since then, over all rows
  int verified_steps_ = 0;    // since then, with their updates
  Tensors before_;            // the trainable tensors before the last of these updates
  std::unique_ptr<FusedOptimizer> optimizer_;
  std::unique_ptr<GradientScaler> scaler_;
  bool gradients_checked_ = false;  // of the first backward pass: later ones are alike
  bool scaled_ = false;             // whether the gradients are divided by the scale
  std::vector<Pass> passes_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_TRAINING_PROGRAM_H_
