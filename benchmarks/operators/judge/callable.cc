#include "benchmarks/operators/judge/callable.h"

#include <ATen/ops/empty_strided.h>

#include <utility>

#include "absl/functional/function_ref.h"

namespace assay::operators {
namespace {

c10::IValue Cast(const c10::IValue& value) {
  if (value.isDevice()) return c10::Device(c10::kCPU);
  if (!value.isTensor() || !value.toTensor().defined()) return value;
  at::Tensor tensor = value.toTensor().detach().cpu();
  if (tensor.is_floating_point()) tensor = tensor.to(at::kDouble);
  if (tensor.is_complex()) tensor = tensor.to(at::kComplexDouble);
  return tensor;
}

// The arguments and the elements of lists of them, each changed.
c10::Stack Each(c10::Stack arguments,
                absl::FunctionRef<c10::IValue(const c10::IValue& value)> change) {
  for (c10::IValue& argument : arguments) {
    if (!argument.isList()) {
      argument = change(argument);
      continue;
    }
    c10::List<c10::IValue> list = argument.toList().copy();  // the arguments share their elements
    for (size_t i = 0; i < list.size(); ++i) list.set(i, change(list.get(i)));
    argument = list;
  }
  return arguments;
}

}  // namespace

Callable CallableOf(const execution::BoundOperator& bound) {
  Callable callable = {.arguments = bound.arguments,
                       .run = [handle = bound.handle](c10::Stack stack) {
                         handle.callBoxed(stack);
                         return stack;
                       }};
  for (const c10::Argument& argument : bound.handle.schema().arguments())
    callable.names.push_back(argument.name());
  return callable;
}

c10::Stack InFloat64(c10::Stack arguments) { return Each(std::move(arguments), Cast); }

c10::Stack OnMeta(c10::Stack arguments) {
  return Each(std::move(arguments), [](const c10::IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined()) return value;
    const at::Tensor& tensor = value.toTensor();
    return c10::IValue(
        at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(at::kMeta)));
  });
}

c10::Stack Copies(c10::Stack arguments) {
  return Each(std::move(arguments), [](const c10::IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined()) return value;
    return c10::IValue(value.toTensor().detach().clone());
  });
}

}  // namespace assay::operators
