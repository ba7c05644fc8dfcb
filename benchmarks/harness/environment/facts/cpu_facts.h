// -----------------------------------------------------------------------------
// File: cpu_facts.h
// -----------------------------------------------------------------------------
//
// The effects of the CPU's hardware on a measurement: clock, sleep states, heat, second threads.
//
// Facts, in this order: governor, energy_preference, turbo, idle_states, smt, thermal_throttling,
// temperature, clock_source, mitigations. Which settings matter follows LLVM's
// docs/Benchmarking.rst, Google Benchmark's docs/reducing_variance.md, TorchBench's
// torchbenchmark/util/machine_config.py and `pyperf system`; the names of the files follow the
// kernel's Documentation/ABI.
//
// Not for the effects of other work: scheduling_facts.h.
//
//   AddCpuFacts("/", environment);   // after AddMachine (machine.h)

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_CPU_FACTS_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_CPU_FACTS_H_

#include <string>

#include "defs/proto/record.pb.h"

namespace assay::environment {

// Adds the facts in <root>/sys and <root>/proc to environment.facts; reads environment.governor.
void AddCpuFacts(const std::string& root, Environment& environment);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_CPU_FACTS_H_
