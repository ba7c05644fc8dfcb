#include "benchmarks/traces/replay/traced_call.h"

#include <c10/core/ScalarTypeToTypeMeta.h>

#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/graph/storages.h"

namespace assay::traces {
namespace {

using Kind = TraceValue::Kind;

absl::Status Lost(std::string_view what) { return absl::InvalidArgumentError(what); }

// Why one of the tensors cannot be; OK where all can.
absl::Status CheckTensors(const std::vector<TraceValue>& values) {
  absl::Status status;
  ForEachTensor(values, [&](const TraceTensor& tensor) {
    const std::optional<at::ScalarType> dtype = ScalarTypeOf(tensor.dtype);
    if (!dtype) {
      status = Lost(tensor.dtype.empty()
                        ? "it has a list of tensors, whose dtype torch.profiler does not write"
                        : absl::StrCat("it has a tensor of dtype ", base::Quoted(tensor.dtype)));
    } else if (ExtentOf(tensor) < 0) {
      status = Lost(absl::StrCat("tensor ", tensor.id, " has impossible sizes or strides"));
    } else if (tensor.element_size != static_cast<int64_t>(c10::elementSize(*dtype))) {
      status = Lost(absl::StrCat("tensor ", tensor.id, " of dtype ", tensor.dtype,
                                 " has elements of ", tensor.element_size, " bytes"));
    }
  });
  return status;
}

// Why a value cannot be an argument; OK where it can.
absl::Status CheckValue(const TraceValue& value) {
  if (value.kind == Kind::kLost) {
    return Lost(absl::StrCat("the trace has lost an argument of type ",
                             base::Printable(value.type, 60), ": ", base::Quoted(value.text)));
  }
  if (value.items.size() == kCutList)
    return Lost("an argument has 4097 values, where LibTorch's observer cuts longer lists");
  for (const TraceValue& item : value.items) {
    const absl::Status checked = CheckValue(item);
    if (!checked.ok()) return checked;
  }
  return absl::OkStatus();
}

c10::IValue ArgumentOf(const TraceValue& value) {
  switch (value.kind) {
    case Kind::kTensor:
    case Kind::kUndefinedTensor:
      return at::Tensor();
    case Kind::kInt:
      return value.integer;
    case Kind::kDouble:
      return value.number;
    case Kind::kBool:
      return value.integer != 0;
    case Kind::kString:
      return value.text;
    case Kind::kDevice:
      return c10::Device(c10::kCPU);
    case Kind::kList: {
      std::vector<c10::IValue> items;
      for (const TraceValue& item : value.items) items.push_back(ArgumentOf(item));
      return c10::ivalue::Tuple::create(std::move(items));
    }
    case Kind::kNone:
    case Kind::kGenerator:
    case Kind::kLost:
      return {};
  }
  return {};
}

}  // namespace

std::optional<c10::OperatorHandle> OperatorOf(const TraceNode& node) {
  const std::string name = OperatorName(node);
  const size_t dot = name.find('.');
  return c10::Dispatcher::singleton().findSchema(
      {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
}

absl::StatusOr<execution::BoundOperator> BindTraced(const TraceNode& node, bool has_results) {
  const auto handle = OperatorOf(node);
  if (!handle) {
    const absl::Status unknown = execution::BindOperator(OperatorName(node), {}).status();
    return Lost(absl::IsNotFound(unknown)
                    ? unknown.message()
                    : absl::StrCat("there is no overload ", base::Quoted(OperatorName(node))));
  }
  if (!handle->hasComputedKernelForDispatchKey(c10::DispatchKey::CPU))
    return Lost("it has no kernel for the CPU");
  const c10::FunctionSchema& schema = handle->schema();
  if (node.inputs.size() != schema.arguments().size() ||
      (has_results && node.outputs.size() != schema.returns().size())) {
    return Lost(absl::StrCat("the trace has ", node.inputs.size(), " arguments and ",
                             node.outputs.size(), " results, this LibTorch's schema ",
                             schema.arguments().size(), " and ", schema.returns().size()));
  }
  absl::Status checked = CheckTensors(node.inputs);
  if (checked.ok()) checked = CheckTensors(node.outputs);
  execution::OperatorArguments arguments = {.keywords_by_position = true};
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (checked.ok()) checked = CheckValue(node.inputs[i]);
    if (!checked.ok()) return checked;
    const bool pins = schema.arguments()[i].name() == "pin_memory";
    arguments.positional.push_back(pins ? c10::IValue() : ArgumentOf(node.inputs[i]));
  }
  absl::StatusOr<c10::Stack> bound = execution::BindArguments(schema, arguments);
  if (!bound.ok()) return bound.status();
  return execution::BoundOperator{*handle, *std::move(bound)};
}

std::optional<at::ScalarType> ScalarTypeOf(std::string_view dtype) {
  static const auto& types = *[] {
    auto* const names = new std::map<std::string, at::ScalarType, std::less<>>();
    for (const at::ScalarType type :
         {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kFloat, at::kDouble,
          at::kComplexHalf, at::kComplexFloat, at::kComplexDouble, at::kBool, at::kBFloat16,
          at::kFloat8_e5m2, at::kFloat8_e4m3fn, at::kUInt16, at::kUInt32, at::kUInt64})
      names->emplace(c10::scalarTypeToTypeMeta(type).name(), type);
    return names;
  }();
  const auto found = types.find(dtype);
  if (found == types.end()) return std::nullopt;
  return found->second;
}

}  // namespace assay::traces
