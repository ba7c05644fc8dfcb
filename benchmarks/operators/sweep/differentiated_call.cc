#include "benchmarks/operators/sweep/differentiated_call.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/rand.h>
#include <torch/csrc/autograd/autograd.h>

#include <mutex>
#include <numeric>

#include "benchmarks/harness/base/torch_status.h"

namespace assay::sweep {
namespace {

using execution::BoundOperator;
using execution::TensorsOf;

constexpr uint64_t kCallSeed = 7;

void SeedRandomNumbers() {
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(kCallSeed);
}

bool CouldHaveGradient(const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return false;
  const at::Tensor& tensor = value.toTensor();
  return tensor.is_floating_point() && tensor.layout() == at::kStrided && !tensor.is_quantized();
}

// The tensors among the arguments that could have gradients.
std::vector<at::Tensor> FloatsOf(const BoundOperator& bound) {
  std::vector<at::Tensor> floats;
  for (const at::Tensor& tensor : TensorsOf(bound.arguments)) {
    if (CouldHaveGradient(tensor)) floats.push_back(tensor);
  }
  return floats;
}

// The arguments with other tensors in the place of FloatsOf().
c10::Stack WithFloats(c10::Stack arguments, const std::vector<at::Tensor>& floats) {
  auto next = floats.begin();
  for (c10::IValue& argument : arguments) {
    if (CouldHaveGradient(argument)) argument = *next++;
    if (!argument.isList()) continue;
    c10::List<c10::IValue> list = argument.toList().copy();  // the arguments share their elements
    for (size_t i = 0; i < list.size(); ++i) {
      if (CouldHaveGradient(list.get(i))) list.set(i, *next++);
    }
    argument = list;
  }
  return arguments;
}

}  // namespace

c10::Stack Call(const BoundOperator& bound) {
  c10::Stack stack = bound.arguments;
  bound.handle.callBoxed(stack);
  return stack;
}

c10::Stack SeededCall(const BoundOperator& bound) {
  SeedRandomNumbers();
  return Call(bound);
}

Differentiated CallAndDifferentiate(const BoundOperator& bound, const std::vector<size_t>& wanted) {
  std::vector<at::Tensor> floats = FloatsOf(bound), leaves;
  for (const size_t i : wanted) leaves.push_back(floats[i] = floats[i].detach().requires_grad_());
  Differentiated made;
  made.results = SeededCall({bound.handle, WithFloats(bound.arguments, floats)});
  std::vector<at::Tensor> roots, starts;
  for (const at::Tensor& result : TensorsOf(made.results)) {
    if (!result.requires_grad() || result.layout() != at::kStrided) continue;
    roots.push_back(result);
    const auto generator = at::make_generator<at::CPUGeneratorImpl>(kCallSeed);
    const at::Tensor start = at::rand(result.sizes(), generator, at::kFloat).mul_(2).sub_(1);
    starts.push_back(start.to(result.scalar_type()));
  }
  if (roots.empty()) return made;
  torch::autograd::backward(roots, starts);
  for (const at::Tensor& leaf : leaves) made.gradients.push_back(leaf.grad());
  return made;
}

std::vector<size_t> Differentiable(const BoundOperator& bound) {
  const auto works = [&](const std::vector<size_t>& wanted) {
    return base::CatchTorch("gradients", [&] { CallAndDifferentiate(bound, wanted); }).ok();
  };
  std::vector<size_t> all(FloatsOf(bound).size()), each;
  std::iota(all.begin(), all.end(), 0);
  if (works(all)) return all;
  for (const size_t i : all) {
    if (works({i})) each.push_back(i);
  }
  return works(each) ? each : std::vector<size_t>();
}

}  // namespace assay::sweep
