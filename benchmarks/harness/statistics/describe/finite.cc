#include "benchmarks/harness/statistics/describe/finite.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_format.h"

namespace assay::statistics {

bool AllFinite(absl::Span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

absl::Status CheckValues(absl::Span<const double> values, int64_t needed, absl::string_view what) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      return absl::InvalidArgumentError(
          absl::StrFormat("%s: value %d is %g; every value must be finite", what, i, values[i]));
    }
  }
  if (static_cast<int64_t>(values.size()) < needed) {
    return absl::FailedPreconditionError(
        absl::StrFormat("%s needs %d values, there are %d", what, needed, values.size()));
  }
  return absl::OkStatus();
}

absl::Status CheckShare(double share, absl::string_view name) {
  if (share > 0 && share < 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("%s is %g; it must lie between 0 and 1", name, share));
}

}  // namespace assay::statistics
