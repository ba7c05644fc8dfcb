// -----------------------------------------------------------------------------
// File: scheduling_facts.h
// -----------------------------------------------------------------------------
//
// Who else wants the CPUs of a measurement, and what may take them away from it.
//
// Facts, in this order: load, threads (where known), virtual_machine, steal, cpu_quota, affinity,
// launch_blocking (where set). Sources as in cpu_facts.h.
//
// Not for what happens during a measurement: the validity checks of harness/sampling look at that.
//
//   AddSchedulingFacts("/", environment);   // cpu_count, threads and variables are set

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_SCHEDULING_FACTS_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_SCHEDULING_FACTS_H_

#include <string>

#include "defs/record.pb.h"

namespace assay::environment {

// Adds to environment.facts what <root>/sys and <root>/proc say. Load is bad above a quarter of
// cpu_count, steal above 0.5 % of all CPU time since the start.
void AddSchedulingFacts(const std::string& root, Environment& environment);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_SCHEDULING_FACTS_H_
