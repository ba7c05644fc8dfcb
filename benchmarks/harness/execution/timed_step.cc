#include "benchmarks/harness/execution/timed_step.h"

#include <ATen/ops/empty_like.h>
#include <c10/core/GradMode.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/repeatability.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/numerics/value_shares.h"
#include "benchmarks/harness/programs/timed_inputs.h"
#include "defs/case/case_steps.h"
#include "defs/case/training_steps.h"
#include "models/named_tensor.h"

namespace assay::execution {
namespace {

constexpr double kManyZeros = 0.5;
constexpr double kManySubnormals = 0.001;

int64_t BytesOf(const Tensors& tensors) {
  int64_t bytes = 0;
  for (const at::Tensor& tensor : tensors) {
    if (tensor.defined()) bytes += static_cast<int64_t>(tensor.nbytes());
  }
  return bytes;
}

// The values of the state's tensors that no optimizer trains. A call of a kResettable program may change what
// the next one reads, such as MoCo's queue; beginning again would tell the program which call is verified.
class BufferValues {
 public:
  explicit BufferValues(Program& program) {
    if (program.Contract() != StateContract::kResettable) return;
    for (const models::NamedTensor& entry : program.State()) {
      if (entry.trainable || entry.alias) continue;
      buffers_.push_back(entry.tensor);
      values_.push_back(entry.tensor.detach().clone());
    }
  }
  void PutBack() const {
    const c10::NoGradGuard no_grad;
    for (size_t i = 0; i < buffers_.size(); ++i) buffers_[i].copy_(values_[i]);
  }

 private:
  Tensors buffers_, values_;
};

class ProgramStep final : public TimedStep {
 public:
  // `repeats`: two equal calls are equal to the bit.
  ProgramStep(const StepSpec& step, Executable& executable, std::vector<Tensors> sets, bool repeats)
      : step_(step.name()),
        prepared_(step.prepared()),
        makes_state_(step.makes_state()),
        repeats_(repeats),
        program_(executable.program()),
        sets_(std::move(sets)),
        executable_(executable) {
    // Converts the sets once, because UseInputs() may be called between timed calls.
    for (Tensors& set : sets_) {
      executable_.SetInputs(set);
      set = executable_.Inputs();
    }
    UseInputs(0);
    executable_.Begin(step_);
  }
  ~ProgramStep() override {
    if (program_.Contract() != StateContract::kResettable) return;
    // Without memory this may fail, and a destructor cannot report it: the next step's Begin(),
    // which resets, too, will.
    base::CatchTorch("resetting the program", [&] { program_.Reset(); }).IgnoreError();
  }

  bool HasPreparation() const override { return prepared_; }
  void Prepare() override { executable_.Prepare(step_); }
  void Call() override {
    outputs_.clear();  // first, so that the call can use this memory again
    outputs_ = executable_.Call(step_);
  }
  int InputSets() const override { return static_cast<int>(sets_.size()); }
  void UseInputs(int set) final { executable_.SetInputs(sets_.at(set)); }
  int64_t InputBytes() const override { return BytesOf(sets_.at(0)); }

  VerifiedResult CallVerified(TensorsRef inputs, const VerifiedCalls& calls) override {
    const int set = InputSets() > 1 ? 1 : 0;  // not the set of the verified call
    std::optional<uint64_t> of_others;
    UseInputs(set);
    if (program_.VerifiesAsTimed(step_)) {
      if (calls.repeat) of_others = CallForDigest();
      Put(inputs, set);
    } else if (makes_state_) {
      Put(inputs, set);
      executable_.BeginVerified(step_);
      for (int call = 1; calls.repeat && call < kLastVerifiedStep; ++call) CallOnce();
    } else {
      Tensors others;
      for (const at::Tensor& tensor : sets_.at(static_cast<size_t>(set)))
        others.push_back(calls.repeat ? tensor.clone() : tensor);
      Put(inputs, set);
      executable_.BeginVerified(step_);
      if (calls.repeat) {
        const BufferValues before(program_);
        Put(others, set);
        of_others = CallForDigest();
        Put(inputs, set);
        before.PutBack();
      }
    }
    PrepareOnce();
    const auto call = [this] { Call(); };
    calls.around ? calls.around(call) : call();
    VerifiedResult result = {.outputs = program_.Verified(step_, outputs_)};
    result.as_of_others = set > 0 && of_others == DigestOf(result.outputs);
    UseInputs(0);
    return result;
  }
  Program* CalledProgram() override { return &program_; }

