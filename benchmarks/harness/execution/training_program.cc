#include "benchmarks/harness/execution/training_program.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/status/status.h"

namespace assay::execution {
namespace {

// One long vector, a copy.
at::Tensor Joined(const Tensors& tensors) {
  Tensors flat;
  for (const at::Tensor& tensor : tensors) flat.push_back(tensor.detach().reshape({-1}));
  return at::cat(flat);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Program>> TrainingProgram::Make(std::unique_ptr<models::Model> model,
                                                               const Training& training,
                                                               int targets) {
  auto* const trainable = dynamic_cast<models::Trainable*>(model.get());
  if (trainable == nullptr) {
    return absl::UnimplementedError(
        "the model's code has no loss (models/trainable.h), so it cannot be trained");
  }
  if (training.optimizers_size() == 0 || !training.optimizers(0).has_sgd()) {
    return absl::InvalidArgumentError("the case's training names no optimizer; there is sgd");
  }
  model->SetTraining(true);
  return std::unique_ptr<Program>(
      new TrainingProgram(std::move(model), *trainable, training.optimizers(0).sgd(), targets));
}

TrainingProgram::TrainingProgram(std::unique_ptr<models::Model> model, models::Trainable& trainable,
                                 Sgd sgd, int targets)
    : model_(std::move(model)), loss_of_(trainable), options_(std::move(sgd)), targets_(targets) {}

TrainingProgram::~TrainingProgram() = default;

void TrainingProgram::To(at::Device device, at::ScalarType dtype) {
  trainable_.clear();
  state_.clear();
  frozen_.clear();
  sgd_.reset();
  outputs_.clear();
  loss_.reset();
  model_->To(device, dtype);
}

void TrainingProgram::Freeze() {
  if (!state_.empty()) return;
  for (models::NamedTensor& entry : model_->State()) {
    frozen_.push_back(entry.tensor.detach().clone());
    if (entry.trainable) trainable_.push_back(entry.tensor.requires_grad_(true));
    state_.push_back(std::move(entry.tensor));
  }
}

void TrainingProgram::ResetWith(double learning_rate) {
  Freeze();
  const c10::NoGradGuard no_grad;
  for (size_t i = 0; i < state_.size(); ++i) state_[i].copy_(frozen_[i]);
  outputs_.clear();
  loss_.reset();
  // Anew, since momentum is state as well.
  sgd_ = std::make_unique<torch::optim::SGD>(
      trainable_, torch::optim::SGDOptions(learning_rate).momentum(options_.momentum()));
  sgd_->zero_grad();
}

void TrainingProgram::Reset() { ResetWith(options_.learning_rate()); }

void TrainingProgram::Forward(TensorsRef inputs) {
  outputs_.clear();
  loss_.reset();
  const size_t of_model = inputs.size() - static_cast<size_t>(targets_);
  outputs_ = model_->Forward(inputs.slice(0, of_model));
  loss_ = loss_of_.Loss(outputs_, inputs.slice(of_model));
}

void TrainingProgram::Backward() { torch::autograd::backward({loss_}); }

Tensors TrainingProgram::Gradients() const {
  Tensors gradients;
  for (const at::Tensor& tensor : trainable_) {
    // A tensor that the loss does not depend on has none, and its optimizer leaves it alone.
    gradients.push_back(tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor));
  }
  return gradients;
}

void TrainingProgram::AppendStep(Tensors& results) const {
  results.push_back(loss_.detach().clone());
  for (const at::Tensor& output : outputs_) results.push_back(output.detach().clone());
  const Tensors gradients = Gradients();
  results.push_back(Joined(gradients));
  Tensors norms;
  for (const at::Tensor& gradient : gradients) norms.push_back(at::linalg_vector_norm(gradient));
  results.push_back(at::stack(norms));
}

Tensors TrainingProgram::Outputs(TensorsRef inputs) {
  Reset();
  Tensors results;
  for (int step = 1;
       step <= *std::max_element(std::begin(kVerifiedSteps), std::end(kVerifiedSteps)); ++step) {
    const bool seen = std::count(std::begin(kVerifiedSteps), std::end(kVerifiedSteps), step) > 0;
    sgd_->zero_grad();
    Forward(inputs);
    Backward();
    if (seen) AppendStep(results);
    sgd_->step();
    if (seen) results.push_back(Joined(trainable_));
  }
  Reset();
  return results;
}

void TrainingProgram::Begin(Step step, TensorsRef inputs) {
  ResetWith(kTimedLearningRate);
  if (step != Step::kOptimizer) return;
  Forward(inputs);
  Backward();
}

void TrainingProgram::Prepare(Step, TensorsRef inputs) {
  sgd_->zero_grad();
  Forward(inputs);
}

Tensors TrainingProgram::Call(Step step, TensorsRef inputs) {
  switch (step) {
    case Step::kForward:
      Forward(inputs);
      return outputs_;
    case Step::kBackward:
      Backward();
      return Gradients();
    case Step::kOptimizer:
      sgd_->step();
      return {};
    default:
      sgd_->zero_grad();
      Forward(inputs);
      Backward();
      sgd_->step();
      return {};
  }
}

}  // namespace assay::execution
