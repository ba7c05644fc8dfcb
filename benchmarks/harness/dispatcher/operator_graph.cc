#include "benchmarks/harness/dispatcher/operator_graph.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/List.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/alias.h>

#include <optional>
#include <string>
#include <utility>

namespace assay::execution {
namespace {

// The value of an argument that is a switch; nothing where the schema has none of that name.
std::optional<bool> SwitchOf(const GraphCall& call, const char* name) {
  const std::optional<int> at = call.handle.schema().argumentIndexWithName(name);
  if (!at || !call.arguments[static_cast<size_t>(*at)].isBool()) return std::nullopt;
  return call.arguments[static_cast<size_t>(*at)].toBool();
}

// Whether the call is a normalisation that changes its arguments running_mean and running_var.
bool UpdatesStatistics(const GraphCall& call) {
  const c10::FunctionSchema& schema = call.handle.schema();
  if (!schema.argumentIndexWithName("momentum")) return false;  // it only reads them
  if (const auto trains = SwitchOf(call, "training")) return *trains;
  if (const auto own = SwitchOf(call, "use_input_stats")) return *own;
  return schema.name().find("no_update") == std::string::npos;
}

bool Writes(const GraphCall& call, size_t argument) {
  const c10::Argument& declared = call.handle.schema().arguments()[argument];
  if (declared.alias_info() != nullptr && declared.alias_info()->isWrite()) return true;
  const std::string& name = declared.name();
  return (name == "running_mean" || name == "running_var") && UpdatesStatistics(call);
}

}  // namespace

std::vector<int> WrittenBy(const GraphCall& call) {
  std::vector<int> written;
  for (const TensorArgument& argument : call.tensors) {
    if (!Writes(call, argument.argument)) continue;
    for (const int value : argument.values) {
      if (value != kNoTensor) written.push_back(value);
    }
  }
  return written;
}

bool ReshapesInPlace(const GraphCall& call) {
  const std::string& name = call.handle.schema().name();
  return call.handle.hasTag(at::Tag::inplace_view) || name == "aten::set_" ||
         name == "aten::resize_";
}

GraphReplay::GraphReplay(const OperatorGraph& graph, const std::vector<at::Tensor>& given)
    : values_(graph.constants.begin(), graph.constants.end()) {
  for (size_t i = 0; i < graph.inputs.size(); ++i)
    values_.at(static_cast<size_t>(graph.inputs[i].value)) = given.at(i);
  for (const int value : graph.reshaped) {
    const at::Tensor& tensor = (*this)[value];
    if (tensor.defined()) values_[static_cast<size_t>(value)] = at::alias(tensor);
  }
}

c10::IValue GraphReplay::NumberOf(const GraphCall& call, const TensorArgument& argument) const {
  const auto value = [&](size_t i) { return values_.at(static_cast<size_t>(argument.values[i])); };
  if (argument.list) {
    c10::List<int64_t> sizes;
    for (size_t i = 0; i < argument.values.size(); ++i)
      sizes.push_back(argument.values[i] == kNoTensor ? argument.literals[i] : value(i).toInt());
    return sizes;
  }
  const c10::IValue number = value(0);
  const c10::Type& wanted = *call.handle.schema().arguments()[argument.argument].type();
  if (c10::TensorType::get()->isSubtypeOf(wanted)) {
    at::Tensor wrapped = c10::scalar_to_tensor(number.toScalar());
    wrapped.unsafeGetTensorImpl()->set_wrapped_number(true);
    return wrapped;
  }
  const auto optional = wanted.cast<c10::OptionalType>();
  const c10::TypeKind kind = optional ? optional->getElementType()->kind() : wanted.kind();
  const bool real = kind == c10::TypeKind::FloatType && number.isInt();
  return real ? c10::IValue(static_cast<double>(number.toInt())) : number;
}

c10::IValue GraphReplay::Of(const GraphCall& call, const TensorArgument& argument) const {
  if (argument.number) return NumberOf(call, argument);
  if (!argument.list) return (*this)[argument.values[0]];
  if (!argument.optional) {
    c10::List<at::Tensor> list;
    for (const int value : argument.values) list.push_back((*this)[value]);
    return list;
  }
  c10::List<std::optional<at::Tensor>> list;
  for (const int value : argument.values)
    list.push_back(value == kNoTensor ? std::optional<at::Tensor>() : (*this)[value]);
  return list;
}

c10::Stack GraphReplay::ArgumentsOf(const GraphCall& call) const {
  c10::Stack stack = call.arguments;
  for (const TensorArgument& argument : call.tensors) stack[argument.argument] = Of(call, argument);
  return stack;
}

c10::Stack GraphReplay::Make(const GraphCall& call) {
  c10::Stack stack = ArgumentsOf(call);
  call.handle.callBoxed(stack);
  Take(call, stack);
  for (const int value : call.last_uses) values_[static_cast<size_t>(value)] = at::Tensor();
  return stack;
}

void GraphReplay::Take(const GraphCall& call, const c10::Stack& results) {
  const auto keep = [this](int value, c10::IValue made) {
    values_.at(static_cast<size_t>(value)) = std::move(made);
  };
  for (size_t i = 0; i < call.results.size(); ++i) {
    const std::vector<int>& result = call.results[i];
    if (!call.result_is_list[i]) {
      if (!result.empty()) keep(result[0], results.at(i));
      continue;
    }
    const c10::List<at::Tensor> list = results.at(i).toTensorList();
    TORCH_CHECK(list.size() == result.size(), "the graph takes ", result.size(), " tensors from ",
                call.handle.schema().name(), ", which gave ", list.size());
    for (size_t k = 0; k < result.size(); ++k) keep(result[k], list.get(k));
  }
}

int OperatorGraph::NewValue() {
  constants.emplace_back();
  return static_cast<int>(constants.size()) - 1;
}

void OperatorGraph::FindLastUses() {
  std::vector<bool> needed(constants.size(), false);
  for (const int output : outputs) needed[static_cast<size_t>(output)] = true;
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    const auto last_here = [&](int value) {
      if (value == kNoTensor || needed[static_cast<size_t>(value)]) return;
      needed[static_cast<size_t>(value)] = true;
      call->last_uses.push_back(value);
    };
    for (const auto& result : call->results)
      for (const int value : result) last_here(value);
    for (const TensorArgument& argument : call->tensors)
      for (const int value : argument.values) last_here(value);
  }
  reshaped.clear();
  for (const GraphCall& call : calls) {
    if (!ReshapesInPlace(call)) continue;
    const std::vector<int> written = WrittenBy(call);
    reshaped.insert(reshaped.end(), written.begin(), written.end());
  }
}

std::vector<at::Tensor> OperatorGraph::Call(const std::vector<at::Tensor>& given) const {
  GraphReplay replay(*this, given);
  for (const GraphCall& call : calls) replay.Make(call);
  std::vector<at::Tensor> results;
  for (const int output : outputs) results.push_back(replay[output]);
  return results;
}

}  // namespace assay::execution
