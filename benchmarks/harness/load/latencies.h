#ifndef ASSAY_BENCHMARKS_HARNESS_LOAD_LATENCIES_H_
#define ASSAY_BENCHMARKS_HARNESS_LOAD_LATENCIES_H_

// ---------------------------------------------------------------------------------------------
// latencies.h: what the times of requests say: percentiles of latency, certified ones beside them,
// rates, and how late the generator was.
//
// A certified percentile is a bound for the true one, which holds with 99 % confidence: MLPerf's
// early stopping. With a share p of n queries the bound is the t-th longest latency, t the largest
// number for which at most t longer ones would be seen with a probability of 1 % at most if a share
// 1 - p of all latencies were longer. t is 1 at least, so a percentile needs a number of queries:
// 64 for p90, 662 for p99, 6,636 for p99.9. With fewer of them it is not known.
// (MLPerf Inference, loadgen/early_stopping.cc and its results.cc.)
//
// Example:
//   LoadSummary summary = Summarize(load, result.requests);
//   std::optional<LatencyPercentile> p99 = PercentileOf(summary.latencies, 0.99);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "benchmarks/harness/load/load_generator.h"
#include "defs/proto/record.pb.h"

namespace assay::load {

// How many queries the percentile needs.
int64_t QueriesNeeded(double share);

// `sorted`: latencies. Empty where there are too few. The empirical one is number floor(n * share), as LoadGen
// counts; the certified one is not below it.
std::optional<LatencyPercentile> PercentileOf(absl::Span<const int64_t> sorted, double share);

struct LoadSummary {
  std::vector<int64_t> latencies = {};  // of each query, nanoseconds, sorted
  int64_t requests = 0;
  double elapsed_s = 0;                // from the first intended time to the last reply
  double queries_per_s = 0;            // that were answered
  double requests_per_s = 0;           // likewise
  std::vector<int64_t> lateness = {};  // of sending behind the intended time, nanoseconds, sorted
};

// A query's latency is that of its last reply; in the scenario offline each request counts as one.
LoadSummary Summarize(Scenario scenario, absl::Span<const RequestTimes> requests);

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_LATENCIES_H_
