// -----------------------------------------------------------------------------
// File: planned_run.h
// -----------------------------------------------------------------------------
//
// One entry of a plan: launch/ runs them one after another.
//
// Not for: how it is started, or its result (launch/).
//
//   for (const PlannedRun& c : plan->configurations) std::cout << c.name << "\n";
//   // mlp_fp32_b1 --autocast=bf16

#ifndef ASSAY_TOOLS_SUITE_PLANNED_RUN_H_
#define ASSAY_TOOLS_SUITE_PLANNED_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "defs/proto/suite.pb.h"

namespace assay::suite {

// One thing to run: a case, with the flags to call it with.
struct PlannedRun {
  std::string label;      // "//benchmarks/mlp:mlp_fp32_b1"
  std::string case_name;  // "mlp_fp32_b1"
  // Unique in a plan, for people: the case's name and the flags that differ from the case's own.
  std::string name;
  std::vector<std::string> flags;  // for the runner, in one canonical order, "--memory-format=..."
  std::string skip_reason;         // not empty: recorded as SKIPPED_DECLARED, not run
  BenchmarkCase benchmark_case;    // the registry's case
  int64_t task = 0;                // its number in a cluster's run, from 1; 0: no cluster runs it
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLANNED_RUN_H_
