#include "benchmarks/harness/execution/operator_graph.h"

#include <ATen/core/List.h>
#include <ATen/core/ivalue.h>

#include <optional>
#include <utility>

namespace assay::execution {
namespace {

// The tensors of a replay, by number.
class Values {
 public:
  explicit Values(std::vector<at::Tensor> values) : values_(std::move(values)) {}

  at::Tensor& operator[](int value) { return values_.at(static_cast<size_t>(value)); }

  c10::IValue Of(const TensorArgument& argument) {
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

  void Take(const GraphCall& call, const c10::Stack& stack) {
    for (size_t i = 0; i < call.results.size(); ++i) {
      const std::vector<int>& result = call.results[i];
      if (!call.result_is_list[i]) {
        if (!result.empty()) (*this)[result[0]] = stack.at(i).toTensor();
        continue;
      }
      const c10::List<at::Tensor> list = stack.at(i).toTensorList();
      TORCH_CHECK(list.size() == result.size(), "the graph takes ", result.size(), " tensors from ",
                  call.handle.schema().name(), ", which gave ", list.size());
      for (size_t k = 0; k < result.size(); ++k) (*this)[result[k]] = list.get(k);
    }
  }

 private:
  std::vector<at::Tensor> values_;
};

}  // namespace

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
}

std::vector<at::Tensor> OperatorGraph::Call(const std::vector<at::Tensor>& given) const {
  Values values(constants);
  for (size_t i = 0; i < inputs.size(); ++i) values[inputs[i].value] = given.at(i);
  c10::Stack stack;
  for (const GraphCall& call : calls) {
    stack = call.arguments;
    for (const TensorArgument& argument : call.tensors)
      stack[argument.argument] = values.Of(argument);
    call.handle.callBoxed(stack);
    values.Take(call, stack);
    for (const int value : call.last_uses) values[value] = at::Tensor();
  }
  std::vector<at::Tensor> results;
  for (const int output : outputs) results.push_back(values[output]);
  return results;
}

}  // namespace assay::execution
