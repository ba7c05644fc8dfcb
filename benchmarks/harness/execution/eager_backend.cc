#include "benchmarks/harness/execution/eager_backend.h"

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/programs/autocast.h"
#include "defs/case/execution_names.h"

namespace assay::execution {
namespace {

at::Tensor InFormat(const at::Tensor& tensor, MemoryFormat format) {
  if (format != CHANNELS_LAST || tensor.dim() != 4) return tensor;
  return tensor.contiguous(at::MemoryFormat::ChannelsLast);
}

class EagerExecutable final : public Executable {
 public:
  EagerExecutable(const Execution& execution, Program& program)
      : Executable(program), execution_(execution) {}

  Tensors Outputs() override {
    const Scope scope(*this);
    return program().Outputs(inputs_);
  }
  void Begin(Step step) override {
    const Scope scope(*this);
    program().Begin(step, inputs_);
  }
  void BeginVerified(Step step) override {
    const Scope scope(*this);
    program().BeginVerified(step, inputs_);
  }
  void Prepare(Step step) override {
    const Scope scope(*this);
    program().Prepare(step, inputs_);
  }
  Tensors Call(Step step) override {
    const Scope scope(*this);
    return program().Call(step, inputs_);
  }
  void SetInputs(Tensors inputs) override {
    inputs_ = LaidOut(std::move(inputs), execution_.memory_format(), program());
  }
  const Tensors& Inputs() const override { return inputs_; }

 private:
  // The settings around each call.
  struct Scope {
    explicit Scope(const EagerExecutable& executable)
        // Switches off autograd's bookkeeping as torch.inference_mode() does in Python, or only in
        // part, as torch.no_grad() does.
        : inference(!executable.program().Differentiates() && !executable.execution_.no_grad()),
          gradients(executable.program().Differentiates()) {
      const Dtype dtype = executable.execution_.autocast();
      if (dtype == DTYPE_UNSPECIFIED) return;
      autocast.emplace(executable.inputs_.at(0).device().type(), base::ToScalarType(dtype));
    }
    const c10::InferenceMode inference;
    const c10::AutoGradMode gradients;
    std::optional<AutocastScope> autocast;
  };

  const Execution execution_;
  Tensors inputs_;
};

class Eager final : public Backend {
 public:
  absl::Status Check(const BackendRequest& request, const Program& /*program*/) const override {
    return CheckAutocast(request.c.benchmark_case());
  }
  bool Has(const StepSpec& /*step*/) const override { return true; }
  absl::StatusOr<std::unique_ptr<Executable>> Load(const BackendRequest& request,
                                                   Program& program) const override {
    return LoadEager(request.c.benchmark_case().execution(), program);
  }
};

[[maybe_unused]] const bool kRegistered = RegisterBackend("eager", std::make_unique<Eager>());

}  // namespace

std::unique_ptr<Executable> LoadEager(const Execution& execution, Program& program) {
  return std::make_unique<EagerExecutable>(execution, program);
}

Tensors LaidOut(Tensors inputs, MemoryFormat format, Program& program) {
  const bool channels_last = format == CHANNELS_LAST;
  if (program.channels_last() != channels_last) {
    for (models::NamedTensor& entry : program.State()) {
      if (entry.tensor.dim() != 4) continue;
      entry.tensor.set_data(entry.tensor.contiguous(channels_last ? at::MemoryFormat::ChannelsLast
                                                                  : at::MemoryFormat::Contiguous));
    }
    program.set_channels_last(channels_last);
  }
  for (at::Tensor& input : inputs) input = InFormat(input, format);
  return inputs;
}

}  // namespace assay::execution
