// -----------------------------------------------------------------------------
// File: scheduling_facts.h
// -----------------------------------------------------------------------------
//
// Other users of a measurement's CPUs, and limits on its CPU time.
//
// Facts, in this order: load, threads (where known), virtual_machine, steal, cpu_quota, affinity,
// launch_blocking (where set). Sources as in cpu_facts.h.
//
// Not for events during a measurement: the validity checks of harness/sampling find those.
//
//   AddSchedulingFacts("/", environment);   // cpu_count, threads and variables are set

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_SCHEDULING_FACTS_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_SCHEDULING_FACTS_H_

#include <string>

#include "defs/proto/record.pb.h"

namespace assay::environment {

// Adds the facts in <root>/sys and <root>/proc to environment.facts. Load is bad above a quarter of
// cpu_count, steal above 0.5 % of all CPU time since the start.
void AddSchedulingFacts(const std::string& root, Environment& environment);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_SCHEDULING_FACTS_H_
