#include "benchmarks/harness/statistics/geometric_mean.h"

#include <cmath>
#include <map>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/statistics/finite.h"
#include "benchmarks/harness/statistics/student.h"

namespace assay::statistics {
namespace {

absl::Status CheckRatios(absl::Span<const Ratio> ratios) {
  if (ratios.empty()) {
    return absl::FailedPreconditionError("the geometric mean needs 1 ratio, there are 0");
  }
  for (const Ratio& r : ratios) {
    if (std::isfinite(r.log_ratio) && std::isfinite(r.standard_error) && r.standard_error >= 0 &&
        r.degrees_of_freedom > 0) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrFormat(
        "the geometric mean: %s has log ratio %g, standard error %g, %g degrees of freedom",
        r.model, r.log_ratio, r.standard_error, r.degrees_of_freedom));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<GeometricMean> GeometricMeanOverModels(absl::Span<const Ratio> ratios,
                                                      double confidence) {
  if (absl::Status bad = CheckShare(confidence, "the confidence"); !bad.ok()) return bad;
  if (absl::Status bad = CheckRatios(ratios); !bad.ok()) return bad;
  std::map<std::string, int64_t> cases;
  for (const Ratio& r : ratios) ++cases[r.model];
  const auto models = static_cast<double>(cases.size());
  double mean = 0, variance = 0, satterthwaite = 0;
  for (const Ratio& r : ratios) {
    const double weight = 1 / (models * static_cast<double>(cases[r.model]));
    const double share = weight * r.standard_error * weight * r.standard_error;
    mean += weight * r.log_ratio;
    variance += share;
    satterthwaite += share * share / r.degrees_of_freedom;  // adds 0 for infinite ones
  }
  double reach = 0;
  if (variance > 0) {
    // Two infinities need no division, and a sum that underflows is as good as none.
    const double degrees_of_freedom = satterthwaite > 0 ? variance * variance / satterthwaite
                                                        : std::numeric_limits<double>::infinity();
    reach = CriticalT(1 - confidence, degrees_of_freedom) * std::sqrt(variance);
  }
  return GeometricMean{.ratio = std::exp(mean),
                       .interval = {.low = std::exp(mean - reach), .high = std::exp(mean + reach)},
                       .models = static_cast<int64_t>(cases.size())};
}

}  // namespace assay::statistics
