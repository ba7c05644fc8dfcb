#include "benchmarks/harness/statistics/intervals/student.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cassert>
#include <cmath>
#include <numbers>

namespace assay::statistics {
namespace {

double NormalUpperTail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

// The regularised lower gamma function; Boost's throws far beyond the distribution.
double GammaP(double a, double x) {
  const double far = 40 * std::sqrt(a);
  if (x < a - far) return 0;
  if (x > a + far + 700) return 1;
  // In double: Boost's default of long double costs three times as much for digits that are not
  // needed here.
  constexpr auto kInDouble =
      boost::math::policies::policy<boost::math::policies::promote_double<false>>();
  return boost::math::gamma_p(a, x, kInDouble);
}

}  // namespace

double UpperTail(double t, double degrees_of_freedom) {
  assert(degrees_of_freedom > 0 && !std::isnan(t));
  if (std::isinf(t)) return t > 0 ? 0 : 1;
  if (std::isinf(degrees_of_freedom)) return NormalUpperTail(t);
  return boost::math::cdf(
      boost::math::complement(boost::math::students_t_distribution<double>(degrees_of_freedom), t));
}

double TwoSidedP(double t, double degrees_of_freedom) {
  return 2 * UpperTail(std::abs(t), degrees_of_freedom);
}

double CriticalT(double alpha, double degrees_of_freedom) {
  assert(alpha > 0 && alpha < 1 && degrees_of_freedom > 0);
  if (std::isinf(degrees_of_freedom)) {
    return boost::math::quantile(
        boost::math::complement(boost::math::normal_distribution<double>(), alpha / 2));
  }
  return boost::math::quantile(boost::math::complement(
      boost::math::students_t_distribution<double>(degrees_of_freedom), alpha / 2));
}

// |T| > critical says |Z + shift| > critical * sqrt(chi^2 / df). Given Z that is one value of the
// chi-squared distribution; over Z the trapezoidal rule converges faster than any power of the
// step, since the normal density is smooth and dies out at both ends. (Boost's own noncentral t
// throws for shifts of some hundreds, which few pairs at a strict level need.)
double TwoSidedPower(double critical, double degrees_of_freedom, double noncentrality) {
  if (std::isinf(degrees_of_freedom)) {
    return NormalUpperTail(critical - noncentrality) + NormalUpperTail(critical + noncentrality);
  }
  constexpr double kStep = 0.02;
  constexpr int kSteps = 450;  // to either side; beyond 9 lies 1e-19
  const double half = degrees_of_freedom / 2;
  double power = 0;
  for (int i = -kSteps; i <= kSteps; ++i) {
    const double z = i * kStep;
    const double ratio = (noncentrality + z) / critical;
    power += std::exp(-z * z / 2) * GammaP(half, half * ratio * ratio);
  }
  return std::min(1.0, power * kStep / std::sqrt(2 * std::numbers::pi));
}

}  // namespace assay::statistics
