#include "benchmarks/traces/reader/kineto_schema.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::traces {
namespace {

using Kind = TraceValue::Kind;

using SchemasByName = std::unordered_map<std::string, std::vector<const c10::FunctionSchema*>>;

// Sorted by overload, so that the plain one is first.
const SchemasByName& AllSchemas() {
  static const auto& schemas = *[] {
    auto* const by_name = new SchemasByName();
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
      const auto handle = c10::Dispatcher::singleton().findSchema(name);
      if (handle) (*by_name)[name.name].push_back(new c10::FunctionSchema(handle->schema()));
    }
    for (auto& [name, overloads] : *by_name) {
      std::sort(overloads.begin(), overloads.end(), [](const auto* a, const auto* b) {
        return a->overload_name() < b->overload_name();
      });
    }
    return by_name;
  }();
  return schemas;
}

// A whole number is printed without a point, another one with.
std::optional<TraceValue> NumberIn(std::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  int64_t whole = 0;
  double number = 0;
  if (text == "True" || text == "False")
    return TraceValue{.kind = Kind::kBool, .type = "Bool", .integer = text == "True" ? 1 : 0};
  if (absl::SimpleAtoi(text, &whole))
    return TraceValue{.kind = Kind::kInt, .type = "Int", .integer = whole};
  if (absl::SimpleAtod(text, &number))
    return TraceValue{.kind = Kind::kDouble, .type = "Double", .number = number};
  return std::nullopt;
}

bool NumberFits(const TraceValue& number, const c10::Type& type) {
  switch (type.kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
    case c10::TypeKind::ScalarTypeType:
    case c10::TypeKind::LayoutType:
    case c10::TypeKind::MemoryFormatType:
      return number.kind == Kind::kInt;
    case c10::TypeKind::FloatType:
    case c10::TypeKind::SymFloatType:
      return number.kind == Kind::kDouble;
    case c10::TypeKind::BoolType:
    case c10::TypeKind::SymBoolType:
      return number.kind == Kind::kBool;
    case c10::TypeKind::NumberType:
      return true;
    default:
      return false;
  }
}

TraceValue ListOf(std::vector<TraceValue> items) {
  std::string types;
  for (const TraceValue& item : items) absl::StrAppend(&types, types.empty() ? "" : ",", item.type);
  return {.kind = Kind::kList,
          .type = absl::StrCat("GenericList[", types, "]"),
          .items = std::move(items)};
}

// The value as an argument of the type; nothing where it cannot be one.
std::optional<TraceValue> Fit(const TraceValue& value, const c10::Type& type) {
  if (type.kind() == c10::TypeKind::OptionalType) {
    if (value.kind == Kind::kLost && value.text.empty())
      return TraceValue{.kind = Kind::kNone, .type = "None"};
    return Fit(value, *type.containedType(0));
  }
  const bool tensor_type = type.kind() == c10::TypeKind::TensorType;
  if (value.kind == Kind::kTensor) return tensor_type ? std::optional(value) : std::nullopt;
  if (value.kind == Kind::kLost && value.text.empty()) {
    // Nothing was printed: a tensor that is not defined, a string, a device, a long list.
    const c10::TypeKind kind = type.kind();
    if (value.type == "TensorList")
      return kind == c10::TypeKind::ListType ? std::optional(value) : std::nullopt;
    const bool printed = kind == c10::TypeKind::IntType || kind == c10::TypeKind::FloatType ||
                         kind == c10::TypeKind::BoolType || kind == c10::TypeKind::NumberType;
    return printed ? std::nullopt : std::optional(value);
  }
  if (type.kind() != c10::TypeKind::ListType) {
    const std::optional<TraceValue> number = NumberIn(value.text);
    return value.kind == Kind::kLost && number && NumberFits(*number, type) ? number : std::nullopt;
  }
  const c10::Type& item_type = *type.containedType(0);
  std::vector<TraceValue> items;
  if (value.kind == Kind::kList) {
    for (const TraceValue& item : value.items) {
      std::optional<TraceValue> fit = Fit(item, item_type);
      if (!fit) return std::nullopt;
      items.push_back(*std::move(fit));
    }
    return ListOf(std::move(items));
  }
  // Names of dimensions are texts, which are not printed.
  if (item_type.kind() == c10::TypeKind::StringType) return std::nullopt;
  std::string_view text = value.text;
  if (!absl::ConsumePrefix(&text, "[") || !absl::ConsumeSuffix(&text, "]")) return std::nullopt;
  for (const std::string_view word : absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    const std::optional<TraceValue> number = NumberIn(word);
    if (!number || !NumberFits(*number, item_type)) return std::nullopt;
    items.push_back(*number);
  }
  return ListOf(std::move(items));
}

