#include "benchmarks/harness/numerics/rules.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/numerics/reference.h"
#include "defs/suite.pb.h"

namespace assay::numerics {
namespace {

// Below this share of max|want|, a spread is the rounding of float32 (half an ulp is 6e-8).
constexpr double kNoSpread = 1e-6;

// Sums of two programs over the same values differ by less; see output_stats.h.
constexpr double kSameSum = 1e-10;

// Whether |got - want| <= bound held for every element that was put in.
struct ElementCheck {
  int64_t wrong = 0;
  std::size_t worst = 0;  // the largest excess over the bound
  double worst_bound = 0;
};

// bound(i) is the tolerance of element i. NaN counts as wrong and as worst.
template <typename Bound>
ElementCheck CheckElements(absl::Span<const double> got, absl::Span<const double> want,
                           const Bound& bound) {
  ElementCheck check;
  double worst_excess = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double excess = std::abs(got[i] - want[i]) - bound(i);
    if (!(excess <= 0)) ++check.wrong;
    const double ranked = std::isnan(excess) ? std::numeric_limits<double>::infinity() : excess;
    if (ranked > worst_excess) {
      worst_excess = ranked;
      check.worst = i;
      check.worst_bound = bound(i);
    }
  }
  return check;
}

double RootMeanSquareError(absl::Span<const double> a, absl::Span<const double> b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares / static_cast<double>(a.size()));
}

double LargestError(absl::Span<const double> a, absl::Span<const double> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double error = std::abs(a[i] - b[i]);
    if (error > largest || std::isnan(error)) largest = error;
  }
  return largest;
}

double Cosine(absl::Span<const double> a, absl::Span<const double> b) {
  const auto largest = [](absl::Span<const double> v) {
    double most = 0;
    for (const double x : v) most = std::max(most, std::abs(x));
    return most;
  };
  // Scaled, so that squares of tiny and huge values neither vanish nor overflow.
  const double unit_a = largest(a), unit_b = largest(b);
  if (unit_a == 0 || unit_b == 0) return unit_a == unit_b ? 1 : 0;
  double dot = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i] / unit_a, y = b[i] / unit_b;
    dot += x * y;
    squares_a += x * x;
    squares_b += y * y;
  }
  const double cosine = dot / (std::sqrt(squares_a) * std::sqrt(squares_b));
  return std::isnan(cosine) ? cosine : std::clamp(cosine, -1.0, 1.0);
}

// What the error of the whole output may be, as far as it shows in statistics.
struct WholeBounds {
  double rms;
  double max;
};

void CheckWhole(const RuleInput& input, const WholeBounds& bounds, RuleResult& result) {
  const OutputStats& got = input.got_stats;
  const OutputStats& want = input.want->stats;
  const double elements = static_cast<double>(ElementsOf(input.want->shape).value());
  const auto check = [&](std::string_view which, double of_got, double of_want, double bound,
                         double slack) {
    if (std::abs(of_got - of_want) <= bound + slack) return;
    result.reasons.push_back(absl::StrFormat(
        "whole  %s of all %.0f elements is %.9g, the reference's %.9g (may differ by %.3g)", which,
        elements, of_got, of_want, bound));
  };
  const double root_elements = std::sqrt(elements);
  check("mean", got.mean, want.mean, bounds.rms, kSameSum * want.max_abs);
  check("L2 norm", got.l2_norm, want.l2_norm, bounds.rms * root_elements, kSameSum * want.l2_norm);
  check("max |x|", got.max_abs, want.max_abs, bounds.max, 0);
}

void TakeElements(const ElementCheck& check, std::string tolerance, RuleResult& result) {
  result.worst = check.worst;
  result.wrong = check.wrong;
  result.counts_wrong = true;
  result.tolerance = std::move(tolerance);
}

