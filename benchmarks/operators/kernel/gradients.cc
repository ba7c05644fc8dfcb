#include "benchmarks/operators/kernel/gradients.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/operators/judge/callable.h"
#include "benchmarks/operators/judge/differentiated_call.h"
#include "benchmarks/operators/kernel/candidate.h"
#include "benchmarks/operators/kernel/guarded_memory.h"

namespace assay::kernel {
namespace {

bool HasDerivative(const c10::OperatorHandle& handle) {
  constexpr c10::DispatchKey kKeys[] = {c10::DispatchKey::Autograd, c10::DispatchKey::AutogradCPU,
                                        c10::DispatchKey::CompositeImplicitAutograd};
  return std::any_of(std::begin(kKeys), std::end(kKeys),
                     [&](c10::DispatchKey key) { return handle.hasKernelForDispatchKey(key); });
}

// The gradients of the call's floating-point inputs, in their order; empty where no result depends on
// them. c10::Error as of the operator.
std::vector<at::Tensor> GradientsOf(const execution::BoundOperator& bound, const SizedCall& call) {
  operators::Callable callable;
  for (const auto& [name, tensor] : call.inputs) {
    if (tensor.is_floating_point()) callable.weights.push_back(tensor.requires_grad_());
  }
  callable.run = [&](const c10::Stack&) {
    c10::Stack stack = bound.arguments;
    bound.handle.callBoxed(stack);
    std::vector<at::Tensor> results = execution::TensorsOf(stack);
    if (!call.limits.empty()) results.resize(std::min(results.size(), call.limits.size()));
    return c10::Stack(results.begin(), results.end());
  };
  operators::Differentiated made = operators::CallAndDifferentiate(callable, {});
  for (size_t i = 0; i < made.gradients.size(); ++i) {
    if (!made.gradients[i].defined()) made.gradients[i] = at::zeros_like(callable.weights[i]);
  }
  return std::move(made.gradients);
}

// In float64, and then in the dtype.
std::vector<at::Tensor> TrueGradientsOf(const SizedCall& call) {
  const OperatorCall& like = call.row.call();
  const SizedCall exact_call = InFloat64(call);
  std::vector<at::Tensor> gradients = GradientsOf(
      Bind(like.truth().empty() ? like.name() : like.truth(), exact_call).value(), exact_call);
  const std::vector<at::Tensor> own = GradientsOf(Bind(like.name(), call).value(), call);
  gradients.insert(gradients.end(), own.begin(), own.end());
  return gradients;
}

}  // namespace

GradientEnd CompareGradients(const std::string& name, const SizedCall& call,
                             const IsolatedOptions& options) {
  GradientEnd end;
  const execution::BoundOperator like = Bind(call.row.call().name(), call).value();
  const bool has = HasDerivative(BindLike(name, like).value().handle);
  CallEnd called;
  if (has) {
    const auto candidate_gradients = [&] {
      SizedCall guarded = call;
      for (auto& [input, tensor] : guarded.inputs)
        tensor = Guarded(tensor, options.edge, absl::StrCat("input '", input, "'"), true);
      const auto guarded_like = Bind(call.row.call().name(), guarded).value();
      return GradientsOf(BindLike(name, guarded_like).value(), guarded);
    };
    called = RunIsolated(candidate_gradients, options);
  }
  // After the candidate has ended, as in RunTrial().
  const CallEnd truth = RunIsolated([&] { return TrueGradientsOf(call); }, options);
  const size_t count = truth.results.size() / 2;
  if (count == 0) return {.asked = false};
  if (called.kind == "threw" && absl::StrContains(called.text, "is not implemented")) {
    end.note = absl::StrCat("no gradients: ", called.text);
    return end;
  }
  if (!called.kind.empty()) {
    end.difference = {called.kind, absl::StrCat("forward and backward: ", called.text)};
    return end;
  }
  if (called.results.size() != count) {
    end.note = has ? absl::StrCat("no gradients: the results of ", name,
                                  " do not depend on its inputs for autograd; a "
                                  "torch::autograd::Function gives it a backward pass")
                   : absl::StrCat("no gradients: ", name,
                                  " has no kernel for Autograd; library.impl(..., "
                                  "c10::DispatchKey::Autograd, ...) registers one");
    return end;
  }
  size_t i = 0;
  for (const auto& [input, tensor] : call.inputs) {
    if (!tensor.is_floating_point()) continue;
    const at::Tensor& own = truth.results[count + i];
    Difference difference = CompareElements(called.results[i], truth.results[i], own.scalar_type(),
                                            DefaultLimit(call.dtype), &own, 0xFF);
    difference.share = std::max(difference.share, end.difference.share);
    end.difference = std::move(difference);
    if (!end.difference.kind.empty()) {
      end.difference.text = absl::StrReplaceAll(
          end.difference.text, {{"result", absl::StrCat("gradient of '", input, "'")}});
      return end;
    }
    ++i;
  }
  return end;
}

}  // namespace assay::kernel
