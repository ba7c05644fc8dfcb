// -----------------------------------------------------------------------------
// File: finite.h
// -----------------------------------------------------------------------------
//
// Checks that every function of this folder makes on its values before it computes: they are
// finite, and there are enough.
//
//   if (absl::Status bad = CheckValues(values, 2, "the paired t test"); !bad.ok()) return bad;

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_FINITE_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_FINITE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::statistics {

bool AllFinite(absl::Span<const double> values);

// InvalidArgument that names the first value which is NaN or infinite; else FailedPrecondition that
// says how many values `what` needs, when there are fewer than `needed`.
absl::Status CheckValues(absl::Span<const double> values, int64_t needed, absl::string_view what);

// InvalidArgument unless `share` lies strictly between 0 and 1. `name` as the caller calls it.
absl::Status CheckShare(double share, absl::string_view name);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_FINITE_H_
