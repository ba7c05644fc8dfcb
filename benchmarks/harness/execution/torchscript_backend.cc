// Back end torchscript: the program's forward pass, traced once for each shape of its inputs and
// run by TorchScript's interpreter, which fuses and, with --torchscript-freeze, folds constants
// (batch norms into convolutions).

#include <ATen/core/ivalue.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/tracer.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "defs/case_steps.h"
#include "defs/execution_names.h"

ABSL_FLAG(bool, torchscript_freeze, false,
          "with --backend=torchscript: weights become constants of the traced graph");

namespace assay::execution {
namespace {

using torch::jit::Module;
using torch::jit::Stack;

// A module whose method "forward" is what the program computed from `inputs`, on their shapes.
Module Traced(Program& program, const Tensors& inputs) {
  Module module("assay_program");
  module.register_attribute("training", c10::BoolType::get(), false);
  int number = 0;
  for (const models::NamedTensor& entry : program.State()) {
    if (!entry.alias)
      module.register_parameter(absl::StrCat("state", number++), entry.tensor, /*is_buffer=*/true);
  }
  const auto traced = [&program](Stack stack) -> Stack {
    Tensors given;
    for (const c10::IValue& value : stack) given.push_back(value.toTensor());
    const Tensors outputs = program.Call(steps::kForward, given);
    if (outputs.size() == 1) return {outputs[0]};
    return {c10::ivalue::Tuple::create(std::vector<c10::IValue>(outputs.begin(), outputs.end()))};
  };
  const c10::NoGradGuard no_gradients;
  const auto state = torch::jit::tracer::trace(
                         Stack(inputs.begin(), inputs.end()), traced,
                         [](const at::Tensor&) { return std::string(); },
                         /*strict=*/true, /*force_outplace=*/false, &module)
                         .first;
  module.type()->addMethod(module._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*module.type()->name(), "forward"), state->graph));
  return absl::GetFlag(FLAGS_torchscript_freeze) ? torch::jit::freeze(module) : module;
}

bool AreAlike(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type();
}

class TorchScriptExecutable final : public Executable {
 public:
  TorchScriptExecutable(const Execution& execution, Program& program)
      : Executable(program), execution_(execution) {}

  void SetInputs(Tensors inputs) override {
    inputs = LaidOut(std::move(inputs), execution_.memory_format(), program());
    const bool same = current_ != nullptr && std::equal(inputs.begin(), inputs.end(),
                                                        inputs_.begin(), inputs_.end(), AreAlike);
    inputs_ = std::move(inputs);
    if (same) return;  // sets of inputs change while calls are timed
    std::string shapes;
    for (const at::Tensor& input : inputs_)
      absl::StrAppend(&shapes, c10::str(input.sizes()), c10::str(input.scalar_type()));
    auto found = traced_.find(shapes);
    if (found == traced_.end()) found = traced_.emplace(shapes, Traced(program(), inputs_)).first;
    current_ = &found->second;
  }
  const Tensors& Inputs() const override { return inputs_; }
  Tensors Outputs() override { return Call(steps::kForward); }
  void Begin(Step) override {}
  void BeginVerified(Step) override {}
  void Prepare(Step) override {}
  Tensors Call(Step) override {
    const c10::InferenceMode no_autograd;
    const c10::IValue result = current_->forward({inputs_.begin(), inputs_.end()});
    if (result.isTensor()) return {result.toTensor()};
    Tensors outputs;
    for (const c10::IValue& element : result.toTupleRef().elements())
      outputs.push_back(element.toTensor());
    return outputs;
  }

 private:
  const Execution execution_;
  Tensors inputs_;
  std::map<std::string, Module> traced_;  // by shapes and dtypes of the inputs
  Module* current_ = nullptr;
};

class TorchScript final : public Backend {
 public:
  absl::Status Check(const BackendRequest& request, const Program& /*program*/) const override {
    return CheckBackend(request.c.benchmark_case());
  }

  absl::StatusOr<std::unique_ptr<Executable>> Load(const BackendRequest& request,
                                                   Program& program) const override {
    return std::make_unique<TorchScriptExecutable>(request.c.benchmark_case().execution(), program);
  }
};

[[maybe_unused]] const bool kRegistered =
    RegisterBackend("torchscript", std::make_unique<TorchScript>());

}  // namespace
}  // namespace assay::execution