  // None of outputs that may differ from call to call: the engine would take that for work that
  // was not done. CallVerified() holds them to the limits.
  std::optional<uint64_t> OutputDigest() override {
    if (!repeats_ || outputs_.empty()) return std::nullopt;
    return numerics::Fingerprint(outputs_);
  }
  std::optional<uint64_t> InputDigest() override {
    Tensors tensors = sets_.at(0);
    if (program_.Contract() == StateContract::kPure) {
      for (const models::NamedTensor& entry : program_.State()) tensors.push_back(entry.tensor);
    }
    return numerics::Fingerprint(tensors);
  }
  std::optional<std::string> InputConcern() override {
    if (input_concern_) return input_concern_;
    const numerics::ValueShares shares = numerics::SharesOf(sets_.at(0));
    std::vector<std::string> concerns;
    if (shares.zeros > kManyZeros)
      concerns.push_back(absl::StrFormat("%.0f %% of the inputs are zero", 100 * shares.zeros));
    if (shares.subnormals > kManySubnormals)
      concerns.push_back(
          absl::StrFormat("%.2g %% of the inputs are subnormal", 100 * shares.subnormals));
    Tensors weights;
    for (const models::NamedTensor& entry : program_.State()) weights.push_back(entry.tensor);
    if (const double share = numerics::SubnormalShareOfSamples(weights); share > kManySubnormals) {
      concerns.push_back(
          absl::StrFormat("%.2g %% of the weights are subnormal, which a CPU computes many times "
                          "slower",
                          100 * share));
    }
    input_concern_ = absl::StrJoin(concerns, ", ");
    return input_concern_;
  }

 private:
  void PrepareOnce() {
    if (prepared_ || makes_state_) Prepare();
  }
  void CallOnce() {
    PrepareOnce();
    Call();
  }
  uint64_t CallForDigest() {
    CallOnce();
    return DigestOf(program_.Verified(step_, outputs_));
  }
  static uint64_t DigestOf(const std::vector<VerifiedOutput>& outputs) {
    Tensors tensors;
    for (const VerifiedOutput& output : outputs) tensors.push_back(output.tensor);
    return numerics::Fingerprint(tensors);
  }
  // Makes these the values of a set, which is in use.
  void Put(TensorsRef inputs, int set) {
    Tensors& place = sets_.at(static_cast<size_t>(set));
    bool replaced = false;
    for (size_t i = 0; i < place.size(); ++i) {
      if (place[i].sizes() == inputs[i].sizes()) {
        place[i].copy_(inputs[i]);
      } else {
        place[i] = inputs[i];
        replaced = true;
      }
    }
    if (replaced) UseInputs(set);
  }

  const std::string step_;
  const bool prepared_, makes_state_, repeats_;
  Program& program_;
  std::vector<Tensors> sets_;
  Executable& executable_;
  Tensors outputs_;
  // Computed once: each mode asks. InputDigest() shows whether a call changed the inputs.
  std::optional<std::string> input_concern_;
};

// Copies tensors into others of the same shape on the other side.
class CopyStep final : public TimedStep {
 public:
  CopyStep(Tensors from, Tensors to) : from_(std::move(from)), to_(std::move(to)) {}
  void Call() override {
    for (size_t i = 0; i < from_.size(); ++i) to_[i].copy_(from_[i], /*non_blocking=*/true);
  }
  VerifiedResult CallVerified(TensorsRef, const VerifiedCalls&) override { return {}; }
  int64_t InputBytes() const override { return BytesOf(from_); }
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

std::unique_ptr<TimedStep> MakeCopy(Step step, const Tensors& inputs, Executable& executable) {
  if (step == steps::kHostToDevice) {
    Tensors host = Pinned(inputs);
    for (size_t i = 0; i < host.size(); ++i) host[i].copy_(inputs[i]);
    return std::make_unique<CopyStep>(std::move(host), inputs);
  }
  const Tensors outputs = executable.Outputs();
  return std::make_unique<CopyStep>(outputs, Pinned(outputs));
}

}  // namespace

absl::StatusOr<std::unique_ptr<TimedStep>> MakeTimedStep(Step step, const ResolvedCase& c,
                                                         Executable& executable, at::Device device,
                                                         int input_sets, TensorsRef as_given) {
  const absl::StatusOr<StepSpec> spec = FindStep(c, step, device.is_cpu() ? CPU : CUDA);
  if (!spec.ok()) return spec.status();
  const BenchmarkCase& b = c.benchmark_case();
  absl::StatusOr<std::vector<Tensors>> sets =
      TimedInputSets(c.measured(), b, device, as_given, input_sets);
  if (!sets.ok()) return sets.status();
  std::unique_ptr<TimedStep> timed;
  const absl::Status caught = base::CatchTorch(absl::StrCat("preparing step ", step), [&] {
    if (spec->copies()) {
      executable.SetInputs(sets->at(0));
      timed = MakeCopy(step, sets->at(0), executable);
    } else {
      timed = std::make_unique<ProgramStep>(*spec, executable, *std::move(sets),
                                            !RepeatabilityOf(b, device).MayDiffer());
    }
  });
  if (!caught.ok()) return caught;
  return timed;
}

}  // namespace assay::execution
