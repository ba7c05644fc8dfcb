// Back end EAGER: ATen operators called one by one, as in Python without torch.compile.

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/execution/autocast.h"
#include "benchmarks/harness/execution/executable.h"

namespace assay::execution {
namespace {

at::Tensor InFormat(const at::Tensor& tensor, MemoryFormat format) {
  if (format != CHANNELS_LAST || tensor.dim() != 4) return tensor;
  return tensor.contiguous(at::MemoryFormat::ChannelsLast);
}

class EagerExecutable final : public Executable {
 public:
  EagerExecutable(const Execution& execution, Program& program, Tensors inputs)
      : execution_(execution), program_(program) {
    for (models::NamedTensor& entry : program.State()) {
      const at::Tensor laid_out = InFormat(entry.tensor, execution.memory_format());
      if (!laid_out.is_same(entry.tensor)) entry.tensor.set_data(laid_out);
    }
    SetInputs(std::move(inputs));
  }

  Tensors Outputs() override {
    const Scope scope(*this);
    return program_.Outputs(inputs_);
  }
  void Begin(Step step) override {
    const Scope scope(*this);
    program_.Begin(step, inputs_);
  }
  void BeginVerified(Step step) override {
    const Scope scope(*this);
    program_.BeginVerified(step, inputs_);
  }
  void Prepare(Step step) override {
    const Scope scope(*this);
    program_.Prepare(step, inputs_);
  }
  Tensors Call(Step step) override {
    const Scope scope(*this);
    return program_.Call(step, inputs_);
  }
  void SetInputs(Tensors inputs) override {
    for (at::Tensor& input : inputs) input = InFormat(input, execution_.memory_format());
    inputs_ = std::move(inputs);
  }
  const Tensors& Inputs() const override { return inputs_; }

 private:
  // The settings around each call.
  struct Scope {
    explicit Scope(const EagerExecutable& executable)
        // Switches off autograd's bookkeeping as torch.inference_mode() does in Python, or only in
        // part, as torch.no_grad() does.
        : inference(!executable.program_.Differentiates() && !executable.execution_.no_grad()),
          gradients(executable.program_.Differentiates()) {
      const Dtype dtype = executable.execution_.autocast();
      if (dtype == DTYPE_UNSPECIFIED) return;
      autocast.emplace(executable.inputs_.at(0).device().type(), base::ToScalarType(dtype));
    }
    const c10::InferenceMode inference;
    const c10::AutoGradMode gradients;
    std::optional<AutocastScope> autocast;
  };

  const Execution execution_;
  Program& program_;
  Tensors inputs_;
};

std::unique_ptr<Executable> MakeEager(const Execution& execution, Program& program,
                                      Tensors inputs) {
  return std::make_unique<EagerExecutable>(execution, program, std::move(inputs));
}

absl::Status CheckEager(const Execution& execution, const Program& /*program*/, Dtype dtype) {
  if (execution.autocast() == DTYPE_UNSPECIFIED) return absl::OkStatus();
  if (dtype != FP32) {
    return absl::InvalidArgumentError(
        absl::StrCat("--autocast=", base::DtypeName(execution.autocast()), ": the case is ",
                     base::DtypeName(dtype), "; autocast takes fp32 cases"));
  }
  return absl::OkStatus();
}

[[maybe_unused]] const bool kRegistered =
    RegisterBackend(EAGER, {.make = MakeEager, .check = CheckEager});

}  // namespace
}  // namespace assay::execution
