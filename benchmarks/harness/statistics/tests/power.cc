#include "benchmarks/harness/statistics/tests/power.h"

#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "benchmarks/harness/statistics/intervals/student.h"

namespace assay::statistics {
namespace {

double DegreesOfFreedom(int64_t pairs, const VariancePrior& prior) {
  return static_cast<double>(pairs - 1) + prior.degrees_of_freedom;
}

// The shift of T at which |T| passes `critical` with probability `power`, which rises with the
// shift, from alpha at 0.
double NoncentralityForPower(double critical, double degrees_of_freedom, double power) {
  const auto missing = [&](double shift) {
    return TwoSidedPower(critical, degrees_of_freedom, shift) - power;
  };
  double low = 0, high = 1;
  while (missing(high) < 0) {
    low = high;
    high *= 2;
  }
  std::uintmax_t steps = 100;
  const auto [below, above] = boost::math::tools::toms748_solve(
      missing, low, high, boost::math::tools::eps_tolerance<double>(40), steps);
  return (below + above) / 2;
}

}  // namespace

double MinimumDetectableEffect(int64_t pairs, double standard_deviation, double alpha,
                               double power) {
  return MinimumDetectableEffect(pairs, standard_deviation, VariancePrior{}, alpha, power);
}

double MinimumDetectableEffect(int64_t pairs, double standard_deviation, const VariancePrior& prior,
                               double alpha, double power) {
  const bool sensible = pairs >= 2 && standard_deviation >= 0 && prior.degrees_of_freedom >= 0 &&
                        alpha > 0 && power > alpha && power < 1;
  if (!sensible) return std::numeric_limits<double>::infinity();
  if (standard_deviation == 0) return 0;
  const double degrees_of_freedom = DegreesOfFreedom(pairs, prior);
  const double shift =
      NoncentralityForPower(CriticalT(alpha, degrees_of_freedom), degrees_of_freedom, power);
  return standard_deviation * shift / std::sqrt(static_cast<double>(pairs));
}

}  // namespace assay::statistics
