#include "benchmarks/harness/programs/training_program.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/programs/autocast.h"
#include "benchmarks/harness/programs/fused_optimizer.h"
#include "benchmarks/harness/programs/gradient_scaler.h"
#include "defs/case/case_steps.h"
#include "defs/case/program_kinds.h"
#include "defs/case/training_steps.h"

namespace assay::execution {
namespace {

// The names of the mistakes.
constexpr std::string_view kMissingGradient = "missing_gradient", kStaleGradient = "stale_gradient",
                           kBiasCorrection = "bias_correction", kScaledGradient = "scaled_gradient",
                           kUnclippedRows = "unclipped_rows";

// One long vector, copied.
at::Tensor Joined(const Tensors& tensors, at::ScalarType dtype) {
  Tensors flat;
  for (const at::Tensor& tensor : tensors) flat.push_back(tensor.detach().reshape({-1}).to(dtype));
  return at::concat(flat);
}

// Sums in float64: Adam's first updates are nearly all of one size, and float32 sums of equal
// squares drift by 1e-4.
at::Tensor Norms(const Tensors& tensors, at::ScalarType dtype) {
  Tensors norms;
  for (const at::Tensor& tensor : tensors) {
    norms.push_back(at::linalg_vector_norm(tensor.detach(), 2, /*dim=*/std::nullopt,
                                           /*keepdim=*/false, at::kDouble));
  }
  return at::stack(norms).to(dtype);
}

// The gradients that exist.
Tensors Existing(const Tensors& parameters) {
  Tensors gradients;
  for (const at::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  return gradients;
}

Tensors Copies(const Tensors& tensors) {
  Tensors copies;
  for (const at::Tensor& tensor : tensors) copies.push_back(tensor.detach().clone());
  return copies;
}

bool Remembers(const models::Model& model) {
  const auto* trainable = dynamic_cast<const models::Trainable*>(&model);
  return trainable != nullptr && trainable->Remembers();
}

std::vector<bool> BatchedInputs(const ModelImplementation& implementation, const BenchmarkCase& c) {
  std::vector<bool> batched;
  for (const InputSpec& spec : InputSpecsOf(implementation, c))
    batched.push_back(spec.shape_size() > 0 && spec.shape(0) == "batch");
  return batched;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Program>> TrainingProgram::Make(
    std::unique_ptr<models::Model> model, const ModelImplementation& implementation,
    const BenchmarkCase& c) {
  const Training& training = c.training();
  auto* const own_loss = dynamic_cast<models::Trainable*>(model.get());
  if (training.loss() == OWN && own_loss == nullptr) {
    return absl::UnimplementedError(
        "the model's code has no loss (models/trainable.h); the case's training may say "
        "cross_entropy, sum or mean");
  }
  if (training.optimizers_size() == 0) {
    return absl::InvalidArgumentError(
        "the case's training names no optimizer; there are sgd, adam, adamw");
  }
  const std::vector<bool> batched = BatchedInputs(implementation, c);
  if (training.row_clip_norm() > 0 &&
      (implementation.keeps_statistics() ||
       !std::all_of(batched.begin(), batched.end(), [](bool rows) { return rows; }))) {
    return absl::InvalidArgumentError(absl::StrCat("row_clip_norm: a row of implementation ",
                                                   implementation.name(),
                                                   " is no batch of its own; every input needs the "
                                                   "batch as its first dimension, and there may "
                                                   "be no batch norm"));
  }
  if (training.row_clip_norm() > 0 && c.execution().grad_scaler()) {
    return absl::InvalidArgumentError(
        "the case scales the gradients of each row, which a scaled loss would change; leave "
        "--autocast=fp16 or --grad-scaler out");
  }
  const std::vector<models::NamedTensor> state = model->State();
  if (std::none_of(state.begin(), state.end(),
                   [](const models::NamedTensor& entry) { return entry.trainable; })) {
    return absl::InvalidArgumentError(
        absl::StrCat("implementation ", implementation.name(),
                     " has no trainable tensor, so there is nothing to train"));
  }
  model->SetTraining(true);
  return std::unique_ptr<Program>(new TrainingProgram(
      std::move(model), training.loss() == OWN ? own_loss : nullptr, implementation, c));
}

TrainingProgram::TrainingProgram(std::unique_ptr<models::Model> model, models::Trainable* own_loss,
                                 const ModelImplementation& implementation, const BenchmarkCase& c)
    : model_(std::move(model)),
      own_loss_(own_loss),
      training_(c.training()),
      execution_(c.execution()),
      targets_(ReadsTargets(training_) ? static_cast<size_t>(implementation.targets_size()) : 0),
      declared_outputs_(static_cast<size_t>(implementation.outputs_size())),
      batched_(BatchedInputs(implementation, c)),
      keeps_statistics_(implementation.keeps_statistics()),
      remembers_(Remembers(*model_)) {}

TrainingProgram::~TrainingProgram() = default;

void TrainingProgram::To(at::Device device, at::ScalarType dtype) {
  trainable_.clear();
  buffers_.clear();
  state_.clear();
  frozen_.clear();
  trainable_frozen_.clear();
  optimizer_.reset();
  scaler_.reset();
  passes_.clear();
  model_->To(device, dtype);
}

void TrainingProgram::Freeze() {
  if (!state_.empty()) return;
  for (models::NamedTensor& entry : model_->State()) {
    frozen_.push_back(entry.tensor.detach().clone());
    state_.push_back(entry.tensor);
    if (entry.alias) continue;
    if (entry.trainable) {
      trainable_.push_back(entry.tensor.requires_grad_(true));
      trainable_frozen_.push_back(frozen_.back());
    } else {
      buffers_.push_back(entry.tensor);
    }
  }
}

void TrainingProgram::Restore() {
  const c10::NoGradGuard no_grad;
  for (size_t i = 0; i < state_.size(); ++i) state_[i].copy_(frozen_[i]);
  passes_.clear();
  before_.clear();
  ClearGradients(/*first=*/true);
}

void TrainingProgram::ResetTo(const Optimizer& optimizer) {
  Freeze();
  Restore();
  optimizer_ = std::make_unique<FusedOptimizer>(optimizer, trainable_);
  if (mistake_ == kBiasCorrection) optimizer_->MiscountBy(1);
  if (execution_.grad_scaler())
    scaler_ = std::make_unique<GradientScaler>(trainable_.at(0).device());
}

void TrainingProgram::SettleScale(TensorsRef inputs) {
  constexpr int kHalvings = 24;  // of 2^16: far below 1
  bool settled = scaler_ == nullptr;
  for (int i = 0; !settled && i < kHalvings; ++i) {
    WholeStep(inputs);
    Unscale();
    settled = scaler_->found_inf().item<float>() == 0;
    scaler_->Update();
  }
  if (scaler_) Restore();
}

void TrainingProgram::Reset() { ResetTo(training_.optimizers(0)); }

at::Tensor TrainingProgram::Loss(TensorsRef outputs, TensorsRef targets) const {
  if (own_loss_ != nullptr) return own_loss_->Loss(outputs, targets);
  if (training_.loss() == CROSS_ENTROPY) return at::cross_entropy_loss(outputs[0], targets[0]);
  const bool is_mean = training_.loss() == MEAN;
  at::Tensor sum;
  int64_t count = 0;
  for (const at::Tensor& output : outputs) {
    if (!output.is_floating_point()) continue;
    const at::Tensor part = is_mean ? output.sum() / output.numel() : output.sum();
    sum = sum.defined() ? sum + part : part;
    ++count;
  }
  return is_mean ? sum / count : sum;
}

// Never more parts than rows: the smoke test's workload has few.
int64_t TrainingProgram::Parts(TensorsRef inputs) const {
  int64_t parts = std::max<int64_t>(execution_.accumulation(), 1);
  if (training_.row_clip_norm() > 0) parts = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (IsBatched(i)) parts = std::min(parts, inputs[i].size(0));
  }
  return parts;
}

void TrainingProgram::Forward(TensorsRef inputs, int64_t part, int64_t parts) {
  Tensors rows = inputs.vec();
  for (size_t i = 0; parts > 1 && i < rows.size(); ++i) {
    if (!IsBatched(i)) continue;
    const int64_t size = rows[i].size(0) / parts;
    rows[i] = rows[i].narrow(0, part * size, size);
  }
  const size_t of_model = rows.size() - targets_;
  Pass pass;
  pass.parts = parts;
  pass.outputs = model_->Forward(TensorsRef(rows).slice(0, of_model));
  pass.loss = Loss(pass.outputs, TensorsRef(rows).slice(of_model));
  if (parts > 1 && training_.loss() != SUM) pass.loss = pass.loss / parts;
  passes_.push_back(std::move(pass));
}

void TrainingProgram::Forward(TensorsRef inputs) {
  ++forwards_;
  passes_.clear();
  const int64_t parts = Parts(inputs);
  for (int64_t part = 0; part < parts; ++part) Forward(inputs, part, parts);
}

void TrainingProgram::CheckGradients() {
  for (const models::NamedTensor& entry : model_->State()) {
    const at::Tensor& gradient = entry.tensor.grad();
    TORCH_CHECK_VALUE(
        !gradient.defined() || gradient.layout() == at::kStrided, "parameter \"", entry.name,
        "\" has a sparse gradient, which no optimizer here takes; its "
        "layer should make a dense one, as at::embedding_bag does with sparse = false");
  }
  gradients_checked_ = true;
}

// Runs the backward pass of every forward pass that has not had it.
void TrainingProgram::Backward() {
  const AutocastPause pause(trainable_.at(0).device().type());
  for (Pass& pass : passes_) {
    if (pass.differentiated) continue;
    const bool clips = training_.row_clip_norm() > 0;
    Tensors earlier;
    for (size_t i = 0; clips && i < trainable_.size(); ++i)
      earlier.push_back(std::exchange(trainable_[i].mutable_grad(), {}));
    torch::autograd::backward({scaler_ ? scaler_->Scale(pass.loss) : pass.loss});
    pass.differentiated = true;
    if (clips && mistake_ != kUnclippedRows) ClipRow(pass.parts);
    const c10::NoGradGuard no_grad;
    for (size_t i = 0; i < earlier.size(); ++i) {
      if (!earlier[i].defined()) continue;
      const at::Tensor of_row = trainable_[i].grad();
      trainable_[i].mutable_grad() = of_row.defined() ? earlier[i].add_(of_row) : earlier[i];
    }
  }
  if (!gradients_checked_) CheckGradients();
  scaled_ = scaler_ != nullptr;
  if (mistake_ == kMissingGradient) trainable_[trainable_.size() / 2].mutable_grad().zero_();
}

// Opacus' rule. The loss of a row is divided by their number unless losses are summed.
void TrainingProgram::ClipRow(int64_t rows) {
  const c10::NoGradGuard no_grad;
  const Tensors gradients = Existing(trainable_);
  at::Tensor norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients)));
  if (training_.loss() != SUM) norm = norm * rows;
  at::_foreach_mul_(gradients, (training_.row_clip_norm() / (norm + 1e-6)).clamp_max(1));
}

