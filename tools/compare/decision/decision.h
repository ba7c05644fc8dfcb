// -----------------------------------------------------------------------------
// File: decision.h
// -----------------------------------------------------------------------------
//
// From log ratios of pairs to FASTER, SLOWER, SAME or INCONCLUSIVE. Pure statistics: no process, no
// clock.
//
// Let r_i = ln(candidate_i / baseline_i) be the log ratio of the i-th pair of processes, n of them.
//
// Estimate. The machine is shared, so some pairs hold a process that was disturbed: the noise has
// heavy tails, which spoil a mean. With enough pairs the figure is the Hodges-Lehmann estimate, and
// interval and p-value are those of Wilcoxon's signed-rank test, which is the same procedure seen
// from its other sides: the estimate is always inside, and the interval excludes 0 exactly when the
// test rejects. Who comes first in a pair is drawn, so under "no difference" each r_i is symmetric
// about 0, and that is all the test needs: its false alarm rate is exact for Gaussian, heavy-tailed
// and spell-like noise alike. It costs 4.5 % of the t-test's efficiency where noise is Gaussian;
// the heavier the tails, the more it gains. Its smallest p-value is 2^(1-n), so it is used where
// this is at most a tenth of what the first discovery among m series needs:
// 2^(1-n) <= level / (10 m), which is n >= 10 for one series and n >= 19 for 300. Below, the
// figures are those of the t-test on r: mean, and from 10 series on with the variances shrunk
// towards each other (moderated t, Smyth 2004), which halves the pairs needed at strict levels.
// The choice depends on n and m alone, never on the data.
//
// Conclusion. With q the p-value after Benjamini-Hochberg over all series of the campaign:
//   FASTER, SLOWER   q <= level and the whole interval is beyond 0.5 %
//   SAME             the interval of the two one-sided tests is within +-delta (default 1 %)
//   INCONCLUSIVE     neither: more pairs, or a wider delta, would tell
// Another look after extra pairs is another chance to err, so the levels for 2 or 3 planned looks
// are Pocock's (1977; constants of Jennison and Turnbull, "Group Sequential Methods", table 2.1),
// which keep each kind of error at 5 % over all looks: difference .0294 and .0221 (two-sided),
// equivalence .0304 and .0232 (one-sided). The interval that is printed is the one that is decided
// by: 95 % with one look, 97.1 % with two, 97.8 % with three. On a machine that is never quiet
// (--metric=cpu, min) FASTER and SLOWER err in 0.5 %, not 5 %: .005, .00274 and .00198, from the same
// integral as Pocock's constants, which it gives for 5 % and 1 %.
//
// How precise, and how you know: `tools/bazel run //tools/compare/simulation` plays 10,000 whole
// campaigns a row. With a pair's sd of 2 %, 20 pairs and up to 3 looks it found:
//   noise                 false FASTER or SLOWER   +2 % found   +1 % called SAME   A/A called SAME
//   Gaussian                              0.02 %       99.9 %              3.9 %              93 %
//   Student's t, 3 df                     0.04 %      100.0 %              4.6 %              99 %
//   Gaussian with spells                  0.20 %       98.1 %              4.2 %              74 %
// (spells: one process in 20 begins 1 to 6 that are 2 to 30 % slower.) Of 30 cases, 3 of them
// slower, at most 1.9 % of the calls were false with 20 pairs, 2.9 % with 8.
//
// Not for samples of one process: they say nothing about the next process.
//
//   std::vector<Estimate> estimates = assay::compare::EstimateAll({{.01, .012, ...}}, rules);
//   Conclusion verdict = assay::compare::Decide(estimates[0], q, rules);

#ifndef ASSAY_TOOLS_COMPARE_DECISION_DECISION_H_
#define ASSAY_TOOLS_COMPARE_DECISION_DECISION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/statistics/testing/interval.h"

namespace assay::compare {

enum class Conclusion { kFaster, kSlower, kSame, kInconclusive, kNotCompared };
std::string_view ConclusionName(Conclusion verdict);  // "FASTER", ..., "NOT_COMPARED"

inline constexpr double kErrorRate = 0.05;
inline constexpr double kStrictErrorRate = 0.005;  // for estimators that noise reaches more

struct DecisionRules {
  double smallest_effect = 0.005;  // a difference must be larger: .005 is 0.5 %
  double same_within = 0.01;       // SAME means within this share
  int looks = 3;                   // planned, 1 to 3: the first and up to two extra rounds
  // FASTER or SLOWER of equal sides, over all looks: kErrorRate or kStrictErrorRate.
  double error_rate = kErrorRate;
};

// The error rates of one look, such that all looks together have rules.error_rate, and SAME 5 %.
struct InterimLevels {
  double difference;   // two-sided
  double equivalence;  // one-sided
};
InterimLevels LevelsOf(const DecisionRules& rules);

enum class Method { kSignedRank, kModeratedT, kPairedT, kWelchT };
std::string_view MethodName(Method method);  // "signed rank", ...
Method ChooseMethod(int64_t pairs, int64_t series, const DecisionRules& rules);

// One series' figures; ratios as natural logarithms, candidate over baseline.
struct Estimate {
  Method method = Method::kSignedRank;
  int64_t pairs = 0;
  double log_ratio = 0;
  statistics::Interval interval = {};       // at 1 - LevelsOf(rules).difference
  statistics::Interval same_interval = {};  // the interval of the two one-sided tests
  double p_value = 1;
  double sd = 0;         // standard deviation of the pairs' log ratios
  double robust_sd = 0;  // 1.4826 median absolute deviations
  std::optional<statistics::Interval> bootstrap =
      {};                        // BCa, same level, from 10 pairs on: for comparison
  bool opinions_differ = false;  // whether the two intervals' ends differ by over 25 % of the width
};

// One estimate for each series; nullopt for a series with fewer than 2 pairs. A series without any
// variance gets an interval of width 0. Without `bootstrap_seed` there is no bootstrap interval.
// `wanted`, if not empty: only these are estimated; the others still count for variance and number.
std::vector<std::optional<Estimate>> EstimateAll(absl::Span<const std::vector<double>> series,
                                                 const DecisionRules& rules,
                                                 std::optional<uint64_t> bootstrap_seed = {},
                                                 const std::vector<bool>& wanted = {});

// For two independent sets of per-process log medians (files): Welch's t and the difference of
// means. FailedPrecondition below 2 processes a side. `pairs` is the smaller number.
absl::StatusOr<Estimate> EstimateUnpaired(absl::Span<const double> baseline,
                                          absl::Span<const double> candidate,
                                          const DecisionRules& rules);

Conclusion Decide(const Estimate& estimate, double q_value, const DecisionRules& rules);

// The smallest true effect, as a share, that this campaign would have found with 95 % probability
// at its first look: rules.smallest_effect plus what the noise hides.
absl::StatusOr<double> SmallestVisibleEffect(const Estimate& estimate, const DecisionRules& rules);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_DECISION_DECISION_H_
