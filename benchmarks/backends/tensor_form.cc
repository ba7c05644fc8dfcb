#include "benchmarks/backends/tensor_form.h"

#include <algorithm>
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

}  // namespace

std::string FormsText(at::ArrayRef<TensorForm> forms) {
  return absl::StrJoin(forms, " ", [](std::string* out, const TensorForm& form) {
    if (form.any_rank) return absl::StrAppend(out, NameOf(form.dtype), "[...]");
    absl::StrAppend(out, NameOf(form.dtype), "[",
                    absl::StrJoin(form.sizes, ",",
                                  [](std::string* sizes, int64_t size) {
                                    absl::StrAppend(sizes, size < 0 ? "?" : absl::StrCat(size));
                                  }),
                    "]");
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

bool AreOfForms(at::ArrayRef<at::Tensor> tensors, at::ArrayRef<TensorForm> forms) {
  return std::equal(
      tensors.begin(), tensors.end(), forms.begin(), forms.end(),
      [](const at::Tensor& tensor, const TensorForm& form) {
        if (tensor.scalar_type() != form.dtype) return false;
        if (form.any_rank) return true;
        return std::equal(
            tensor.sizes().begin(), tensor.sizes().end(), form.sizes.begin(), form.sizes.end(),
            [](int64_t has, int64_t declared) { return declared < 0 || has == declared; });
      });
}

}  // namespace assay::backends
