#include "benchmarks/operators/sweep/sample_arguments.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::sweep {
namespace {

// The text of a value for an argument that samples.txt does not name; nullopt if there is none.
std::optional<std::string> DefaultText(const c10::Argument& argument, std::string_view tensor) {
  const auto repeated = [&](std::string_view item) {
    const std::vector<std::string_view> items(static_cast<size_t>(argument.N().value_or(1)), item);
    return absl::StrCat("[", absl::StrJoin(items, ","), "]");
  };
  const c10::TypePtr& type = argument.real_type();
  switch (type->kind()) {
    case c10::TypeKind::OptionalType:
      return "none";
    case c10::TypeKind::TensorType:
      return std::string(tensor);
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
    case c10::TypeKind::NumberType:
      return "1";
    case c10::TypeKind::FloatType:
      return "0.5";
    case c10::TypeKind::BoolType:
      return "false";
    case c10::TypeKind::StringType:
      return "'mean'";
    case c10::TypeKind::ScalarTypeType:
      return "'float32'";
    case c10::TypeKind::ListType:
      break;
    default:
      return std::nullopt;
  }
  switch (type->castRaw<c10::ListType>()->getElementType()->kind()) {
    case c10::TypeKind::TensorType:
      return absl::StrCat("{", tensor, ";", tensor, "}");
    case c10::TypeKind::OptionalType:
      return "{t:1,0}";
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return repeated("1");
    case c10::TypeKind::FloatType:
      return repeated("1.0");
    case c10::TypeKind::NumberType:
      return "[1,1]";
    case c10::TypeKind::BoolType:
      return repeated("true");
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<ArgumentTexts> TextsOf(const c10::FunctionSchema& schema, const SampleRow& row,
                                     std::string_view tensor, SampleSize size) {
  ArgumentTexts texts;
  const auto any_tensor = row.arguments.find("*");
  if (any_tensor != row.arguments.end()) tensor = any_tensor->second;
  for (const c10::Argument& argument : schema.arguments()) {
    const auto own = row.arguments.find(argument.name());
    if (own != row.arguments.end()) {
      texts.emplace_back(argument.name(), OfSize(own->second, size));
    } else if (!argument.default_value()) {
      const std::optional<std::string> text = DefaultText(argument, tensor);
      if (!text) return std::nullopt;
      texts.emplace_back(argument.name(), OfSize(*text, size));
    }
  }
  return texts;
}

std::string SampleText(const ArgumentTexts& texts) {
  return absl::StrJoin(texts, " ", absl::PairFormatter("="));
}

}  // namespace assay::sweep
