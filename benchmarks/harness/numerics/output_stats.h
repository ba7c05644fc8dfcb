#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_OUTPUT_STATS_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_OUTPUT_STATS_H_

// ---------------------------------------------------------------------------------------------
// output_stats.h: four numbers that sum up a whole output, for references that keep only a sample
// of it.
//
// Not for: statistics of timings (harness/statistics).
//
// Example:
//   OutputStatsBuilder builder;
//   for (absl::Span<const double> chunk : chunks) builder.Add(chunk);
//   OutputStats stats = builder.Stats();
// ---------------------------------------------------------------------------------------------

#include <cstdint>

#include "absl/types/span.h"

namespace assay::numerics {

struct OutputStats {
  double mean = 0;
  double std = 0;      // of the population: divided by n
  double l2_norm = 0;  // sqrt(sum x^2)
  double max_abs = 0;
};

// Adds numbers and what their rounding lost (Neumaier, "Rundungsfehleranalyse einiger Verfahren zur
// Summation endlicher Summen", 1974).
class CompensatedSum {
 public:
  void Add(double value);
  double Total() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

// Takes values chunk by chunk; how they are cut does not matter. Sums of 256 values are added with
// compensation, so relative errors stay near 1e-14 for any number of values. Spreads are joined by
// Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances"
// (1979). Not finite in, not finite out. All zeros before the first value.
class OutputStatsBuilder {
 public:
  void Add(absl::Span<const double> values);
  OutputStats Stats() const;
  int64_t count() const { return count_; }

 private:
  void AddBlock(absl::Span<const double> values);

  int64_t count_ = 0;
  CompensatedSum sum_;
  CompensatedSum squares_;
  CompensatedSum squared_deviations_;
  double max_abs_ = 0;
};

OutputStats StatsOf(absl::Span<const double> values);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_OUTPUT_STATS_H_