void TrainingProgram::ClearGradients(bool first) {
  if (mistake_ == kStaleGradient && !first) return;
  for (at::Tensor& tensor : trainable_) tensor.mutable_grad().reset();
}

void TrainingProgram::Unscale() {
  if (!scaled_) return;
  scaled_ = false;
  if (mistake_ != kScaledGradient) scaler_->Unscale(Existing(trainable_));
}

void TrainingProgram::Update() {
  const AutocastPause pause(trainable_.at(0).device().type());
  const c10::NoGradGuard no_grad;
  Unscale();
  if (training_.clip_norm() > 0) {
    const Tensors gradients = Existing(trainable_);
    // torch.nn.utils.clip_grad_norm_.
    const at::Tensor norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients)));
    at::_foreach_mul_(gradients, (training_.clip_norm() / (norm + 1e-6)).clamp_max(1));
  }
  optimizer_->Step(scaler_ ? scaler_->found_inf() : at::Tensor());
  if (scaler_) scaler_->Update();
}

void TrainingProgram::WholeStep(TensorsRef inputs) {
  ClearGradients();
  passes_.clear();
  const int64_t parts = Parts(inputs);
  for (int64_t part = 0; part < parts; ++part) {
    Forward(inputs, part, parts);
    Backward();
  }
}

