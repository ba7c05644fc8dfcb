#include "benchmarks/harness/dispatcher/boxed_operator.h"

#include <ATen/ScalarOps.h>
#include <c10/core/ScalarType.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/text/nearest_names.h"

namespace assay::execution {
namespace {

// Splits "aten::add.Tensor" at the dot.
c10::OperatorName NameOf(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

using OverloadMap = std::map<std::string, std::vector<c10::OperatorName>, std::less<>>;

// The names of all overloads by their base name; an overload without a name of its own comes first.
OverloadMap AllOverloads() {
  OverloadMap overloads;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames())
    overloads[name.name].push_back(name);
  for (auto& [base, names] : overloads) {
    std::sort(names.begin(), names.end(),
              [](const c10::OperatorName& a, const c10::OperatorName& b) {
                return a.overload_name < b.overload_name;
              });
  }
  return overloads;
}

// Reads the list again if the name is not in it: a library may have been loaded since.
const std::vector<c10::OperatorName>& OverloadsOf(const std::string& base) {
  static auto* const overloads = new OverloadMap(AllOverloads());
  if (overloads->count(base) == 0) *overloads = AllOverloads();
  static const auto* const none = new std::vector<c10::OperatorName>();
  const auto found = overloads->find(base);
  return found == overloads->end() ? *none : found->second;
}

absl::Status Unknown(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [base, overloads] : AllOverloads()) names.push_back(base);
  return absl::NotFoundError(
      absl::StrCat("there is no operator '", name, "'; the nearest names are ",
                   absl::StrJoin(base::NearestNames(NameOf(name).name, names), ", ")));
}

// Takes Python's names, too: "float32", "torch.float32", "float".
std::optional<at::ScalarType> ScalarTypeOf(std::string_view name) {
  name = absl::StripPrefix(name, "torch.");
  static const auto* const types =
      new std::map<std::string, at::ScalarType, std::less<>>{{"float32", at::kFloat},
                                                             {"float", at::kFloat},
                                                             {"float64", at::kDouble},
                                                             {"double", at::kDouble},
                                                             {"float16", at::kHalf},
                                                             {"half", at::kHalf},
                                                             {"bfloat16", at::kBFloat16},
                                                             {"uint8", at::kByte},
                                                             {"int8", at::kChar},
                                                             {"int16", at::kShort},
                                                             {"short", at::kShort},
                                                             {"int32", at::kInt},
                                                             {"int", at::kInt},
                                                             {"int64", at::kLong},
                                                             {"long", at::kLong},
                                                             {"bool", at::kBool},
                                                             {"complex64", at::kComplexFloat},
                                                             {"complex128", at::kComplexDouble},
                                                             {"qint8", at::kQInt8},
                                                             {"quint8", at::kQUInt8},
                                                             {"qint32", at::kQInt32}};
  const auto found = types->find(name);
  if (found == types->end()) return std::nullopt;
  return found->second;
}

// Takes Python's names: "strided", "torch.sparse_csr".
std::optional<at::Layout> LayoutOf(std::string_view name) {
  static const auto* const layouts = new std::map<std::string, at::Layout, std::less<>>{
      {"strided", at::kStrided},      {"sparse_coo", at::kSparse},
      {"sparse_csr", at::kSparseCsr}, {"sparse_csc", at::kSparseCsc},
      {"sparse_bsr", at::kSparseBsr}, {"sparse_bsc", at::kSparseBsc}};
  const auto found = layouts->find(absl::StripPrefix(name, "torch."));
  if (found == layouts->end()) return std::nullopt;
  return found->second;
}

// Whether a number may stand for a tensor. Python allows it where no other overload takes the
// number.
enum class Numbers { kAsNumbers, kAsTensors };

std::optional<c10::IValue> As(const c10::Type& type, const c10::IValue& value, Numbers numbers);

// A list with elements of this type; a single value becomes `count` of them.
std::optional<c10::IValue> ListAs(const c10::TypePtr& element, std::optional<int32_t> count,
                                  const c10::IValue& value, Numbers numbers) {
  // These are stored as integers, whatever the schema calls them.
  const c10::TypePtr kept =
      element->kind() == c10::TypeKind::SymIntType ? c10::IntType::get() : element;
  c10::impl::GenericList list(kept);
  const auto append = [&](const c10::IValue& item) {
    const std::optional<c10::IValue> converted = As(*element, item, numbers);
    if (converted) list.push_back(*converted);
    return converted.has_value();
  };
  if (value.isTuple() || value.isList()) {
    const std::vector<c10::IValue> items =
        value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
    if (!std::all_of(items.begin(), items.end(), append)) return std::nullopt;
  } else if (count) {
    for (int32_t i = 0; i < *count; ++i) {
      if (!append(value)) return std::nullopt;
    }
  } else {
    return std::nullopt;
  }
  return c10::IValue(list);
}

std::optional<c10::IValue> As(const c10::Type& type, const c10::IValue& value, Numbers numbers) {
  const auto when = [&](bool fits) { return fits ? std::optional(value) : std::nullopt; };
  const auto code = [](auto enumerator) { return c10::IValue(static_cast<int64_t>(enumerator)); };
  switch (type.kind()) {
    case c10::TypeKind::OptionalType:
      if (value.isNone()) return value;
      return As(*type.castRaw<c10::OptionalType>()->getElementType(), value, numbers);
    case c10::TypeKind::TensorType:
      if (value.isTensor() || !value.isScalar() || numbers == Numbers::kAsNumbers)
        return when(value.isTensor());
      return c10::IValue(at::scalar_to_tensor(value.toScalar()));
    case c10::TypeKind::NumberType:
      return when(value.isScalar());
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      if (value.isBool()) return c10::IValue(static_cast<int64_t>(value.toBool()));
      return when(value.isInt());
    case c10::TypeKind::FloatType:
      if (value.isInt()) return c10::IValue(static_cast<double>(value.toInt()));
      return when(value.isDouble());
    case c10::TypeKind::BoolType:
      return when(value.isBool());
    case c10::TypeKind::StringType:
      return when(value.isString());
    case c10::TypeKind::ScalarTypeType:
      if (value.isInt()) return value;
      if (value.isString()) {
        const std::optional<at::ScalarType> named = ScalarTypeOf(value.toStringRef());
        if (named) return code(*named);
      }
      return std::nullopt;
    case c10::TypeKind::MemoryFormatType:
      if (value.isString() && absl::EndsWith(value.toStringRef(), "channels_last"))
        return code(at::MemoryFormat::ChannelsLast);
      if (value.isString() && absl::EndsWith(value.toStringRef(), "contiguous_format"))
        return code(at::MemoryFormat::Contiguous);
      return when(value.isInt());
    case c10::TypeKind::LayoutType:
      if (value.isString()) {
        const std::optional<at::Layout> named = LayoutOf(value.toStringRef());
        return named ? std::optional(code(*named)) : std::nullopt;
      }
      return when(value.isInt());
    case c10::TypeKind::DeviceObjType:
      if (value.isString()) return c10::IValue(at::Device(value.toStringRef()));
      return when(value.isDevice());
    case c10::TypeKind::ListType:
      return ListAs(type.castRaw<c10::ListType>()->getElementType(), std::nullopt, value, numbers);
    case c10::TypeKind::GeneratorType:
      return when(value.isGenerator());
    default:
      return std::nullopt;
  }
}

std::optional<c10::IValue> ArgumentAs(const c10::Argument& argument, const c10::IValue& value,
                                      Numbers numbers) {
  // real_type(), since type() shows a ScalarType as an int.
  const c10::TypePtr& type = argument.real_type();
  if (argument.N() && !value.isNone()) {
    const c10::Type* list = type.get();
    if (const auto* optional = list->castRaw<c10::OptionalType>())
      list = optional->getElementType().get();
    if (const auto* typed = list->castRaw<c10::ListType>())
      return ListAs(typed->getElementType(), argument.N(), value, numbers);
  }
  return As(*type, value, numbers);
}

std::string SchemaText(const c10::FunctionSchema& schema) { return c10::toString(schema); }

// The arguments in the schema's order, or an error that names the one that does not fit.
absl::StatusOr<c10::Stack> Bound(const c10::FunctionSchema& schema,
                                 const OperatorArguments& arguments, Numbers numbers) {
  const auto misfit = [&](const std::string& what) {
    return absl::InvalidArgumentError(absl::StrCat("operator ",
                                                   c10::toString(schema.operator_name()), " ", what,
                                                   "; its schema is ", SchemaText(schema)));
  };
  const std::vector<c10::Argument>& declared = schema.arguments();
  const size_t positions = static_cast<size_t>(
      std::count_if(declared.begin(), declared.end(), [&](const c10::Argument& argument) {
        return arguments.keywords_by_position || !argument.kwarg_only();
      }));
  if (arguments.positional.size() > positions) {
    return misfit(absl::StrCat("takes ", positions, " arguments by position, given are ",
                               arguments.positional.size()));
  }
  std::map<std::string_view, const c10::IValue*> named;
  for (const auto& [name, value] : arguments.named) {
    const std::optional<int> at = schema.argumentIndexWithName(name);
    if (!at) return misfit(absl::StrCat("has no argument '", name, "'"));
    if (static_cast<size_t>(*at) < arguments.positional.size() ||
        !named.emplace(name, &value).second)
      return misfit(absl::StrCat("is given argument '", name, "' twice"));
  }
  c10::Stack stack;
  stack.reserve(declared.size());
  for (size_t i = 0; i < declared.size(); ++i) {
    const c10::Argument& argument = declared[i];
    const auto by_name = named.find(argument.name());
    const c10::IValue* const given = i < arguments.positional.size() ? &arguments.positional[i]
                                     : by_name != named.end()        ? by_name->second
                                                                     : nullptr;
    if (given == nullptr && !argument.default_value())
      return misfit(absl::StrCat("needs a value for argument '", argument.name(), "'"));
    if (given == nullptr) {
      stack.push_back(*argument.default_value());
      continue;
    }
    std::optional<c10::IValue> converted = ArgumentAs(argument, *given, numbers);
    if (!converted) {
      return misfit(absl::StrCat("takes ", argument.real_type()->str(), " for argument '",
                                 argument.name(), "', given is ", given->tagKind()));
    }
    stack.push_back(*std::move(converted));
  }
  return stack;
}

bool WritesToOut(const c10::FunctionSchema& schema) {
  return std::any_of(schema.arguments().begin(), schema.arguments().end(),
                     [](const c10::Argument& argument) { return argument.is_out(); });
}

// The overloads that the name may mean.
std::vector<c10::OperatorHandle> Candidates(std::string_view name) {
  c10::Dispatcher& dispatcher = c10::Dispatcher::singleton();
  const c10::OperatorName wanted = NameOf(name);
  std::vector<c10::OperatorHandle> candidates;
  if (!wanted.overload_name.empty()) {
    if (const auto handle = dispatcher.findSchema(wanted)) candidates.push_back(*handle);
    return candidates;
  }
  for (const c10::OperatorName& overload : OverloadsOf(wanted.name)) {
    const auto handle = dispatcher.findSchema(overload);
    if (handle && !WritesToOut(handle->schema())) candidates.push_back(*handle);
  }
  return candidates;
}

}  // namespace

