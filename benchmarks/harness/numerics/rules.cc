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
#include "benchmarks/harness/numerics/detections.h"
#include "benchmarks/harness/numerics/dynamo_same.h"
#include "benchmarks/harness/numerics/error_measures.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/numerics/reference.h"
#include "defs/proto/suite.pb.h"

namespace assay::numerics {
namespace {

// A spread below this share of max|want| is only the rounding of float32 (half an ulp is 6e-8).
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

// Standard deviations from the mean beyond which an element is held to a share of its own distance: gradients have elements a
// hundred of them away, whose rounding is theirs.
constexpr double kFarFromMean = 10;

// Limits for the error of the whole output, as far as its statistics show it.
struct WholeBounds {
  double rms;
  double max;
  double mean = std::numeric_limits<double>::infinity();  // of |got - want|, where below the rms
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
  check("mean", got.mean, want.mean, std::min(bounds.mean, bounds.rms), kSameSum * want.max_abs);
  check("L2 norm", got.l2_norm, want.l2_norm, bounds.rms * root_elements, kSameSum * want.l2_norm);
  check("max |x|", got.max_abs, want.max_abs, bounds.max, 0);
}

void TakeElements(const ElementCheck& check, std::string tolerance, RuleResult& result) {
  result.worst = check.worst;
  result.wrong = check.wrong;
  result.counts_wrong = true;
  result.tolerance = std::move(tolerance);
}

// How far max|got| may be from max|want| if an element at a distance d from want's mean errs by at most bound_of(d), which grows
// with d. The largest element may lie on the mean's side of zero or on the other one, where it is farther from the mean. None of n
// elements is farther than std * sqrt(n - 1) from the mean (Samuelson, "How deviant can you be?", 1968). So on the other side none
// is farther from zero than `across`, and an element there must first make up for what `across` lacks of max|want|.
template <typename Bound>
double BoundOfLargest(const OutputStats& want, double elements, const Bound& bound_of) {
  const double mean = std::abs(want.mean);
  const double on_its_side = bound_of(want.max_abs - mean);
  const double across = std::min(want.max_abs, want.std * std::sqrt(elements - 1) - mean);
  if (across < 0) return on_its_side;
  return std::max(on_its_side, across - want.max_abs + bound_of(across + mean));
}

WholeBounds JudgeRelativeToStd(const RuleInput& input, const VerifyParameters& limits,
                               RuleResult& result) {
  const double mean = input.want->stats.mean;
  const auto bound_of = [&](double distance) {  // from the mean
    return limits.max_limit() * std::max(result.scale.value, distance / kFarFromMean);
  };
  const ElementCheck check = CheckElements(input.got, input.want->values, [&](std::size_t i) {
    return bound_of(std::abs(input.want->values[i] - mean));
  });
  TakeElements(check,
               absl::StrFormat("%.3g·%s = %.3g", check.worst_bound / result.scale.value,
                               result.scale.unit, check.worst_bound),
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
  const double elements = static_cast<double>(ElementsOf(input.want->shape).value());
  return {.rms = rms_bound, .max = BoundOfLargest(input.want->stats, elements, bound_of)};
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

// The largest error of the whole if every element is within tol + tol * |got| of a baseline whose
// own error is `baseline_error`: |got| <= (|baseline| + tol) / (1 - tol).
double CloseBound(double tol, double baseline_size, double baseline_error) {
  return baseline_error + (tol + tol * baseline_size) / (1 - tol);
}

// The root mean square error of the baseline at the compared elements, or of all, as far as its statistics show that this is more:
// one element beside the sample may have most of it.
double BaselineError(const RuleInput& input, absl::Span<const double> baseline) {
  const OutputStats& want = input.want->stats;
  const double error = RootMeanSquareError(baseline, input.want->values);
  if (!input.baseline_stats.has_value() || std::isnan(error)) return error;
  const OutputStats& stats = *input.baseline_stats;
  const double root_elements =
      std::sqrt(static_cast<double>(ElementsOf(input.want->shape).value()));
  return std::max({error, std::abs(stats.mean - want.mean),
                   std::abs(stats.l2_norm - want.l2_norm) / root_elements,
                   std::abs(stats.max_abs - want.max_abs) / root_elements});
}

// The largest error of the whole, whichever way it passes; the sample may have passed another way.
WholeBounds BoundsOf(const SameResult& same, const SameOptions& options, double baseline_error,
                     const RuleInput& input) {
  const ReferenceOutput& want = *input.want;
  const double tol = options.tol;
  const double size = std::hypot(want.stats.mean, want.stats.std);
  const double multiplier = DynamoMultiplier(want.shape, input.dtype, options);
  const double elements = static_cast<double>(ElementsOf(want.shape).value());
  double rms = std::max(multiplier * baseline_error + tol / 10,
                        CloseBound(tol, size + baseline_error, baseline_error));
  if (std::isnan(baseline_error)) rms = CloseBound(kBetterThanRefTolerance, size, 0);
  // A cosine bounds nothing, and what has failed already need not fail again.
  if (options.cosine_min > 0 || !same.passed()) rms = std::numeric_limits<double>::infinity();
  return {.rms = rms, .max = rms * std::sqrt(elements)};
}

WholeBounds JudgeDynamoSame(const RuleInput& input, const VerifyParameters& limits,
                            RuleResult& result) {
  const double tol = limits.atol();
  const absl::Span<const double> want = input.want->values;
  const absl::Span<const double> baseline = input.baseline.empty() ? want : input.baseline;
  const auto bound = [&](std::size_t i) { return tol + tol * std::abs(input.got[i]); };
  const ElementCheck check = CheckElements(input.got, baseline, bound);
  TakeElements(check, absl::StrFormat("tol %.3g + tol·|got| = %.3g", tol, check.worst_bound),
               result);
  const SameOptions options = {.tol = tol,
                               .forced_multiplier = limits.multiplier(),
                               .larger_multiplier = limits.larger_multiplier(),
                               .cosine_min = limits.cosine_min()};
  const SameResult same = DynamoSame({.ref = baseline,
                                      .res = input.got,
                                      .fp64 = want,
                                      .shape = input.want->shape,
                                      .dtype = input.dtype},
                                     options);
  if (!same.passed() && limits.cosine_min() > 0) {
    result.reasons.push_back(absl::StrFormat("error  cosine %.6g to the baseline, limit %.6g",
                                             same.cosine, limits.cosine_min()));
  } else if (!same.passed()) {
    result.reasons.push_back(absl::StrFormat(
        "error  rmse %.3g, limit %.3g = %g · %.3g of the baseline + tol/10", same.res_error,
        same.multiplier * same.ref_error + tol / 10, same.multiplier, same.ref_error));
  }
  return BoundsOf(same, options, BaselineError(input, baseline), input);
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

WholeBounds JudgeMeanRelative(const RuleInput& input, const VerifyParameters& limits,
                              RuleResult& result) {
  if (!(result.mean_relative <= limits.mean_relative_limit())) {
    result.reasons.push_back(
        absl::StrFormat("error  mean |got - want| / |want| is %.3g, limit %.3g",
                        result.mean_relative, limits.mean_relative_limit()));
  }
  // A share of a value is at most a share of the largest value; all of the error may be in one
  // element.
  const double elements = static_cast<double>(ElementsOf(input.want->shape).value());
  const double mean = limits.mean_relative_limit() * input.want->stats.max_abs;
  return {.rms = mean * std::sqrt(elements), .max = mean * elements, .mean = mean};
}

WholeBounds JudgeIou(const RuleInput& input, const VerifyParameters& limits, RuleResult& result) {
  const double least = limits.iou_min();
  const auto boolean = [](double x) { return x == 0 || x == 1; };
  if (!std::all_of(input.got.begin(), input.got.end(), boolean)) {
    result.reasons.push_back("error  rule IOU is for booleans, and this holds other values");
  }
  if (!(result.iou >= least)) {
    result.reasons.push_back(
        absl::StrFormat("error  intersection over union %.6g, limit %.6g", result.iou, least));
  }
  // The union is at most |want| / iou, and what is not in the intersection 1 - iou of it.
  const double mean = (1 - least) / least * input.want->stats.mean;
  return {.rms = std::sqrt(mean), .max = 1, .mean = mean};
}

void JudgeDetections(const RuleInput& input, const VerifyParameters& limits, RuleResult& result) {
  const std::vector<int64_t>& shape = input.want->shape;
  const bool of_rows = shape.size() == 3 && shape[2] == static_cast<int64_t>(kDetectionNumbers);
  if (!of_rows || input.want->HasIndices()) {
    result.reasons.push_back(
        "error  rule DETECTIONS is for whole outputs (images, boxes, 6), and this is another one");
    return;
  }
  const DetectionMatch match =
      MatchDetections(input.got, input.want->values, static_cast<std::size_t>(shape[0]),
                      {.corner = limits.corner_limit(), .score = limits.score_limit()});
  result.boxes_matched = match.share;
  result.corner_error = match.corner_error;
  result.score_error = match.score_error;
  // Errors of rows that stand at the same place would say nothing.
  result.rms_error = result.max_error = result.cosine = 0;
  result.worst = match.worst;
  result.wrong = match.unmatched;
  if (match.share >= limits.matched_min()) return;
  result.reasons.push_back(absl::StrFormat(
      "error  %d of %d boxes have no match (label, corners within %.3g px, score within %.3g); "
      "%.3g %% have one, least %.3g %%",
      match.unmatched, match.boxes, limits.corner_limit(), limits.score_limit(), 100 * match.share,
      100 * limits.matched_min()));
}

// A norm below this share of the largest is held to no share of its own.
constexpr double kCounts = 1e-3;

// The smallest norm that is held to a share of its own.
double LeastHeld(const RuleInput& input) {
  const double counts = kCounts * input.want->stats.max_abs;
  if (input.most_lost == 0) return counts;
  return std::max(counts, input.most_lost / (1 - input.least_share));
}

void CheckShares(const RuleInput& input, RuleResult& result) {
  const absl::Span<const double> want = input.want->values;
  const double least = LeastHeld(input);
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (want[i] < least || input.got[i] >= input.least_share * want[i]) continue;
    result.reasons.push_back(absl::StrFormat(
        "share  %.3g is less than %g of the reference's %.3g: something is missing there",
        input.got[i], input.least_share, want[i]));
    result.worst = i;
    return;
  }
}

}  // namespace

Scale ScaleOf(const OutputStats& want) {
  if (want.std > kNoSpread * want.max_abs) return {.value = want.std, .unit = "std"};
  if (want.max_abs > 0) return {.value = want.max_abs, .unit = "max|want|"};
  return {.value = 1, .unit = "1"};
}

absl::Status CheckLimits(const VerifyParameters& limits) {
  const struct {
    std::string_view name;
    double value;
  } fields[] = {{"rms_limit", limits.rms_limit()},
                {"max_limit", limits.max_limit()},
                {"atol", limits.atol()},
                {"rtol", limits.rtol()},
                {"multiplier", limits.multiplier()},
                {"mean_relative_limit", limits.mean_relative_limit()},
                {"corner_limit", limits.corner_limit()},
                {"score_limit", limits.score_limit()}};
  for (const auto& [name, value] : fields) {
    if (std::isfinite(value) && value >= 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("verify: ", name, " ", value, " must be finite and not negative"));
  }
  const auto share = [](std::string_view name, double value) {
    if (value > 0 && value <= 1) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("verify: ", name, " ", value, " must be in (0, 1]"));
  };
  switch (limits.rule()) {
    case Rule::RELATIVE_TO_STD:
    case Rule::ALLCLOSE:
    case Rule::EXACT:
      return absl::OkStatus();
    case Rule::DYNAMO_SAME:
      if (limits.atol() >= 1) {
        return absl::InvalidArgumentError(
            absl::StrCat("verify: atol ", limits.atol(),
                         " must be below 1 for DYNAMO_SAME: from 1 on, anything passes"));
      }
      return limits.cosine_min() == 0 ? absl::OkStatus() : share("cosine_min", limits.cosine_min());
    case Rule::COSINE:
      return share("cosine_min", limits.cosine_min());
    case Rule::MEAN_RELATIVE:
      if (limits.mean_relative_limit() > 0) return absl::OkStatus();
      return absl::InvalidArgumentError("verify: mean_relative_limit must be more than 0");
    case Rule::IOU:
      return share("iou_min", limits.iou_min());
    case Rule::DETECTIONS:
      return share("matched_min", limits.matched_min());
    default:
      return absl::InvalidArgumentError(
          "verify: no rule; one of RELATIVE_TO_STD, ALLCLOSE, DYNAMO_SAME, COSINE, EXACT, "
          "MEAN_RELATIVE, IOU, DETECTIONS");
  }
}

RuleResult Judge(const RuleInput& input, const VerifyParameters& limits) {
  RuleResult result;
  const absl::Span<const double> want = input.want->values;
  result.scale = ScaleOf(input.want->stats);
  result.rms_error = RootMeanSquareError(input.got, want) / result.scale.value;
  result.max_error = LargestError(input.got, want) / result.scale.value;
  result.cosine = Cosine(input.got, want);
  result.mean_relative = MeanRelativeError(input.got, want);
  result.iou = IntersectionOverUnion(input.got, want);
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
    case Rule::MEAN_RELATIVE:
      bounds = JudgeMeanRelative(input, limits, result);
      break;
    case Rule::IOU:
      bounds = JudgeIou(input, limits, result);
      break;
    case Rule::DETECTIONS:
      JudgeDetections(input, limits, result);
      break;
    default:
      result.reasons.push_back("error  no rule to judge by");
  }
  // A cosine says nothing about sizes, and boxes are never a sample: no statistics are compared.
  const bool bounded = limits.rule() != Rule::COSINE && limits.rule() != Rule::DETECTIONS;
  const bool of_whole = input.want->sampled && !input.want->stats_of_sample;
  if (of_whole && bounded) CheckWhole(input, bounds, result);
  if (input.least_share > 0) CheckShares(input, result);
  // Comparisons with NaN are false, and std::max() drops it.
  const bool finite =
      std::all_of(input.got.begin(), input.got.end(), [](double x) { return std::isfinite(x); });
  if (!finite && result.reasons.empty())
    result.reasons.push_back("error  it holds NaN or infinity");
  result.passed = result.reasons.empty();
  return result;
}

}  // namespace assay::numerics
