#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_USAGE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_USAGE_H_

// ---------------------------------------------------------------------------------------------
// usage.h: what --help prints.
// ---------------------------------------------------------------------------------------------

#include <string_view>

namespace assay::runner {

std::string_view UsageText();

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_USAGE_H_
