#include "benchmarks/operators/kernel/schema_check.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/text/shape_text.h"
#include "benchmarks/operators/judge/argument_memory.h"
#include "benchmarks/operators/judge/callable.h"

namespace assay::kernel {
namespace {

using c10::SchemaArgType;

// The stack with nothing but the value at `index`.
c10::Stack Alone(const c10::Stack& values, size_t index) {
  c10::Stack alone(values.size());
  alone[index] = values[index];
  return alone;
}

bool IsContiguous(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && value.toTensor().numel() > 0 &&
         value.toTensor().is_contiguous();
}

SchemaFault AliasFault(const c10::FunctionSchema& schema, const c10::Stack& arguments,
                       const c10::Stack& results) {
  operators::Callable call;
  for (const c10::Argument& argument : schema.arguments()) call.names.push_back(argument.name());
  for (size_t r = 0; r < results.size(); ++r) {
    const c10::Stack result = Alone(results, r);
    for (size_t a = 0; a < arguments.size(); ++a) {
      const bool declared =
          schema.may_contain_alias({SchemaArgType::output, r}, {SchemaArgType::input, a});
      call.arguments = Alone(arguments, a);
      const std::string shared = operators::SharedMemory(result, call);
      if (!declared && !shared.empty()) return {"returns an input's memory", shared};
      if (declared && shared.empty() && IsContiguous(arguments[a]))
        return {"returns no view",
                absl::StrCat("by its schema result ", r, " lies in the memory of argument '",
                             call.names[a], "', and it has memory of its own")};
    }
    for (size_t other = 0; other < r; ++other) {
      if (!schema.may_contain_alias({SchemaArgType::output, r}, {SchemaArgType::output, other}) &&
          !operators::SharedMemory(result, Alone(results, other)).empty())
        return {"results share memory",
                absl::StrCat("results ", other, " and ", r,
                             " lie in the same memory, and its schema does not say so")};
    }
  }
  return {};
}

// "Float [3, 5], strides [5, 1]". The stride of a dimension of one element means nothing.
std::string MetaText(const at::Tensor& tensor) {
  std::vector<std::string> strides;
  for (int64_t d = 0; d < tensor.dim(); ++d)
    strides.push_back(tensor.numel() == 0 || tensor.size(d) == 1 ? "*"
                                                                 : absl::StrCat(tensor.stride(d)));
  return absl::StrCat(c10::toString(tensor.scalar_type()), " ", base::ShapeText(tensor.sizes()),
                      ", strides [", absl::StrJoin(strides, ", "), "]");
}

std::string MetaFault(const c10::OperatorHandle& handle, const c10::Stack& arguments,
                      const c10::Stack& results) {
  if (!handle.hasKernelForDispatchKey(c10::DispatchKey::Meta)) return "";
  c10::Stack stack = operators::OnMeta(arguments);
  const absl::Status called = base::CatchTorch("its kernel for Meta", [&] {
    const at::AutoDispatchBelowADInplaceOrView kernel_itself;
    handle.callBoxed(stack);
  });
  if (!called.ok()) return std::string(called.message());
  const std::vector<at::Tensor> said = execution::TensorsOf(stack),
                                made = execution::TensorsOf(results);
  if (said.size() != made.size())
    return absl::StrCat("its kernel for Meta returns ", said.size(), " tensors, the call ",
                        made.size());
  for (size_t i = 0; i < made.size(); ++i) {
    if (!said[i].is_meta())
      return absl::StrCat("its kernel for Meta returns result ", i, " on ", said[i].device().str());
    if (MetaText(said[i]) != MetaText(made[i]))
      return absl::StrCat("by its kernel for Meta result ", i, " is ", MetaText(said[i]),
                          "; the call returns ", MetaText(made[i]));
  }
  return "";
}

}  // namespace

SchemaFault FaultOf(const c10::OperatorHandle& handle, const c10::Stack& arguments,
                    const c10::Stack& results) {
  SchemaFault fault = AliasFault(handle.schema(), arguments, results);
  if (!fault.kind.empty()) return fault;
  fault.text = MetaFault(handle, arguments, results);
  if (!fault.text.empty()) fault.kind = "wrong shape function";
  return fault;
}

std::string MissingShapeFunction(const std::string& name) {
  const size_t dot = name.find('.');
  const auto handle = c10::Dispatcher::singleton().findSchema(
      {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
  constexpr c10::DispatchKey kKeys[] = {c10::DispatchKey::Meta,
                                        c10::DispatchKey::CompositeExplicitAutograd,
                                        c10::DispatchKey::CompositeImplicitAutograd};
  if (!handle || std::any_of(std::begin(kKeys), std::end(kKeys), [&](c10::DispatchKey key) {
        return handle->hasKernelForDispatchKey(key);
      }))
    return "";
  return absl::StrCat("no shape function: ", name,
                      " has no kernel for Meta, so torch.compile refuses it; library.impl(..., "
                      "c10::DispatchKey::Meta, ...) registers one");
}

}  // namespace assay::kernel
