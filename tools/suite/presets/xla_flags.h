// -----------------------------------------------------------------------------
// File: xla_flags.h
// -----------------------------------------------------------------------------
//
// The flags of PyTorch/XLA's benchmarks/experiment_runner.py. Those that both suites have (-k, -x,
// --test, --filter-by-tier, --dry-run, --no-skip, --no-resume, --matmul-precision) are run_suite's
// own. Each of the others is translated, or refused with the reason.
//
//   Translation said;
//   base::FlagTable flags = XlaFlags(said);   // "suite_name", "accelerator", ...

#ifndef ASSAY_TOOLS_SUITE_PRESETS_XLA_FLAGS_H_
#define ASSAY_TOOLS_SUITE_PRESETS_XLA_FLAGS_H_

#include "tools/suite/presets/translation.h"

namespace assay::suite {

base::FlagTable XlaFlags(Translation& said);

// Adds that runner's defaults: eval and train, ten timed calls, no warm-up, products that may be
// rounded to TF32.
void AddXlaDefaults(Translation& said);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PRESETS_XLA_FLAGS_H_
