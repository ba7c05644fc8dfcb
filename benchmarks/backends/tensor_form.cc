#include "benchmarks/backends/tensor_form.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/dtype.h"

namespace assay::backends {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 40;

// torch's names, without "torch.".
constexpr std::pair<std::string_view, at::ScalarType> kDtypes[] = {
    {"float32", at::kFloat},     {"float64", at::kDouble}, {"float16", at::kHalf},
    {"bfloat16", at::kBFloat16}, {"int64", at::kLong},     {"int32", at::kInt},
    {"int16", at::kShort},       {"int8", at::kChar},      {"uint8", at::kByte},
    {"bool", at::kBool}};

std::string_view NameOf(at::ScalarType type) {
  for (const auto& [name, known] : kDtypes) {
    if (known == type) return name;
  }
  return c10::toString(type);
}

std::optional<at::ScalarType> DtypeOf(std::string_view name) {
  for (const auto& [known, type] : kDtypes) {
    if (known == name) return type;
  }
  for (const Dtype dtype : {FP32, FP64, FP16, BF16}) {
    if (base::DtypeName(dtype) == name) return base::ToScalarType(dtype);
  }
  return std::nullopt;
}

// "16", "1..16", "2..", "?".
std::string RangeText(const execution::OpenSize& open) {
  const bool ends = open.most != std::numeric_limits<int64_t>::max();
  if (open.least == open.most) return absl::StrCat(open.most);
  if (!ends && open.least <= 0) return "?";
  return absl::StrCat(open.least, "..", ends ? absl::StrCat(open.most) : "");
}

std::string SizesText(const TensorForm& form) {
  std::vector<std::string> sizes;
  for (size_t i = 0; i < form.sizes.size(); ++i) {
    const auto found = form.open.find(i);
    sizes.push_back(form.sizes[i] >= 0         ? absl::StrCat(form.sizes[i])
                    : found == form.open.end() ? "?"
                                               : RangeText(found->second));
  }
  return absl::StrJoin(sizes, ",");
}

}  // namespace

std::string FormsText(at::ArrayRef<TensorForm> forms) {
  return absl::StrJoin(forms, " ", [](std::string* out, const TensorForm& form) {
    if (form.any_rank) return absl::StrAppend(out, NameOf(form.dtype), "[...]");
    absl::StrAppend(out, NameOf(form.dtype), "[", SizesText(form), "]");
  });
}

std::string FormsText(at::ArrayRef<at::Tensor> tensors) {
  std::vector<TensorForm> forms;
  for (const at::Tensor& tensor : tensors)
    forms.push_back({.dtype = tensor.scalar_type(), .sizes = tensor.sizes().vec()});
  return FormsText(forms);
}

std::optional<TensorForm> ParseForm(std::string_view text) {
  const size_t bracket = text.find('[');
  if (bracket == std::string_view::npos || !absl::ConsumeSuffix(&text, "]")) return std::nullopt;
  const std::optional<at::ScalarType> dtype = DtypeOf(text.substr(0, bracket));
  if (!dtype) return std::nullopt;
  TensorForm form = {.dtype = *dtype};
  const std::string_view sizes = text.substr(bracket + 1);
  if (sizes.empty()) return form;
  int64_t elements = 1;
  for (const std::string_view word : absl::StrSplit(sizes, ',')) {
    int64_t size = -1;
    if (word != "?" && (!absl::SimpleAtoi(word, &size) || size < 0)) return std::nullopt;
    if (size > 0 && elements > kMostElements / size) return std::nullopt;
    elements *= std::max<int64_t>(size, 1);
    form.sizes.push_back(size);
  }
  return form;
}

std::string Misfit(at::ArrayRef<at::Tensor> tensors, at::ArrayRef<TensorForm> forms) {
  if (tensors.size() != forms.size())
    return absl::StrCat("there are ", tensors.size(), " inputs; the file takes ", forms.size());
  std::map<std::string, std::pair<int64_t, std::string>> named;  // size, and where it is
  for (size_t i = 0; i < forms.size(); ++i) {
    const at::Tensor& tensor = tensors[i];
    const TensorForm& form = forms[i];
    const std::string name = form.name.empty() ? absl::StrCat("input ", i) : form.name;
    const bool same_rank = form.any_rank || tensor.sizes().size() == form.sizes.size();
    if (tensor.scalar_type() != form.dtype || !same_rank)
      return absl::StrCat(name, " is ", FormsText(tensor), "; the file takes ", FormsText(form));
    for (size_t k = 0; k < form.sizes.size(); ++k) {
      const auto found = form.open.find(k);
      const execution::OpenSize open =
          form.sizes[k] >= 0 ? execution::OpenSize{.least = form.sizes[k], .most = form.sizes[k]}
          : found == form.open.end() ? execution::OpenSize{}
                                     : found->second;
      const int64_t size = tensor.size(static_cast<int64_t>(k));
      const std::string where = absl::StrCat("size ", k, " of ", name);
      if (size < open.least || size > open.most)
        return absl::StrCat(where, " is ", size, "; the file takes ", RangeText(open));
      if (open.name.empty()) continue;
      const auto [equal, is_new] = named.emplace(open.name, std::pair(size, where));
      if (is_new || equal->second.first == size) continue;
      return absl::StrCat(where, " is ", size, " and ", equal->second.second, " is ",
                          equal->second.first, "; the file takes equal sizes there");
    }
  }
  return "";
}

}  // namespace assay::backends
