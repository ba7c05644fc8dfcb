#include "benchmarks/operators/judge/differentiated_call.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/rand.h>
#include <torch/csrc/autograd/autograd.h>

#include <numeric>

#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"

namespace assay::operators {
namespace {

using execution::TensorsOf;

constexpr uint64_t kCallSeed = 7;

bool CouldHaveGradient(const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return false;
  const at::Tensor& tensor = value.toTensor();
  return tensor.is_floating_point() && tensor.layout() == at::kStrided && !tensor.is_quantized();
}

// The tensors among the arguments that could have gradients.
std::vector<at::Tensor> FloatsOf(const Callable& call) {
  std::vector<at::Tensor> floats;
  for (const at::Tensor& tensor : TensorsOf(call.arguments)) {
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

// Takes gradients away from tensors, and gives them back.
class SetAside {
 public:
  explicit SetAside(const std::vector<at::Tensor>& tensors) : tensors_(tensors) {
    for (const at::Tensor& tensor : tensors_) {
      gradients_.push_back(tensor.grad());
      tensor.mutable_grad().reset();
    }
  }
  SetAside(const SetAside&) = delete;
  ~SetAside() {
    for (size_t i = 0; i < tensors_.size(); ++i) tensors_[i].mutable_grad() = gradients_[i];
  }

 private:
  const std::vector<at::Tensor>& tensors_;
  std::vector<at::Tensor> gradients_;
};

}  // namespace

c10::Stack SeededCall(const Callable& call) {
  at::manual_seed(kCallSeed);
  return call.run(call.arguments);
}

Differentiated CallAndDifferentiate(const Callable& call, const std::vector<size_t>& wanted) {
  std::vector<at::Tensor> floats = FloatsOf(call), leaves;
  for (at::Tensor& tensor : floats) tensor = tensor.detach();
  for (const size_t i : wanted) leaves.push_back(floats[i].requires_grad_());
  const SetAside weights(call.weights);
  leaves.insert(leaves.end(), call.weights.begin(), call.weights.end());
  Differentiated made = {.results = {}, .wanted = wanted, .gradients = {}};
  at::manual_seed(kCallSeed);
  made.results = call.run(WithFloats(call.arguments, floats));
  std::vector<at::Tensor> roots, starts;
  for (const at::Tensor& result : TensorsOf(made.results)) {
    if (!result.requires_grad() || result.layout() != at::kStrided) continue;
    roots.push_back(result);
    const auto generator = at::make_generator<at::CPUGeneratorImpl>(kCallSeed);
    // Each dtype has these numbers, so a call in float64 starts from the same.
    const at::Tensor start =
        at::rand(result.sizes(), generator, at::kFloat).mul_(2).sub_(1).to(at::kBFloat16);
    starts.push_back(start.to(result.device(), result.scalar_type()));
  }
  if (roots.empty()) return made;
  torch::autograd::backward(roots, starts);
  for (const at::Tensor& leaf : leaves) made.gradients.push_back(leaf.grad());
  return made;
}

Differentiated DifferentiateAll(const Callable& call) {
  std::vector<size_t> all(FloatsOf(call).size()), each;
  std::iota(all.begin(), all.end(), 0);
  Differentiated made;
  const auto works = [&](const std::vector<size_t>& wanted) {
    return base::CatchTorch("gradients", [&] { made = CallAndDifferentiate(call, wanted); }).ok();
  };
  if (works(all)) return made;
  for (const size_t i : all) {
    if (works({i})) each.push_back(i);
  }
  if (works(each)) return made;
  return CallAndDifferentiate(call, {});
}

}  // namespace assay::operators
