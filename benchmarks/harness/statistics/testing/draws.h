// -----------------------------------------------------------------------------
// File: testing/draws.h
// -----------------------------------------------------------------------------
//
// Samples of known shape, and how often an interval made from them holds the truth.
//
//   double share = Coverage(Shape::kSkewed, 20, 2000, 1, [](const std::vector<double>& x) {
//     return PairedT(x)->interval;
//   });

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTING_DRAWS_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTING_DRAWS_H_

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "benchmarks/harness/statistics/testing/interval.h"

namespace assay::statistics {

enum class Shape {
  kNormal,
  kSkewed,         // lognormal with sigma 0.3: skewness 0.95
  kBimodal,        // normal modes at -1.5 and 1.5 with standard deviation 0.5, half each
  kAutoregressive  // normal, each value correlated by 0.3 with the one before
};

// Values with mean 0 and about unit spread.
std::vector<double> Draw(Shape shape, int count, std::mt19937_64& random);

using IntervalOf = std::function<Interval(const std::vector<double>&)>;

// The share of `sets` samples whose interval holds `truth`.
double Coverage(Shape shape, int count, int sets, uint64_t seed, const IntervalOf& interval_of,
                double truth = 0);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTING_DRAWS_H_
