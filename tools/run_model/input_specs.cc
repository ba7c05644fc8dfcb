#include "tools/run_model/input_specs.h"

#include <ATen/ops/isfinite.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"

namespace assay::run_model {
namespace {

using backends::TensorForm;

constexpr std::string_view kAllowed =
    "NAME:DTYPE[SIZES], such as x:fp32[8,3,224,224] or, with a limit for whole numbers, "
    "ids:int64[1,128]<30522; dtypes: fp32, fp64, fp16, bf16, int64, int32, int8, uint8, bool";

absl::StatusOr<TensorSpec> SpecOf(const std::string& name, const TensorForm& form) {
  TensorSpec spec;
  spec.set_name(name);
  spec.set_dtype(base::FromScalarType(form.dtype));
  if (spec.dtype() == DTYPE_UNSPECIFIED) {
    return absl::InvalidArgumentError(absl::StrCat(
        "input ", name, " is ", backends::FormsText(form),
        ": a case's inputs are fp32, fp64, fp16, bf16, int64, int32, int8, uint8 or bool"));
  }
  if (form.any_rank) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the file does not say how many dimensions its input ", name, " has; give --input-spec='",
        name, ":", base::DtypeName(spec.dtype()), "[SIZES]', or --inputs=FILE"));
  }
  for (const int64_t size : form.sizes) {
    if (size < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the file leaves sizes of its inputs open: ", name, ":", backends::FormsText(form),
          "; give --input-spec='", name, ":", base::DtypeName(spec.dtype()),
          "[SIZES]' with a number for each ? and each range, or --inputs=FILE"));
    }
    spec.add_shape(size);
  }
  Distribution& distribution = *spec.mutable_distribution();
  if (spec.dtype() == BOOL) {
    distribution.mutable_bernoulli()->set_p(0.5);
  } else if (base::IsFloatingPoint(spec.dtype())) {
    distribution.mutable_uniform();
  } else {
    distribution.mutable_integers()->set_limit(2);
  }
  return spec;
}

}  // namespace

absl::StatusOr<TensorSpec> ParseInputSpec(std::string_view text) {
  // A name may hold both: input_ids:0, of tf2onnx.
  const size_t colon = text.rfind(':', text.rfind('['));
  const size_t limit_at = text.rfind(']');
  if (colon == 0 || colon == std::string_view::npos || limit_at == std::string_view::npos)
    return absl::InvalidArgumentError(kAllowed);
  const std::optional<TensorForm> form =
      backends::ParseForm(text.substr(colon + 1, limit_at - colon));
  if (!form || absl::StrContains(text, '?')) return absl::InvalidArgumentError(kAllowed);
  absl::StatusOr<TensorSpec> spec = SpecOf(std::string(text.substr(0, colon)), *form);
  const std::string_view rest = text.substr(limit_at + 1);
  if (!spec.ok() || rest.empty()) return spec;
  int64_t limit = 0;
  if (rest[0] != '<' || !spec->distribution().has_integers() ||
      !absl::SimpleAtoi(rest.substr(1), &limit) || limit < 1)
    return absl::InvalidArgumentError(kAllowed);
  spec->mutable_distribution()->mutable_integers()->set_limit(limit);
  return spec;
}

absl::StatusOr<TensorSpec> DeclaredInput(const TensorForm& form) { return SpecOf(form.name, form); }

absl::StatusOr<TensorSpec> InputLike(const std::string& name, const at::Tensor& given) {
  absl::StatusOr<TensorSpec> spec =
      SpecOf(name, {.dtype = given.scalar_type(), .sizes = given.sizes().vec()});
  if (!spec.ok() || given.numel() == 0) return spec;
  Distribution& distribution = *spec->mutable_distribution();
  const at::Tensor wide = given.to(given.is_floating_point() ? at::kDouble : at::kLong);
  if (distribution.has_bernoulli()) {
    distribution.mutable_bernoulli()->set_p(wide.to(at::kDouble).mean().item<double>());
  } else if (distribution.has_integers()) {
    // Timed calls get the given integers (timed_inputs.h). The limit is excluded, so for the largest
    // integer of all (in ONNX: to the end) it is the one below that.
    constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
    const int64_t high = std::min(wide.max().item<int64_t>(), kLargest - 1);
    const int64_t low = std::min(wide.min().item<int64_t>(), high);
    // A distribution has at most 2^32 integers (distributions.cc): those below the largest given one.
    constexpr int64_t kMost = int64_t{1} << 32;
    const bool fits = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) < kMost;
    distribution.mutable_integers()->set_low(fits ? low : high - (kMost - 1));
    distribution.mutable_integers()->set_limit(high + 1);
  } else {
    // NaN and infinities are timed as they were given, too.
    const at::Tensor finite = wide.masked_select(at::isfinite(wide));
    if (finite.numel() == 0) return spec;
    const double low = finite.min().item<double>(), high = finite.max().item<double>();
    // One value has no range: from it to the next number. Both 0 would mean the default.
    const double next =
        low == 0 ? 1e-6 : std::nextafter(low, std::numeric_limits<double>::infinity());
    distribution.mutable_uniform()->set_low(low);
    distribution.mutable_uniform()->set_high(low < high ? high : next);
  }
  return spec;
}

}  // namespace assay::run_model