absl::StatusOr<BoundOperator> BindOperator(std::string_view name,
                                           const OperatorArguments& arguments) {
  const std::vector<c10::OperatorHandle> candidates = Candidates(name);
  if (candidates.empty()) return Unknown(name);
  absl::Status first;
  for (const Numbers numbers : {Numbers::kAsNumbers, Numbers::kAsTensors}) {
    for (const c10::OperatorHandle& handle : candidates) {
      absl::StatusOr<c10::Stack> stack = Bound(handle.schema(), arguments, numbers);
      if (stack.ok()) return BoundOperator{handle, *std::move(stack)};
      if (first.ok()) first = stack.status();
    }
  }
  if (candidates.size() == 1) return first;
  return absl::InvalidArgumentError(
      absl::StrCat(first.message(), "; no overload takes these arguments, the others are ",
                   absl::StrJoin(candidates.begin() + 1, candidates.end(), "; ",
                                 [](std::string* out, const c10::OperatorHandle& handle) {
                                   out->append(SchemaText(handle.schema()));
                                 })));
}

absl::StatusOr<c10::Stack> BindArguments(const c10::FunctionSchema& schema,
                                         const OperatorArguments& arguments) {
  return Bound(schema, arguments, Numbers::kAsNumbers);
}

std::vector<at::Tensor> TensorsOf(const c10::Stack& results) {
  std::vector<at::Tensor> tensors;
  const auto append = [&](const c10::IValue& value) {
    if (value.isTensor() && value.toTensor().defined()) tensors.push_back(value.toTensor());
  };
  for (const c10::IValue& value : results) {
    if (value.isList()) {
      for (const c10::IValue& item : value.toListRef()) append(item);
    } else {
      append(value);
    }
  }
  return tensors;
}

}  // namespace assay::execution
