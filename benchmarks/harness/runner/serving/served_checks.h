#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_CHECKS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_CHECKS_H_

// ---------------------------------------------------------------------------------------------
// served_checks.h: what the times of a run under load say, and whether to believe them.
//
//   generator_late     requests were sent when they should have been: the lateness of p99 is at most
//                      a tenth of the median latency
//   rate_reached       the workers kept up with the arrivals
//   rate_measured      there is more than one query; offline, more than one batch for each worker
//   enough_queries     there are as many queries as the percentiles need
//   generator_agrees   the generator's own books have the same number of queries and percentiles
//   samples_differ     no two samples have the same reply
//
// Example:
//   AddTimes(load, result, absl::Milliseconds(80), served);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "benchmarks/harness/load/load_generator.h"
#include "defs/proto/record.pb.h"

namespace assay::runner {

// Fills in rates, latencies, the share within the bound, and the checks. `served` has its scenario, workers and
// batch. `call`: the time of a sample alone. There is one answered request at least.
void AddTimes(const load::Load& load, const load::LoadResult& result, absl::Duration call,
              Served& served);

// Whether as many queries as must kept the bound; true where there is none.
bool KeepsBound(const Served& served);

// Adds those percentiles of times, in nanoseconds, for which there are enough of them.
void AddPercentiles(std::vector<int64_t> times, const std::set<double>& shares,
                    google::protobuf::RepeatedPtrField<LatencyPercentile>& to);

// Pairs of samples that give the same within the case's limits: a swap of these would not show.
struct PairsAlike {
  int64_t found = 0;
  int64_t looked_at = 0;

  // Looks at some thousand pairs at most.
  static PairsAlike Among(int64_t samples, absl::FunctionRef<bool(int64_t a, int64_t b)> alike);
};
void AddAlike(const PairsAlike& alike, Served& served);

void AddServedCheck(std::string_view name, CheckStatus status, std::string detail, Served& served);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_CHECKS_H_
