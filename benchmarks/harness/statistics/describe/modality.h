// -----------------------------------------------------------------------------
// File: modality.h
// -----------------------------------------------------------------------------
//
// Decides whether samples form two separate groups, so that one number would describe neither.
//
// The values are cut in two where the cut explains most of their variance (Otsu 1979), and the
// distance of the two means is set against the spread within the parts (Ashman, Bird and Zepf,
// Astron. J. 108, 1994: D = |m1 - m2| / sqrt((s1^2 + s2^2) / 2)). A cut through one mode leaves
// both parts wide: D is 2.65 for the normal, 3.46 for the uniform and about 3.2 for the exponential
// and the lognormal distribution, whatever the number of samples. Two modes apart by k of their own
// standard deviations have D = k. Bimodal is D above 4.5 + 30 / sqrt(n), which leaves room for
// chance in small sets, with at least an eighth of the values (and 5 of them) on either side. It is
// a measure of shape and not a test: more samples of one mode never turn it into two, as they do
// with a significance test.
//
// Left out of the search are the outer 5 % at either end, so a few outliers neither make a mode nor
// hide one. A clock's ticks are no modes: equal values spread over one tick. Two heaps of equal
// values with nothing between are taken for neighbouring ticks when they lie within 10 % or in the
// ratio k : k + 1 (8 and 9 ticks), and for two modes otherwise (9 and 11).
//
// How sure (modality_test.cc, 2000 sets of 30, 50 and 300 each): normal, uniform, exponential and
// lognormal (sigma up to 1) samples, ticks and 2 % outliers are flagged in at most 1 of 1000 sets,
// a lognormal of sigma 2 in 1 of 100. Modes at 0.9 and 1.1 with standard deviations up to 0.015 are
// found in all but 1 of 100 sets of 300 when the smaller has a fifth of the values or more, and in
// 7 of 8 sets of 50.
//
// Not found: modes closer than about 5 standard deviations, a mode with less than an eighth of the
// values, a third mode (it widens one part).
//
//   auto modes = assay::statistics::AssessModality(sorted_ns);
//   if (modes.ok() && modes->bimodal) Print(modes->low_mode, modes->high_mode);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_MODALITY_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_MODALITY_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::statistics {

struct Modality {
  bool bimodal = false;
  // Medians of the two parts, and their shares of all values; meaningful only if `bimodal`.
  double low_mode = 0;
  double high_mode = 0;
  double low_share = 0;
  double high_share = 0;
  double separation = 0;  // (high_mode - low_mode) / |low_mode|; 0 for a low mode of 0
  double score = 0;       // Ashman's D
};

// `sorted` ascends. Needs 30 values. O(n).
absl::StatusOr<Modality> AssessModality(absl::Span<const double> sorted);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_MODALITY_H_
