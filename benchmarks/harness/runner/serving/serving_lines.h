#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVING_LINES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVING_LINES_H_

// ---------------------------------------------------------------------------------------------
// serving_lines.h: what a person reads of a case under load.
//
//   served    server at 20 queries a second · 10.1 s · 201 queries · 2 workers of 1 thread, batches up to 8
//   latency   p50 31.2 ms · p90 40.1 ms (certified 44.0 ms) · max 80.3 ms
//   replies   201 right, 180 of them to the bit · batches of 1: 120, 2: 40
//
// Several rates end in a table.
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "defs/proto/record.pb.h"

namespace assay::runner {

// The lines of one rate.
std::string ServedLines(const Served& served, int threads);

// A row for each rate, by rate, with a bar for its latencies; the knee is the rate with the most answers for its
// latency. Empty for one rate.
std::string CurveLines(std::vector<Served> curve);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVING_LINES_H_
