#include "benchmarks/harness/runner/cheats/mutant_backends.h"

#include <ATen/TensorOperators.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/traced_module.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/case/case_steps.h"

namespace assay::runner {
namespace {

using execution::Program;
using execution::Step;
using execution::Tensors;
using torch::jit::Module;

// Stands in for a call; `call` counts from 1.
using Answer =
    std::function<Tensors(const std::function<Tensors()>& honest, const Tensors& inputs, int call)>;

struct Kind {
  MutantBackend mutant;
  void (*miscompile)(Module& module) = nullptr;
  Answer (*answer)() = nullptr;
};

// Removes the operator at this place among those of the name.
template <int kPlace>
void Drop(Module& module, std::string_view name) {
  int place = 0;
  for (torch::jit::Node* node : module.get_method("forward").graph()->nodes()) {
    if (std::string_view(node->kind().toUnqualString()) != name || place++ != kPlace) continue;
    node->output()->replaceAllUsesWith(node->input(0));
    node->destroy();
    return;
  }
  TORCH_CHECK(false, "the trace has no ", std::string(name), " at place ", kPlace);
}
void DropFirstRelu(Module& module) { Drop<0>(module, "relu_"); }
void DropSecondRelu(Module& module) { Drop<1>(module, "relu_"); }
void DropSoftmax(Module& module) { Drop<0>(module, "softmax"); }

// Makes the weights constants, and the first of them 1 % too large.
void FoldWrongly(Module& module) {
  module = torch::jit::freeze(module);
  for (torch::jit::Node* node : module.get_method("forward").graph()->nodes()) {
    const auto value = c10::attr::value;
    if (!node->hasAttribute(value) || node->kindOf(value) != torch::jit::AttributeKind::t) continue;
    const at::Tensor constant = node->t(value);
    if (!constant.is_floating_point() || constant.dim() == 0) continue;
    node->t_(value, constant * 1.01);
    return;
  }
  TORCH_CHECK(false, "the frozen trace has no constant tensor");
}

Answer FromACache() {
  return [kept = Tensors()](const auto& honest, const Tensors&, int) mutable {
    if (kept.empty()) kept = honest();
    return kept;
  };
}

Answer FromACacheByAddress() {
  return [kept = std::map<const void*, Tensors>()](const auto& honest, const Tensors& inputs,
                                                   int) mutable {
    Tensors& outputs = kept[inputs[0].const_data_ptr()];
    if (outputs.empty()) outputs = honest();
    return outputs;
  };
}

Tensors HalfAgain(Tensors outputs) {
  for (at::Tensor& output : outputs) output = output * 1.5;
  return outputs;
}

Answer RightInTheFirstCallOnly() {
  return [](const auto& honest, const Tensors&, int call) {
    return call == 1 ? honest() : HalfAgain(honest());
  };
}

// A program that is specialised once it is warm, and is wrong then: the verdict makes three calls.
Answer WrongOnceItIsWarm() {
  return [](const auto& honest, const Tensors&, int call) {
    return call < 6 ? honest() : HalfAgain(honest());
  };
}

const std::vector<Kind>& Kinds() {
  static const auto& kinds = *new std::vector<Kind>{
      {.mutant = {.name = "honest"}},
      {.mutant = {"drops_the_first_relu", FAIL_ACCURACY, FAIL_ACCURACY},
       .miscompile = DropFirstRelu},
      {.mutant = {"drops_the_second_relu", FAIL_ACCURACY, FAIL_ACCURACY},
       .miscompile = DropSecondRelu},
      {.mutant = {"drops_the_softmax", FAIL_ACCURACY, FAIL_ACCURACY}, .miscompile = DropSoftmax},
      {.mutant = {"folds_a_constant_wrongly", FAIL_ACCURACY, FAIL_ACCURACY},
       .miscompile = FoldWrongly},
      {.mutant = {"answers_from_a_cache", FAIL_ACCURACY, FAIL_ACCURACY,
                  "other inputs the outputs of these"},
       .answer = FromACache},
      {.mutant = {"answers_from_a_cache_by_address", PASS, FAIL_ACCURACY,
                  "what was timed is not what was verified"},
       .answer = FromACacheByAddress},
      {.mutant = {"right_in_the_first_call_only", NONDETERMINISTIC_BASELINE,
                  NONDETERMINISTIC_BASELINE, "differs between two equal calls"},
       .answer = RightInTheFirstCallOnly},
      {.mutant = {"wrong_once_it_is_warm", PASS, FAIL_ACCURACY,
                  "what was timed is not what was verified"},
       .answer = WrongOnceItIsWarm},
  };
  return kinds;
}

// Calls a trace of the program on the shapes of its first inputs.
class Mutant final : public execution::Executable {
 public:
  Mutant(const Kind& kind, Program& program)
      : Executable(program), kind_(kind), answer_(kind.answer ? kind.answer() : Answer()) {}

  void SetInputs(Tensors inputs) override {
    inputs_ = std::move(inputs);
    if (module_) return;
    std::istringstream traced(
        execution::TracedModule(program(), inputs_, {}).Bytes(/*with_inputs=*/false));
    module_ = std::make_unique<Module>(torch::jit::load(traced));
    module_->eval();
    if (kind_.miscompile != nullptr) kind_.miscompile(*module_);
  }
  const Tensors& Inputs() const override { return inputs_; }
  Tensors Outputs() override { return Call(steps::kForward); }
  void Begin(Step) override {}
  void BeginVerified(Step) override {}
  void Prepare(Step) override {}
  Tensors Call(Step) override {
    const c10::InferenceMode no_autograd;
    const std::function<Tensors()> honest = [this]() -> Tensors {
      return {module_->forward({inputs_.begin(), inputs_.end()}).toTensor()};
    };
    ++calls_;
    return answer_ ? answer_(honest, inputs_, calls_) : honest();
  }

 private:
  const Kind& kind_;
  const Answer answer_;
  Tensors inputs_;
  std::unique_ptr<Module> module_;
  int calls_ = 0;
};

class MutantOf final : public execution::Backend {
 public:
  explicit MutantOf(const Kind& kind) : kind_(kind) {}

  absl::Status Check(const execution::BackendRequest&, const Program&) const override {
    return absl::OkStatus();
  }
  absl::StatusOr<std::unique_ptr<execution::Executable>> Load(const execution::BackendRequest&,
                                                              Program& program) const override {
    return std::make_unique<Mutant>(kind_, program);
  }

 private:
  const Kind& kind_;
};

[[maybe_unused]] const bool kRegistered = [] {
  for (const Kind& kind : Kinds())
    execution::RegisterBackend(kind.mutant.name, std::make_unique<MutantOf>(kind));
  return true;
}();

}  // namespace

const std::vector<MutantBackend>& MutantBackends() {
  static const auto& mutants = *new std::vector<MutantBackend>([] {
    std::vector<MutantBackend> found;
    for (const Kind& kind : Kinds()) found.push_back(kind.mutant);
    return found;
  }());
  return mutants;
}

}  // namespace assay::runner
