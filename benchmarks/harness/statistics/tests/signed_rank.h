// -----------------------------------------------------------------------------
// File: signed_rank.h
// -----------------------------------------------------------------------------
//
// Wilcoxon's signed rank test for paired differences (1945), which sees only the order of values.
//
// It holds for any symmetric distribution. It is a second opinion beside t_tests.h, not the gate:
// with n pairs the smallest p-value it can give is 2^(1-n) (0.0078 at 8), and no multiplicity
// correction of hundreds of cases lets that pass.
//
// Exact p-values count, by dynamic programming over doubled mid-ranks, in how many of all equally
// likely assignments of signs to these very values the statistic is at least as far from its
// centre. So ties are exact too. The normal approximation corrects for ties and continuity.
//
//   absl::StatusOr<RankTest> test = assay::statistics::SignedRank(log_ratios);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTS_SIGNED_RANK_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTS_SIGNED_RANK_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::statistics {

enum class Method {
  kAuto,    // exact up to kAutoExactValues values, normal above
  kExact,   // refused above kMostExactValues, where it would take long
  kNormal,  // O(n log n)
};
inline constexpr int64_t kAutoExactValues = 50;   // beyond, p = 0.01 is at most an eighth off
inline constexpr int64_t kMostExactValues = 120;  // under a second

struct RankTest {
  double statistic = 0;
  double p_value = 1;  // two-sided
  bool exact = false;
};

// Tests that the differences lie symmetrically about 0. `statistic` is the sum of the ranks of the
// positive ones among all that are not 0; zeros are left out (Wilcoxon's own rule), and if none
// remain the p-value is 1. Needs 1 value; InvalidArgument for kExact with more than
// kMostExactValues.
absl::StatusOr<RankTest> SignedRank(absl::Span<const double> differences,
                                    Method method = Method::kAuto);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTS_SIGNED_RANK_H_
