#include "benchmarks/harness/programs/operator_program.h"

#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "defs/case/case_steps.h"

namespace assay::execution {
namespace {

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

constexpr std::string_view kGradient = ".grad";

// The output that a mutant returns.
at::Tensor Wrong(const at::Tensor& right) {
  if (HoldsFloats(right)) return right.mul(1.01);
  return right.scalar_type() == at::kBool ? right.logical_not() : right.add(1);
}

// Splits an input's name: an argument, or the output whose gradient starts backward.
struct InputName {
  std::string argument;
  int64_t element = -1;
  bool starts_backward = false;
};

InputName InputNameOf(std::string_view input) {
  if (absl::ConsumeSuffix(&input, kGradient))
    return {.argument = std::string(input), .starts_backward = true};
  const auto [argument, element] = ArgumentOf(input);
  return {.argument = argument, .element = element};
}

// Any tensor stands in for an input until the inputs are there.
absl::StatusOr<OperatorArguments> ArgumentsOf(const OperatorCall& call) {
  std::map<std::string, std::set<int64_t>> elements;
  for (const InputSpec& input : call.inputs()) {
    const InputName name = InputNameOf(input.name());
    if (!name.starts_backward) elements[name.argument].insert(name.element);
  }
  OperatorArguments arguments;
  for (const auto& [name, numbers] : elements) {
    if (*numbers.begin() < 0) {
      arguments.named.emplace_back(name, at::Tensor());
      continue;
    }
    if (*numbers.rbegin() + 1 != static_cast<int64_t>(numbers.size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("operator ", call.name(), ": the elements of the list '", name,
                       "' are numbered from 0 on, without a gap; there is '", name, ".",
                       *numbers.rbegin(), "' and of lower numbers ", numbers.size() - 1));
    }
    arguments.named.emplace_back(name, std::vector<at::Tensor>(numbers.size()));
  }
  for (const auto& [name, value] : call.arguments())
    arguments.named.emplace_back(name, IValueOf(value));
  return arguments;
}

}  // namespace

c10::IValue IValueOf(const ParameterValue& value) {
  switch (value.value_case()) {
    case ParameterValue::kInteger:
      return static_cast<int64_t>(value.integer());
    case ParameterValue::kReal:
      return value.real();
    case ParameterValue::kFlag:
      return value.flag();
    case ParameterValue::kText:
      // For Tensor? and similar types whose schema has no default.
      if (value.text() == "None") return {};
      return value.text();
    case ParameterValue::kIntegers:
      return std::vector<int64_t>(value.integers().values().begin(),
                                  value.integers().values().end());
    case ParameterValue::VALUE_NOT_SET:
      break;
  }
  return {};
}

absl::StatusOr<std::unique_ptr<Program>> OperatorProgram::Make(const OperatorCall& call) {
  const absl::StatusOr<OperatorArguments> arguments = ArgumentsOf(call);
  if (!arguments.ok()) return arguments.status();
  absl::StatusOr<BoundOperator> bound = BindOperator(call.name(), *arguments);
  if (!bound.ok()) return bound.status();
  const c10::FunctionSchema& schema = bound->handle.schema();
  if (schema.is_mutable()) {
    return absl::InvalidArgumentError(absl::StrCat("operator ", call.name(),
                                                   " writes to its arguments; its schema is ",
                                                   c10::toString(schema)));
  }
  std::unique_ptr<OperatorProgram> program(new OperatorProgram(*std::move(bound), call.backward()));
  if (absl::Status placed = program->PlaceInputs(call); !placed.ok()) return placed;
  return std::unique_ptr<Program>(std::move(program));
}

OperatorProgram::OperatorProgram(BoundOperator bound, bool backward)
    : handle_(bound.handle), arguments_(std::move(bound.arguments)), backward_(backward) {}

// Orders inputs and outputs as the case does, not the schema.
absl::Status OperatorProgram::PlaceInputs(const OperatorCall& call) {
  std::map<std::string, size_t, std::less<>> results, places;
  size_t named = 0;
  for (const OutputSpec& output : call.outputs()) {
    mistakes_.push_back(absl::StrCat("scaled_", output.name()));
    if (!absl::EndsWith(output.name(), kGradient)) results[output.name()] = named++;
  }
  if (named > 0) results_limit_ = named;
  starts_.resize(named);
  const c10::FunctionSchema& schema = handle_.schema();
  for (int i = 0; i < call.inputs_size(); ++i) {
    const InputName name = InputNameOf(call.inputs(i).name());
    const size_t input = static_cast<size_t>(i);
    if (!name.starts_backward) {
      places[call.inputs(i).name()] = places_.size();
      places_.push_back(
          {.input = input,
           .argument = static_cast<size_t>(*schema.argumentIndexWithName(name.argument)),
           .element = name.element});
      continue;
    }
    const auto result = results.find(name.argument);
    if (result == results.end() || !backward_) {
      return absl::InvalidArgumentError(
          absl::StrCat("operator ", call.name(), ": input '", call.inputs(i).name(),
                       "' is for backward to begin with, and there is no ",
                       backward_ ? absl::StrCat("output '", name.argument, "'") : "backward"));
    }
    starts_[result->second] = input;
  }
  for (const OutputSpec& output : call.outputs()) {
    std::string_view input = output.name();
    if (!absl::ConsumeSuffix(&input, kGradient)) continue;
    const auto place = places.find(input);
    if (place == places.end() || !backward_) {
      return absl::InvalidArgumentError(
          absl::StrCat("operator ", call.name(), ": output '", output.name(),
                       "' is a gradient, and there is no ",
                       backward_ ? absl::StrCat("input '", input, "'") : "backward"));
    }
    differentiated_.push_back(place->second);
  }
  return absl::OkStatus();
}

void OperatorProgram::MakeMistake(std::string_view mistake) {
  const auto found = std::find(mistakes_.begin(), mistakes_.end(), mistake);
  if (found != mistakes_.end()) mistaken_ = static_cast<size_t>(found - mistakes_.begin());
}

Tensors OperatorProgram::WithMistake(Tensors outputs, size_t first) const {
  if (mistaken_ && *mistaken_ >= first && *mistaken_ - first < outputs.size())
    outputs[*mistaken_ - first] = Wrong(outputs[*mistaken_ - first]);
  return outputs;
}

void OperatorProgram::MakeLeaves(TensorsRef inputs) {
  const bool same =
      given_.size() == inputs.size() &&
      std::equal(inputs.begin(), inputs.end(), given_.begin(),
                 [](const at::Tensor& a, const at::Tensor& b) { return a.is_same(b); });
  if (same) return;
  given_ = inputs.vec();
  leaves_.clear();
  for (const Place& place : places_) leaves_.push_back(inputs[place.input].detach());
  for (const size_t i : differentiated_) leaves_[i].requires_grad_(true);
}

Tensors OperatorProgram::Forward(TensorsRef inputs) {
  if (backward_) MakeLeaves(inputs);
  c10::Stack stack = arguments_;
  for (size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const at::Tensor& tensor = backward_ ? leaves_[i] : inputs[place.input];
    if (place.element < 0) {
      stack[place.argument] = tensor;
      continue;
    }
    // The stack shares its lists with the program's arguments, which may still hold the last call's
    // tensors.
    stack[place.argument].toList().set(static_cast<size_t>(place.element), tensor);
  }
  handle_.callBoxed(stack);
  Tensors results = TensorsOf(stack);
  if (results.size() > results_limit_) results.resize(results_limit_);
  return results;
}

Tensors OperatorProgram::Outputs(TensorsRef inputs) {
  if (!backward_) return Call(steps::kForward, inputs);
  Prepare(steps::kBackward, inputs);
  Tensors outputs;
  for (const at::Tensor& result : results_) outputs.push_back(result.detach());
  outputs = WithMistake(std::move(outputs), 0);
  for (const at::Tensor& gradient : Call(steps::kBackward, inputs)) outputs.push_back(gradient);
  return outputs;
}

void OperatorProgram::Prepare(Step, TensorsRef inputs) {
  results_ = Forward(inputs);
  roots_.clear();
  starting_.clear();
  for (at::Tensor& leaf : leaves_) leaf.mutable_grad().reset();
  for (size_t i = 0; i < results_.size(); ++i) {
    if (!results_[i].requires_grad()) continue;
    roots_.push_back(results_[i]);
    const bool given = i < starts_.size() && starts_[i].has_value();
    starting_.push_back(given ? inputs[*starts_[i]] : at::ones_like(results_[i]));
  }
}

Tensors OperatorProgram::Gradients() const {
  Tensors gradients;
  for (const size_t i : differentiated_) {
    const at::Tensor& gradient = leaves_[i].grad();
    gradients.push_back(gradient.defined() ? gradient : at::zeros_like(leaves_[i]));
  }
  return gradients;
}

Tensors OperatorProgram::Call(Step step, TensorsRef inputs) {
  if (step == steps::kForward) return WithMistake(Forward(inputs), 0);
  if (!roots_.empty()) torch::autograd::backward(roots_, starting_);
  return WithMistake(Gradients(), results_.size());
}

std::vector<VerifiedOutput> OperatorProgram::Verified(Step step, Tensors returned) {
  for (at::Tensor& tensor : returned) tensor = tensor.detach();
  return InPlaces(std::move(returned), step == steps::kBackward ? results_.size() : 0);
}

}  // namespace assay::execution