Tensors TrainingProgram::Gradients() const {
  Tensors gradients;
  for (const at::Tensor& tensor : trainable_) {
    // A tensor that the loss does not depend on has no gradient, and its optimizer leaves it
    // unchanged.
    gradients.push_back(tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor));
  }
  return gradients;
}

void TrainingProgram::AppendForward(Tensors& results) const {
  at::Tensor loss;
  // If there are fewer outputs than declared, the comparison reports it.
  std::vector<Tensors> outputs(std::min(declared_outputs_, passes_.at(0).outputs.size()));
  for (const Pass& pass : passes_) {
    loss = loss.defined() ? loss + pass.loss.detach() : pass.loss.detach().clone();
    for (size_t i = 0; i < outputs.size(); ++i) outputs[i].push_back(pass.outputs[i].detach());
  }
  results.push_back(loss);
  for (const Tensors& parts : outputs) {
    results.push_back(parts.size() > 1 ? at::concat(parts) : parts[0].clone());
  }
}

void TrainingProgram::AppendBackward(Tensors& results) const {
  const at::ScalarType dtype = trainable_[0].scalar_type();
  const Tensors gradients = Gradients();
  results.push_back(Joined(gradients, dtype));
  results.push_back(Norms(gradients, dtype));
  if (keeps_statistics_) results.push_back(Joined(buffers_, dtype));
}

