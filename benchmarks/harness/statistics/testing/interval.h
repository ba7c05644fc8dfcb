// -----------------------------------------------------------------------------
// File: interval.h
// -----------------------------------------------------------------------------
//
// Two ends, in the unit of whatever they enclose. What they promise is said where they are made.

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTING_INTERVAL_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTING_INTERVAL_H_

namespace assay::statistics {

struct Interval {
  double low = 0;
  double high = 0;
};

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTING_INTERVAL_H_
