#include "benchmarks/harness/execution/phases.h"

#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones_like.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/optim/sgd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/model_workload.h"
#include "benchmarks/harness/execution/seeded_model.h"
#include "benchmarks/harness/numerics/fingerprint.h"

namespace assay::execution {
namespace {

using Tensors = std::vector<at::Tensor>;

constexpr Phase kPhases[] = {Phase::kForward, Phase::kBackward, Phase::kOptimizer,
                             Phase::kHostToDevice, Phase::kDeviceToHost};
constexpr double kLearningRate = 1e-12;
constexpr double kMomentum = 0.9;

bool IsCopy(Phase phase) { return phase == Phase::kHostToDevice || phase == Phase::kDeviceToHost; }

// The trainable tensors, from now on leaves that ask for gradients.
Tensors Trainable(models::Model& model) {
  Tensors tensors;
  for (models::NamedTensor& entry : model.State()) {
    if (entry.trainable) tensors.push_back(entry.tensor.requires_grad_(true));
  }
  return tensors;
}

class Backward : public sampling::Workload {
 public:
  Backward(models::Model& model, Tensors inputs, Tensors trainable)
      : model_(model), inputs_(std::move(inputs)), trainable_(std::move(trainable)) {}

  bool HasPreparation() const override { return true; }
  void Prepare() override {
    for (at::Tensor& tensor : trainable_) tensor.mutable_grad().reset();
    outputs_.clear();
    for (at::Tensor& output : model_.Forward(inputs_)) {
      if (output.requires_grad()) outputs_.push_back(std::move(output));
    }
    if (!seeds_.empty()) return;
    for (const at::Tensor& output : outputs_) seeds_.push_back(at::ones_like(output));
  }
  void Call() override { torch::autograd::backward(outputs_, seeds_); }
  std::optional<uint64_t> OutputDigest() override {
    Tensors gradients;
    for (const at::Tensor& tensor : trainable_) gradients.push_back(tensor.grad());
    return numerics::Fingerprint(gradients);
  }
  std::optional<uint64_t> InputDigest() override { return numerics::Fingerprint(inputs_); }

 private:
  models::Model& model_;
  const Tensors inputs_;
  Tensors trainable_, outputs_, seeds_;
};

class Optimizer : public sampling::Workload {
 public:
  // The trainable tensors have their gradients.
  explicit Optimizer(const Tensors& trainable)
      : sgd_(trainable, torch::optim::SGDOptions(kLearningRate).momentum(kMomentum)) {}
  void Call() override { sgd_.step(); }

 private:
  torch::optim::SGD sgd_;
};

// Copies tensors into others of their shape, elsewhere.
class Copy : public sampling::Workload {
 public:
  Copy(Tensors from, Tensors to) : from_(std::move(from)), to_(std::move(to)) {}
  void Call() override {
    for (size_t i = 0; i < from_.size(); ++i) to_[i].copy_(from_[i], /*non_blocking=*/true);
  }
  int64_t InputBytes() const override {
    int64_t bytes = 0;
    for (const at::Tensor& tensor : from_) bytes += static_cast<int64_t>(tensor.nbytes());
    return bytes;
  }
  std::optional<uint64_t> OutputDigest() override { return numerics::Fingerprint(to_); }
  std::optional<uint64_t> InputDigest() override { return numerics::Fingerprint(from_); }

 private:
  Tensors from_, to_;
};

Tensors Pinned(const Tensors& tensors) {
  Tensors pinned;
  for (const at::Tensor& tensor : tensors)
    pinned.push_back(at::empty_like(tensor, tensor.options().device(at::kCPU).pinned_memory(true)));
  return pinned;
}

std::unique_ptr<sampling::Workload> MakeCopy(Phase phase, models::Model& model,
                                             const Tensors& inputs) {
  if (phase == Phase::kHostToDevice) {
    Tensors host = Pinned(inputs);
    for (size_t i = 0; i < host.size(); ++i) host[i].copy_(inputs[i]);
    return std::make_unique<Copy>(std::move(host), inputs);
  }
  c10::InferenceMode guard;
  const Tensors outputs = model.Forward(inputs);
  return std::make_unique<Copy>(outputs, Pinned(outputs));
}

}  // namespace

std::string_view PhaseName(Phase phase) {
  switch (phase) {
    case Phase::kForward:
      return "forward";
    case Phase::kBackward:
      return "backward";
    case Phase::kOptimizer:
      return "optimizer";
    case Phase::kHostToDevice:
      return "h2d";
    case Phase::kDeviceToHost:
      return "d2h";
  }
  std::abort();
}

absl::StatusOr<Phase> ParsePhase(std::string_view name) {
  for (Phase phase : kPhases) {
    if (name == PhaseName(phase)) return phase;
  }
  const std::string known = absl::StrJoin(
      kPhases, ", ", [](std::string* out, Phase phase) { out->append(PhaseName(phase)); });
  return absl::InvalidArgumentError(
      absl::StrCat("there is no phase \"", name, "\"; one of ", known));
}

absl::Status CheckPhase(Phase phase, at::Device device) {
  if (!IsCopy(phase) || !device.is_cpu()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("phase ", PhaseName(phase), ": on the CPU nothing is copied"));
}

absl::StatusOr<std::unique_ptr<sampling::Workload>> MakePhase(Phase phase, const ResolvedCase& c,
                                                              models::Model& model,
                                                              at::Device device, int input_sets) {
  if (absl::Status possible = CheckPhase(phase, device); !possible.ok()) return possible;
  if (phase == Phase::kForward) {
    return ModelWorkload::Make(c, model, device, input_sets);
  }
  const BenchmarkCase& b = c.benchmark_case();
  absl::StatusOr<Tensors> inputs = SeededInputs(c.measured(), b.dtype(), b.seed(), device);
  if (!inputs.ok()) return inputs.status();
  std::unique_ptr<sampling::Workload> workload;
  bool trainable = true;
  const absl::Status caught =
      base::CatchTorch(absl::StrCat("preparing phase ", PhaseName(phase)), [&] {
        if (IsCopy(phase)) {
          workload = MakeCopy(phase, model, *inputs);
          return;
        }
        const Tensors parameters = Trainable(model);
        trainable = !parameters.empty();
        auto backward = std::make_unique<Backward>(model, *inputs, parameters);
        if (phase == Phase::kBackward) {
          workload = std::move(backward);
          return;
        }
        backward->Prepare();
        backward->Call();
        workload = std::make_unique<Optimizer>(parameters);
      });
  if (!caught.ok()) return caught;
  if (!trainable) {
    return absl::FailedPreconditionError(
        absl::StrCat("phase ", PhaseName(phase), ": the model has no trainable tensor"));
  }
  return workload;
}

}  // namespace assay::execution