void TrainingProgram::AppendAfterUpdate(Tensors& results) const {
  const c10::NoGradGuard no_grad;
  Tensors updates;
  for (size_t i = 0; i < trainable_.size(); ++i) updates.push_back(trainable_[i] - before_[i]);
  const at::ScalarType dtype = trainable_[0].scalar_type();
  results.push_back(Joined(trainable_, dtype));
  results.push_back(Norms(updates, dtype));
}

Tensors TrainingProgram::Outputs(TensorsRef inputs) {
  model_->SetDropout(false);
  Tensors results;
  for (const Optimizer& optimizer : training_.optimizers()) {
    ResetTo(optimizer);
    SettleScale(inputs);
    for (int step = 1; step <= kLastVerifiedStep; ++step) {
      WholeStep(inputs);
      Unscale();
      const bool seen = step == 1 || step == kLastVerifiedStep;
      if (seen && (step > 1 || results.empty())) {
        AppendForward(results);
        AppendBackward(results);
      }
      if (seen) before_ = Copies(trainable_);
      Update();
      if (seen) AppendAfterUpdate(results);
    }
  }
  Reset();
  return results;
}

void TrainingProgram::Begin(Step step, TensorsRef inputs) {
  Reset();
  verifying_ = false;
  drops_out_ = model_->SetDropout(true);
  SettleScale(inputs);
  optimizer_->SetLearningRate(kTimedLearningRate);
  if (step == steps::kOptimizer) WholeStep(inputs);
}

void TrainingProgram::BeginVerified(Step /*step*/, TensorsRef inputs) {
  Reset();
  model_->SetDropout(false);
  SettleScale(inputs);
  verifying_ = true;
  forwards_ = verified_steps_ = 0;
}

// Positions are: the loss, the outputs; the gradients and their norms, the buffers; the parameters
// and the norms of their updates.
size_t TrainingProgram::OutputsOfForward() const {
  return 1 + std::min(declared_outputs_, passes_.at(0).outputs.size());
}

