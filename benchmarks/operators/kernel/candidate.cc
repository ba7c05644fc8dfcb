#include "benchmarks/operators/kernel/candidate.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/operators/kernel/loaded_operators.h"

namespace assay::kernel {
namespace {

absl::Status NotFit(const std::string& problem, const c10::FunctionSchema& schema,
                    const c10::FunctionSchema& like) {
  return absl::InvalidArgumentError(absl::StrCat(problem, "\n  candidate  ", c10::toString(schema),
                                                 "\n  like       ", c10::toString(like)));
}

bool Fits(const c10::Argument& argument, const c10::IValue& value) {
  if (value.isTensor())
    return argument.type()->kind() == c10::TypeKind::TensorType ||
           argument.type()->kind() == c10::TypeKind::OptionalType;
  return value.type()->isSubtypeOf(*argument.real_type()) ||
         value.type()->isSubtypeOf(*argument.type());
}

std::optional<c10::OperatorHandle> Find(const std::string& name) {
  const size_t dot = name.find('.');
  return c10::Dispatcher::singleton().findSchema(
      {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
}

}  // namespace

bool IsDefault(const c10::Argument& argument, const c10::IValue& value) {
  if (argument.default_value()) return *argument.default_value() == value;
  return value.isNone() || (value.isTensor() && !value.toTensor().defined());
}

absl::StatusOr<std::string> LoadCandidate(const std::string& library, const std::string& asked) {
  const absl::StatusOr<std::vector<std::string>> own = override::LoadOperators(library);
  if (!own.ok()) return own.status();
  const std::vector<execution::KernelOverAten> over = execution::KernelsOverAten();
  if (!over.empty())
    return absl::InvalidArgumentError(
        absl::StrCat("registers kernels over ATen's, ", execution::KernelsText(over),
                     "; register an operator of your own, m.def(\"mine(Tensor self) -> Tensor\")"));
  return override::ChosenOperator(*own, asked);
}

absl::Status HasCpuKernel(const std::string& name) {
  const std::optional<c10::OperatorHandle> handle = Find(name);
  if (!handle || handle->hasComputedKernelForDispatchKey(c10::DispatchKey::CPU))
    return absl::OkStatus();
  const std::string mend =
      "register one that takes CPU tensors: library.impl(..., c10::DispatchKey::CPU, ...)";
  if (handle->hasKernelForDispatchKey(c10::DispatchKey::CUDA))
    return absl::FailedPreconditionError(absl::StrCat(
        name, " has a kernel for CUDA alone, and kernels are called on the CPU here; ", mend));
  return absl::InvalidArgumentError(absl::StrCat(name, " has no kernel; ", mend));
}

absl::StatusOr<execution::BoundOperator> BindLike(const std::string& name,
                                                  const execution::BoundOperator& like) {
  const std::optional<c10::OperatorHandle> handle = Find(name);
  if (!handle) return absl::InvalidArgumentError(absl::StrCat("there is no operator ", name));
  const c10::FunctionSchema& schema = handle->schema();
  const c10::FunctionSchema& like_schema = like.handle.schema();
  if (schema.is_mutable())
    return NotFit(
        "it writes to its arguments, by its schema; one that returns its result can be verified",
        schema, like_schema);
  std::vector<bool> used(like.arguments.size());
  c10::Stack values;
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    std::optional<size_t> source;
    if (const std::optional<int> at = like_schema.argumentIndexWithName(argument.name())) {
      source = static_cast<size_t>(*at);
    } else if (i < like.arguments.size() &&
               !schema.argumentIndexWithName(like_schema.arguments()[i].name())) {
      source = i;
    }
    if (source && Fits(argument, like.arguments[*source])) {
      used[*source] = true;
      values.push_back(like.arguments[*source]);
    } else if (argument.default_value()) {
      values.push_back(*argument.default_value());
    } else {
      return NotFit(absl::StrCat("it needs an argument '", argument.name(), "' of type ",
                                 argument.type()->str(), ", which --like does not have"),
                    schema, like_schema);
    }
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i] && !IsDefault(like_schema.arguments()[i], like.arguments[i]))
      return NotFit(
          absl::StrCat("it has no argument for '", like_schema.arguments()[i].name(), "'"), schema,
          like_schema);
  }
  return execution::BoundOperator{*handle, std::move(values)};
}

}  // namespace assay::kernel