WholeBounds JudgeRelativeToStd(const RuleInput& input, const VerifyParameters& limits,
                               RuleResult& result) {
  const double bound = limits.max_limit() * result.scale.value;
  TakeElements(CheckElements(input.got, input.want->values, [bound](std::size_t) { return bound; }),
               absl::StrFormat("%.3g·%s = %.3g", limits.max_limit(), result.scale.unit, bound),
               result);
  const double rms_bound = limits.rms_limit() * result.scale.value;
  // The rms bound without division: with a limit of 0 and no error, 0 <= 0 holds.
  const double rms = RootMeanSquareError(input.got, input.want->values);
  if (result.wrong > 0 || !(rms <= rms_bound)) {
    result.reasons.push_back(
        absl::StrFormat("error  rms %.3g·%s, limit %.3g; max %.3g·%s, limit %.3g", result.rms_error,
                        result.scale.unit, limits.rms_limit(), result.max_error, result.scale.unit,
                        limits.max_limit()));
  }
  return {.rms = rms_bound, .max = bound};
}

WholeBounds JudgeAllclose(const RuleInput& input, const VerifyParameters& limits,
                          RuleResult& result) {
  const auto bound = [&](std::size_t i) {
    return limits.atol() + limits.rtol() * std::abs(input.want->values[i]);
  };
  const ElementCheck check = CheckElements(input.got, input.want->values, bound);
  TakeElements(check,
               absl::StrFormat("atol %.3g + rtol %.3g·|want| = %.3g", limits.atol(), limits.rtol(),
                               check.worst_bound),
               result);
  if (result.wrong > 0) {
    result.reasons.push_back(absl::StrFormat("error  rms %.3g·%s, max %.3g·%s", result.rms_error,
                                             result.scale.unit, result.max_error,
                                             result.scale.unit));
  }
  const OutputStats& want = input.want->stats;
  const double root_mean_square = std::hypot(want.mean, want.std);
  return {.rms = limits.atol() + limits.rtol() * root_mean_square,
          .max = limits.atol() + limits.rtol() * want.max_abs};
}

WholeBounds JudgeDynamoSame(const RuleInput& input, const VerifyParameters& limits,
                            RuleResult& result) {
  const double tol = limits.atol();
  const absl::Span<const double> want = input.want->values;
  const absl::Span<const double> baseline = input.baseline.empty() ? want : input.baseline;
  const auto bound = [&](std::size_t i) { return tol + tol * std::abs(baseline[i]); };
  const ElementCheck check = CheckElements(input.got, baseline, bound);
  TakeElements(check, absl::StrFormat("tol %.3g + tol·|baseline| = %.3g", tol, check.worst_bound),
               result);
  const double multiplier = DynamoMultiplier(limits, *input.want, input.dtype);
  const double baseline_error = RootMeanSquareError(baseline, want);
  const double got_error = RootMeanSquareError(input.got, want);
  const double error_bound = multiplier * baseline_error + tol / 10;
  if (result.wrong > 0 && !(got_error <= error_bound)) {
    result.reasons.push_back(
        absl::StrFormat("error  rmse %.3g, limit %.3g = %g · %.3g of the baseline + tol/10",
                        got_error, error_bound, multiplier, baseline_error));
  }
  // Passing by closeness bounds the error by the baseline's own plus the tolerance. Neither way of
  // passing bounds single elements by more than n errors of the mean square do.
  const OutputStats& stats = input.want->stats;
  const double root_mean_square = std::hypot(stats.mean, stats.std) + baseline_error;
  const double rms = std::max(error_bound, baseline_error + tol + tol * root_mean_square);
  const double elements = static_cast<double>(ElementsOf(input.want->shape).value());
  return {.rms = rms, .max = rms * std::sqrt(elements)};
}

// Below it, no two integers share a float64.
constexpr double kExactIntegers = 0x1p53;

WholeBounds JudgeExact(const RuleInput& input, RuleResult& result) {
  const absl::Span<const double> want = input.want->values;
  const auto bound = [want](std::size_t i) {
    return std::abs(want[i]) < kExactIntegers ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  };
  TakeElements(CheckElements(input.got, want, bound), "0", result);
  if (result.wrong > 0) {
    result.reasons.push_back(absl::StrFormat("error  %d of %d elements are not equal, as they must",
                                             result.wrong, input.got.size()));
  }
  return {.rms = 0, .max = 0};
}