size_t TrainingProgram::OutputsBeforeUpdate() const {
  return OutputsOfForward() + 2 + keeps_statistics_;
}

// The outputs of one update, or of the last one that has a reference.
std::vector<VerifiedOutput> TrainingProgram::VerifiedUpdate() const {
  const size_t updated = OutputsBeforeUpdate();
  Tensors results;
  if (verified_steps_ == kLastVerifiedStep) {
    AppendForward(results);
    AppendBackward(results);
  }
  AppendAfterUpdate(results);
  const size_t first = verified_steps_ == kLastVerifiedStep ? updated + 2 : updated;
  std::vector<VerifiedOutput> outputs = InPlaces(std::move(results), first);
  // The reference has gradients before they are clipped, in place.
  if (training_.clip_norm() > 0 && verified_steps_ == kLastVerifiedStep) {
    const auto gradients = outputs.begin() + static_cast<std::ptrdiff_t>(OutputsOfForward());
    outputs.erase(gradients, gradients + 2);
  }
  return outputs;
}

std::vector<VerifiedOutput> TrainingProgram::Verified(Step step, Tensors /*returned*/) {
  if (passes_.empty()) return {};  // no forward pass was made
  Tensors results;
  if (step == steps::kForward) {
    AppendForward(results);
    return InPlaces(std::move(results), 0);
  }
  if (step != steps::kBackward) return VerifiedUpdate();
  Unscale();
  AppendBackward(results);
  // Each forward pass changes the statistics; the reference has them after one.
  if (keeps_statistics_ && forwards_ > 1) results.pop_back();
  return InPlaces(std::move(results), OutputsOfForward());
}

// Makes the gradients that an update needs.
void TrainingProgram::PrepareVerifiedUpdate(Step step, TensorsRef inputs) {
  if (step == steps::kOptimizer) WholeStep(inputs);
  ++verified_steps_;
  before_ = Copies(trainable_);
}

void TrainingProgram::Prepare(Step step, TensorsRef inputs) {
  const bool updates = step == steps::kOptimizer || step == steps::kTrainStep;
  if (updates && verifying_) return PrepareVerifiedUpdate(step, inputs);
  if (step == steps::kOptimizer) return WholeStep(inputs);
  ClearGradients();
  Forward(inputs);
}

std::optional<double> TrainingProgram::Drift() const {
  if (trainable_.empty()) return std::nullopt;  // nothing was called since the last move
  const c10::NoGradGuard no_grad;
  Tensors moved;
  for (size_t i = 0; i < trainable_.size(); ++i)
    moved.push_back(trainable_[i] - trainable_frozen_[i]);
  const auto norm = [](const Tensors& tensors) {
    return Norms(tensors, at::kDouble).norm().item<double>();
  };
  const double size = norm(trainable_frozen_), moved_by = norm(moved);
  return moved_by == 0 ? 0 : moved_by / size;
}

Tensors TrainingProgram::Kept() const { return optimizer_ ? optimizer_->State() : Tensors(); }

Tensors TrainingProgram::Call(Step step, TensorsRef inputs) {
  const bool differs = drops_out_ || remembers_;  // from one call to the next
  if (step == steps::kForward) {
    Forward(inputs);
    return differs ? Tensors() : passes_.back().outputs;
  }
  if (step == steps::kBackward) {
    Backward();
    return differs ? Tensors() : Gradients();
  }
  if (step == steps::kTrainStep) WholeStep(inputs);
  Update();
  return {};
}

std::vector<std::string> TrainingProgram::Mistakes() const {
  std::vector<std::string> mistakes = {std::string(kMissingGradient), std::string(kStaleGradient)};
  if (!training_.optimizers(0).has_sgd()) mistakes.emplace_back(kBiasCorrection);
  if (execution_.grad_scaler()) mistakes.emplace_back(kScaledGradient);
  if (training_.row_clip_norm() > 0) mistakes.emplace_back(kUnclippedRows);
  return mistakes;
}

}  // namespace assay::execution
