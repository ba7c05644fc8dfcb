#include "benchmarks/harness/execution/operator_program.h"

#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace assay::execution {
namespace {

c10::IValue ValueOf(const ParameterValue& value) {
  switch (value.value_case()) {
    case ParameterValue::kInteger:
      return static_cast<int64_t>(value.integer());
    case ParameterValue::kReal:
      return value.real();
    case ParameterValue::kFlag:
      return value.flag();
    case ParameterValue::kText:
      return value.text();
    case ParameterValue::kIntegers:
      return std::vector<int64_t>(value.integers().values().begin(),
                                  value.integers().values().end());
    case ParameterValue::VALUE_NOT_SET:
      break;
  }
  return {};
}

// "tensors.1" is element 1 of "tensors", "self" is no element: -1.
std::pair<std::string, int64_t> ArgumentOf(std::string_view input) {
  const size_t dot = input.rfind('.');
  int64_t element = -1;
  if (dot == std::string_view::npos || !absl::SimpleAtoi(input.substr(dot + 1), &element))
    return {std::string(input), -1};
  return {std::string(input.substr(0, dot)), element};
}

bool HoldsFloats(const at::Tensor& tensor) {
  return tensor.is_floating_point() || tensor.is_complex();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Program>> OperatorProgram::Make(const OperatorCall& call) {
  // Any tensor stands for an input until there is one.
  std::map<std::string, int64_t> counts;
  std::vector<std::pair<std::string, int64_t>> inputs;
  for (const InputSpec& input : call.inputs()) {
    inputs.push_back(ArgumentOf(input.name()));
    ++counts[inputs.back().first];
  }
  OperatorArguments arguments;
  for (const auto& [name, element] : inputs) {
    if (element > 0) continue;
    arguments.named.emplace_back(
        name, element < 0 ? c10::IValue(at::Tensor())
                          : c10::IValue(std::vector<at::Tensor>(static_cast<size_t>(counts[name]))));
  }
  for (const auto& [name, value] : call.arguments())
    arguments.named.emplace_back(name, ValueOf(value));
  absl::StatusOr<BoundOperator> bound = BindOperator(call.name(), arguments);
  if (!bound.ok()) return bound.status();
  const c10::FunctionSchema& schema = bound->handle.schema();
  if (schema.is_mutable()) {
    return absl::InvalidArgumentError(absl::StrCat("operator ", call.name(),
                                                   " writes to its arguments; its schema is ",
                                                   c10::toString(schema)));
  }
  auto program = std::make_unique<OperatorProgram>(*std::move(bound), call.backward());
  // In the order of the case's inputs, not of the schema.
  program->places_.clear();
  for (const auto& [name, element] : inputs) {
    program->places_.push_back(
        {static_cast<size_t>(*schema.argumentIndexWithName(name)), element});
  }
  return std::unique_ptr<Program>(std::move(program));
}

OperatorProgram::OperatorProgram(BoundOperator bound, bool backward)
    : handle_(bound.handle), arguments_(std::move(bound.arguments)), backward_(backward) {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].isTensor()) {
      places_.push_back({i});
      arguments_[i] = at::Tensor();
      continue;
    }
    if (!arguments_[i].isList()) continue;
    const c10::List<c10::IValue> list = arguments_[i].toList();
    for (size_t element = 0; element < list.size(); ++element) {
      if (list.get(element).isTensor())
        places_.push_back({i, static_cast<int64_t>(element)});
    }
  }
}

std::vector<Step> OperatorProgram::Steps() const {
  if (!backward_) return {Step::kForward};
  return {Step::kForward, Step::kBackward};
}

Tensors OperatorProgram::Forward(TensorsRef inputs) {
  if (backward_ && (given_.size() != inputs.size() ||
                    !std::equal(inputs.begin(), inputs.end(), given_.begin(),
                                [](const at::Tensor& a, const at::Tensor& b) { return a.is_same(b); }))) {
    given_ = inputs.vec();
    leaves_.clear();
    for (const at::Tensor& input : inputs)
      leaves_.push_back(input.detach().requires_grad_(HoldsFloats(input)));
  }
  const TensorsRef read = backward_ ? TensorsRef(leaves_) : inputs;
  c10::Stack stack = arguments_;
  for (size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (place.element < 0) {
      stack[place.argument] = read[i];
      continue;
    }
    // The stack shares its lists with the program's arguments, which may hold these from the last call.
    stack[place.argument].toList().set(static_cast<size_t>(place.element), read[i]);
  }
  handle_.callBoxed(stack);
  return TensorsOf(stack);
}

Tensors OperatorProgram::Outputs(TensorsRef inputs) {
  if (!backward_) return Forward(inputs);
  Prepare(Step::kBackward, inputs);
  Tensors outputs;
  for (const at::Tensor& result : results_) outputs.push_back(result.detach());
  for (const at::Tensor& gradient : Call(Step::kBackward, inputs)) outputs.push_back(gradient);
  return outputs;
}

void OperatorProgram::Prepare(Step, TensorsRef inputs) {
  results_ = Forward(inputs);
  roots_.clear();
  ones_.clear();
  for (at::Tensor& leaf : leaves_) leaf.mutable_grad().reset();
  for (const at::Tensor& result : results_) {
    if (!result.requires_grad()) continue;
    roots_.push_back(result);
    ones_.push_back(at::ones_like(result));
  }
}

Tensors OperatorProgram::Gradients() const {
  Tensors gradients;
  for (const at::Tensor& leaf : leaves_) {
    if (!leaf.requires_grad()) continue;
    gradients.push_back(leaf.grad().defined() ? leaf.grad() : at::zeros_like(leaf));
  }
  return gradients;
}

Tensors OperatorProgram::Call(Step step, TensorsRef inputs) {
  if (step == Step::kForward) return Forward(inputs);
  if (!roots_.empty()) torch::autograd::backward(roots_, ones_);
  return Gradients();
}

}  // namespace assay::execution
