#include "tools/kernel/request/sizes_param.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/operators/kernel/sizes_text.h"
#include "benchmarks/operators/param/run_items.h"

namespace assay::kernel {
namespace {

// "softmax" of "aten::softmax.int" and of "torch.nn.functional.softmax".
std::string BareName(const std::string& name) {
  const size_t colons = name.find("::");
  if (colons == std::string::npos) return name.substr(name.rfind('.') + 1);
  return name.substr(colons + 2, name.find('.', colons) - colons - 2);
}

using Shape = std::vector<int64_t>;

// The shapes of a configuration's tensors by name, or by place where they have none; lists one by one.
void AddShapes(const param::Json& argument, const std::string& name,
               std::vector<std::pair<std::string, Shape>>& shapes) {
  if (argument.is_object() && argument.value("type", "") == "tensor" &&
      argument.contains("shape") && argument["shape"].is_array()) {
    Shape& shape = shapes.emplace_back(name, Shape()).second;
    for (const param::Json& size : argument["shape"])
      shape.push_back(size.is_number_integer() ? size.get<int64_t>() : -1);
  } else if (argument.is_object() && argument.contains("value") && argument["value"].is_array()) {
    int element = 0;
    for (const param::Json& item : argument["value"])
      AddShapes(item, name.empty() ? "" : absl::StrCat(name, ".", element++), shapes);
  }
}

std::vector<std::pair<std::string, Shape>> ShapesOf(const param::Json& input) {
  std::vector<std::pair<std::string, Shape>> shapes;
  if (input.contains("args") && input["args"].is_array()) {
    for (const param::Json& argument : input["args"]) AddShapes(argument, "", shapes);
  }
  if (input.contains("kwargs") && input["kwargs"].is_object()) {
    for (const auto& [name, argument] : input["kwargs"].items()) AddShapes(argument, name, shapes);
  }
  return shapes;
}

// Learns the letter of "h" or "2*h"; false where the dimension cannot have the number.
bool Learn(const std::string& product, int64_t number, std::map<std::string, int64_t>& known) {
  const size_t star = product.find('*');
  const std::string letter = star == std::string::npos ? product : product.substr(star + 1);
  int64_t factor = 0;
  if (absl::SimpleAtoi(product, &factor)) return number == factor;
  if (star == std::string::npos) {
    factor = 1;
  } else if (!absl::SimpleAtoi(product.substr(0, star), &factor)) {
    return false;
  }
  if (number < 0 || factor < 1 || number % factor != 0) return false;
  return known.emplace(letter, number / factor).first->second == number / factor;
}

// nullopt where the shapes are not the row's.
std::optional<std::string> SizesAt(const OperatorRow& row,
                                   const std::vector<std::pair<std::string, Shape>>& shapes) {
  std::map<std::string, int64_t> known;
  if (static_cast<int>(shapes.size()) != row.call().inputs_size()) return std::nullopt;
  for (int i = 0; i < row.call().inputs_size(); ++i) {
    const InputSpec& input = row.call().inputs(i);
    auto shape = std::find_if(shapes.begin(), shapes.end(),
                              [&](const auto& named) { return named.first == input.name(); });
    if (shape == shapes.end()) shape = shapes.begin() + i;
    if (static_cast<int>(shape->second.size()) != input.shape_size()) return std::nullopt;
    for (int d = 0; d < input.shape_size(); ++d) {
      if (!Learn(input.shape(d), shape->second[static_cast<size_t>(d)], known)) return std::nullopt;
    }
  }
  Sizes sizes = row.sizes(0);
  for (Size& size : *sizes.mutable_sizes()) {
    if (const auto found = known.find(size.letter()); found != known.end())
      size.set_number(found->second);
  }
  return SizesText(sizes, ",");
}

std::string ShapesText(const OperatorRow& row) {
  return absl::StrJoin(row.call().inputs(), ", ", [](std::string* out, const InputSpec& input) {
    absl::StrAppend(out, input.name(), " of [", absl::StrJoin(input.shape(), ", "), "]");
  });
}

}  // namespace

absl::StatusOr<std::vector<std::string>> SizesInParam(const OperatorRow& row,
                                                      const param::ConfigFile& file) {
  const std::string wanted = BareName(row.call().name());
  std::vector<std::string> all, names;
  param::RunItems items(file, {});
  while (std::optional<param::RunItem> item = items.Next()) {
    if (std::find(names.begin(), names.end(), item->entry->name) == names.end())
      names.push_back(item->entry->name);
    if (BareName(item->entry->name) != wanted) continue;
    if (!item->problem.ok())
      return absl::InvalidArgumentError(absl::StrCat(item->RunId(), ": ", item->problem.message()));
    const std::optional<std::string> sizes = SizesAt(row, ShapesOf(item->input));
    if (!sizes)
      return absl::InvalidArgumentError(
          absl::StrCat(item->RunId(), ": its tensors have other shapes than ", row.name(), ", ",
                       ShapesText(row), "; take it out of the file, or give sizes with --at"));
    if (std::find(all.begin(), all.end(), *sizes) == all.end()) all.push_back(*sizes);
  }
  if (all.empty())
    return absl::InvalidArgumentError(absl::StrCat("it has no configuration of ", wanted,
                                                   "; it has ", absl::StrJoin(names, ", ")));
  return all;
}

}  // namespace assay::kernel
