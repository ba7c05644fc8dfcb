// -----------------------------------------------------------------------------
// File: openxla_flags.h
// -----------------------------------------------------------------------------
//
// The flags of OpenXLA's Common Benchmark Suite (common_benchmark_suite/*/scripts).
//
// -device is not here: run_suite's own --device knows the names of that suite's devices.
//
//   Translation said;
//   base::FlagTable flags = OpenXlaFlags(said);   // "benchmark_ids", "target_device", ...

#ifndef ASSAY_TOOLS_SUITE_PRESETS_OPENXLA_FLAGS_H_
#define ASSAY_TOOLS_SUITE_PRESETS_OPENXLA_FLAGS_H_

#include "tools/suite/presets/translation.h"

namespace assay::suite {

base::FlagTable OpenXlaFlags(Translation& said);

// Adds that suite's defaults: a hundred calls after five, each timed.
void AddOpenXlaDefaults(Translation& said);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PRESETS_OPENXLA_FLAGS_H_
