// -----------------------------------------------------------------------------
// File: summary.h
// -----------------------------------------------------------------------------
//
// The figures that describe one set of samples, in the samples' own unit.
//
// A figure for which there are too few samples is absent, not guessed: the interval of the median
// below 6 samples, p10 and p90 below 29, p99 below 299.
//
// Not for comparing two sets: samples of one process say nothing about the next one.
//
//   absl::StatusOr<Summary> summary = assay::statistics::Summarize(samples_ns);
//   if (summary.ok()) Print(summary->median, summary->median_interval);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_SUMMARY_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_SUMMARY_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/statistics/describe/outliers.h"
#include "benchmarks/harness/statistics/intervals/median_interval.h"

namespace assay::statistics {

struct Summary {
  int64_t count = 0;
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
  double median = 0;
  std::optional<Interval> median_interval;  // 95 %
  std::optional<double> p10;
  std::optional<double> p90;
  std::optional<double> p99;
  TukeyClasses outliers;  // counted, and part of every figure above
};

// Samples in any order. InvalidArgument for none, and for one that is NaN or infinite.
absl::StatusOr<Summary> Summarize(absl::Span<const double> samples);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_SUMMARY_H_
