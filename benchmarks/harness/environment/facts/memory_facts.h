// -----------------------------------------------------------------------------
// File: memory_facts.h
// -----------------------------------------------------------------------------
//
// The kernel's treatment of a measured process's memory: on which node it is, how large its pages
// are, whether it is swapped.
//
// Facts, in this order: numa, numa_balancing, aslr, huge_pages, memory, swap, swappiness. Sources
// as in cpu_facts.h.
//
// Not for how much memory a case takes: that is in its Measurement.
//
//   AddMemoryFacts("/", environment);   // after AddMachine (machine.h)

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_MEMORY_FACTS_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_MEMORY_FACTS_H_

#include <string>

#include "defs/proto/record.pb.h"

namespace assay::environment {

// Adds the facts in <root>/sys and <root>/proc to environment.facts; reads memory_bytes and
// memory_available_bytes. Memory is bad where less than a tenth of it is available, or less than 1
// GiB (on machines with less than 2 GiB, half of it).
void AddMemoryFacts(const std::string& root, Environment& environment);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_MEMORY_FACTS_H_
