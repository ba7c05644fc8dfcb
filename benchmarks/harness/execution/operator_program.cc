#include "benchmarks/harness/execution/operator_program.h"

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <map>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::execution {
namespace {

// "aten::addmm", "aten::add.Tensor".
c10::OperatorName NameOf(const std::string& text) {
  const size_t dot = text.find('.');
  if (dot == std::string::npos) return {text, ""};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

std::string SchemaText(const c10::FunctionSchema& schema) { return c10::toString(schema); }

absl::Status Misfit(const c10::FunctionSchema& schema, const std::string& problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("operator ", problem, "; its schema is ", SchemaText(schema)));
}

// The value as the argument's type; nullopt where it does not fit.
std::optional<c10::IValue> ValueAs(const c10::Type& type, const ParameterValue& value) {
  if (type.kind() == c10::TypeKind::OptionalType)
    return ValueAs(*type.castRaw<c10::OptionalType>()->getElementType(), value);
  const bool number = type.kind() == c10::TypeKind::NumberType;
  switch (value.value_case()) {
    case ParameterValue::kInteger:
      if (number || type.kind() == c10::TypeKind::IntType ||
          type.kind() == c10::TypeKind::SymIntType)
        return c10::IValue(static_cast<int64_t>(value.integer()));
      if (type.kind() == c10::TypeKind::FloatType)
        return c10::IValue(static_cast<double>(value.integer()));
      return std::nullopt;
    case ParameterValue::kReal:
      if (number || type.kind() == c10::TypeKind::FloatType) return c10::IValue(value.real());
      return std::nullopt;
    case ParameterValue::kFlag:
      if (type.kind() == c10::TypeKind::BoolType) return c10::IValue(value.flag());
      return std::nullopt;
    case ParameterValue::kText:
      if (type.kind() == c10::TypeKind::StringType) return c10::IValue(value.text());
      return std::nullopt;
    case ParameterValue::kIntegers:
      if (type.kind() != c10::TypeKind::ListType) return std::nullopt;
      return c10::IValue(
          std::vector<int64_t>(value.integers().values().begin(), value.integers().values().end()));
    case ParameterValue::VALUE_NOT_SET:
      break;
  }
  return std::nullopt;
}

// Every name of the call is one of the schema's.
absl::Status CheckNames(const OperatorCall& call, const c10::FunctionSchema& schema) {
  for (const InputSpec& input : call.inputs()) {
    const std::optional<int> at = schema.argumentIndexWithName(input.name());
    if (!at) {
      return Misfit(
          schema, absl::StrCat(call.name(), " has no argument '", input.name(), "' for an input"));
    }
  }
  for (const auto& [name, value] : call.arguments()) {
    if (!schema.argumentIndexWithName(name))
      return Misfit(schema, absl::StrCat(call.name(), " has no argument '", name, "'"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Program>> OperatorProgram::Make(const OperatorCall& call) {
  const std::optional<c10::OperatorHandle> handle =
      c10::Dispatcher::singleton().findSchema(NameOf(call.name()));
  if (!handle) {
    return absl::NotFoundError(absl::StrCat(
        "there is no operator '", call.name(),
        "'; name it as its schema does, with its overload: aten::addmm, aten::add.Tensor"));
  }
  const c10::FunctionSchema& schema = handle->schema();
  if (schema.is_mutable())
    return Misfit(schema, absl::StrCat(call.name(), " writes to its arguments"));
  if (absl::Status status = CheckNames(call, schema); !status.ok()) return status;
  std::map<std::string, size_t> inputs;
  for (int i = 0; i < call.inputs_size(); ++i)
    inputs[call.inputs(i).name()] = static_cast<size_t>(i);
  std::vector<Argument> arguments;
  for (const c10::Argument& argument : schema.arguments()) {
    const auto value = call.arguments().find(argument.name());
    if (const auto input = inputs.find(argument.name()); input != inputs.end()) {
      arguments.emplace_back(input->second);
    } else if (value != call.arguments().end()) {
      const std::optional<c10::IValue> converted = ValueAs(*argument.type(), value->second);
      if (!converted) {
        return Misfit(schema, absl::StrCat(call.name(), ": argument '", argument.name(), "' is ",
                                           argument.type()->str(), ", its value is not"));
      }
      arguments.emplace_back(*converted);
    } else if (argument.default_value()) {
      arguments.emplace_back(*argument.default_value());
    } else {
      return Misfit(
          schema, absl::StrCat(call.name(), " needs a value for argument '", argument.name(), "'"));
    }
  }
  return std::unique_ptr<Program>(new OperatorProgram(*handle, std::move(arguments)));
}

Tensors OperatorProgram::Call(Step, TensorsRef inputs) {
  c10::Stack stack;
  stack.reserve(arguments_.size());
  for (const Argument& argument : arguments_) {
    if (const size_t* input = std::get_if<size_t>(&argument)) {
      stack.emplace_back(inputs[*input]);
    } else {
      stack.push_back(std::get<c10::IValue>(argument));
    }
  }
  handle_.callBoxed(stack);
  Tensors outputs;
  for (const c10::IValue& value : stack) {
    if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) outputs.push_back(tensor);
    } else if (value.isTensor()) {
      outputs.push_back(value.toTensor());
    }
  }
  return outputs;
}

}  // namespace assay::execution