void JudgeCosine(const VerifyParameters& limits, RuleResult& result) {
  if (result.cosine >= limits.cosine_min()) return;
  result.reasons.push_back(
      absl::StrFormat("error  cosine %.6g, limit %.6g", result.cosine, limits.cosine_min()));
}

}  // namespace

Scale ScaleOf(const OutputStats& want) {
  if (want.std > kNoSpread * want.max_abs) return {.value = want.std, .unit = "std"};
  if (want.max_abs > 0) return {.value = want.max_abs, .unit = "max|want|"};
  return {.value = 1, .unit = "1"};
}

double DynamoMultiplier(const VerifyParameters& limits, const ReferenceOutput& want, Dtype dtype) {
  if (limits.multiplier() > 0) return limits.multiplier();
  const std::vector<int64_t>& shape = want.shape;
  const bool pointwise = shape.size() == 4 && shape[2] == 1 && shape[3] == 1;
  const bool short_type = dtype == Dtype::FP16 || dtype == Dtype::BF16;
  const bool small = ElementsOf(shape).value() < 1000;
  return short_type || small || pointwise || limits.atol() >= 2e-2 ? 3 : 2;
}

absl::Status CheckLimits(const VerifyParameters& limits) {
  const struct {
    std::string_view name;
    double value;
  } fields[] = {{"rms_limit", limits.rms_limit()},
                {"max_limit", limits.max_limit()},
                {"atol", limits.atol()},
                {"rtol", limits.rtol()},
                {"multiplier", limits.multiplier()}};
  for (const auto& [name, value] : fields) {
    if (std::isfinite(value) && value >= 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("verify: ", name, " ", value, " must be finite and not negative"));
  }
  switch (limits.rule()) {
    case Rule::RELATIVE_TO_STD:
    case Rule::ALLCLOSE:
    case Rule::DYNAMO_SAME:
    case Rule::EXACT:
      return absl::OkStatus();
    case Rule::COSINE:
      if (limits.cosine_min() > 0 && limits.cosine_min() <= 1) return absl::OkStatus();
      return absl::InvalidArgumentError(
          absl::StrCat("verify: cosine_min ", limits.cosine_min(), " must be in (0, 1]"));
    default:
      return absl::InvalidArgumentError(
          "verify: no rule; one of RELATIVE_TO_STD, ALLCLOSE, DYNAMO_SAME, COSINE, EXACT");
  }
}

RuleResult Judge(const RuleInput& input, const VerifyParameters& limits) {
  RuleResult result;
  const absl::Span<const double> want = input.want->values;
  result.scale = ScaleOf(input.want->stats);
  result.rms_error = RootMeanSquareError(input.got, want) / result.scale.value;
  result.max_error = LargestError(input.got, want) / result.scale.value;
  result.cosine = Cosine(input.got, want);
  result.worst = CheckElements(input.got, want, [](std::size_t) { return 0.0; }).worst;

  WholeBounds bounds{};
  switch (limits.rule()) {
    case Rule::RELATIVE_TO_STD:
      bounds = JudgeRelativeToStd(input, limits, result);
      break;
    case Rule::ALLCLOSE:
      bounds = JudgeAllclose(input, limits, result);
      break;
    case Rule::DYNAMO_SAME:
      bounds = JudgeDynamoSame(input, limits, result);
      break;
    case Rule::COSINE:
      JudgeCosine(limits, result);
      break;
    case Rule::EXACT:
      bounds = JudgeExact(input, result);
      break;
    default:
      result.reasons.push_back("error  no rule to judge by");
  }
  // A cosine says nothing about sizes, so there is nothing to hold the statistics against.
  const bool bounded = limits.rule() != Rule::COSINE;
  const bool of_whole = input.want->sampled && !input.want->stats_of_sample;
  if (of_whole && bounded) CheckWhole(input, bounds, result);
  result.passed = result.reasons.empty();
  return result;
}

}  // namespace assay::numerics