std::optional<std::vector<TraceValue>> FitAll(const TraceNode& node,
                                              const c10::FunctionSchema& schema) {
  if (schema.arguments().size() != node.inputs.size()) return std::nullopt;
  std::vector<TraceValue> values;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    std::optional<TraceValue> fit = Fit(node.inputs[i], *schema.arguments()[i].real_type());
    if (!fit) return std::nullopt;
    values.push_back(*std::move(fit));
  }
  return values;
}

void TakeDefault(const c10::Argument& argument, TraceValue& value) {
  if (!argument.default_value()) return;
  const c10::IValue& given = *argument.default_value();
  if (given.isString())
    value = {.kind = Kind::kString, .type = "String", .text = given.toStringRef()};
  if (given.isNone()) value = {.kind = Kind::kNone, .type = "None"};
  if (given.isList() && given.toListRef().empty())
    value = {.kind = Kind::kList, .type = "GenericList[]"};
}

void Resolve(const c10::FunctionSchema& schema, std::vector<TraceValue> values, int64_t times,
             TraceNode& node, SchemaReport& report) {
  for (size_t i = 0; i < values.size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    if (values[i].kind == Kind::kLost) TakeDefault(argument, values[i]);
    // None is what most optional arguments are, unless the default is another value.
    const bool nothing = node.inputs[i].kind == Kind::kLost && node.inputs[i].text.empty();
    if (nothing && (values[i].kind == Kind::kString || values[i].kind == Kind::kList ||
                    values[i].kind == Kind::kLost))
      report.guessed[absl::StrCat(node.name, " ", argument.name())] += times;
  }
  node.inputs = std::move(values);
  node.op_schema = c10::toString(schema);
  report.found += times;
}

// `times`: how many nodes are such a call.
void FindSchema(TraceNode& node, int64_t times, SchemaReport& report) {
  const auto overloads = AllSchemas().find(node.name);
  if (overloads == AllSchemas().end()) {
    report.unknown[node.name] += times;
    return;
  }
  const c10::FunctionSchema* best = nullptr;
  std::vector<TraceValue> values;
  int fits = 0;
  int64_t fewest_lost = 0;
  bool takes_arguments = true;
  for (const c10::FunctionSchema* schema : overloads->second) {
    takes_arguments = takes_arguments && !schema->arguments().empty();
    std::optional<std::vector<TraceValue>> fit = FitAll(node, *schema);
    if (!fit) continue;
    // An overload that explains more of the arguments is the better one.
    const int64_t lost = std::count_if(fit->begin(), fit->end(), [](const TraceValue& value) {
      return value.kind == Kind::kLost;
    });
    if (fits > 0 && lost >= fewest_lost) {
      fits += lost == fewest_lost ? 1 : 0;
      continue;
    }
    fits = 1;
    fewest_lost = lost;
    best = schema;
    values = *std::move(fit);
  }
  if (fits == 0) {
    auto& counts = node.inputs.empty() && takes_arguments ? report.without_arguments : report.unfit;
    counts[node.name] += times;
    return;
  }
  if (fits > 1) report.ambiguous[node.name] += times;
  Resolve(*best, std::move(values), times, node, report);
}

}  // namespace

// Labels of autograd have "::" within, too: "autograd::engine::evaluate_function: AddBackward0",
// "torch::autograd::AccumulateGrad".
bool IsOperatorName(std::string_view name) {
  return absl::StrContains(name, "::") && !absl::StrContains(name, " ") &&
         !absl::StartsWith(name, "torch::autograd::");
}

SchemaReport FindSchemas(NodeList& nodes) {
  SchemaReport report;
  nodes.ChangeCalls([&](TraceNode& call, int64_t times) {
    if (call.op_schema.empty() && IsOperatorName(call.name)) FindSchema(call, times, report);
  });
  return report;
}

}  // namespace assay::traces
