#include "benchmarks/harness/statistics/tests/equivalence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "benchmarks/harness/statistics/intervals/student.h"

namespace assay::statistics {

Equivalence TwoOneSidedTests(double estimate, double standard_error, double degrees_of_freedom,
                             double margin, double alpha) {
  const bool sensible = std::isfinite(estimate) && std::isfinite(standard_error) &&
                        standard_error >= 0 && degrees_of_freedom > 0 && margin > 0 && alpha > 0 &&
                        alpha < 0.5;
  if (!sensible) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {.interval = {.low = -kInfinity, .high = kInfinity}};
  }
  // The nearer end of the margin decides; the other one-sided p-value is smaller.
  const double room = margin - std::abs(estimate);
  if (standard_error == 0) {
    return {.p_value = room > 0 ? 0.0 : 1.0,
            .interval = {.low = estimate, .high = estimate},
            .equivalent = room > 0};
  }
  const double p_value = UpperTail(room / standard_error, degrees_of_freedom);
  const double reach = CriticalT(2 * alpha, degrees_of_freedom) * standard_error;
  return {.p_value = p_value,
          .interval = {.low = estimate - reach, .high = estimate + reach},
          .equivalent = p_value < alpha};
}

}  // namespace assay::statistics
