#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_STALE_SIZE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_STALE_SIZE_H_

// ---------------------------------------------------------------------------------------------
// stale_size.h: --mistake=stale_size: an executable that keeps something of the call before, if that
// had another size, as a model does that keeps a mask or positions. The place that both sizes have in an
// input then holds the values of the call before. Two calls of one size in a row are right.
//
// Not for: mistakes of a program (verdict/mistake.h).
//
// Example:
//   if (mistake == kStaleSize) executable = WithStaleSize(std::move(executable));
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <string_view>

#include "benchmarks/harness/execution/executable.h"

namespace assay::runner {

inline constexpr std::string_view kStaleSize = "stale_size";

std::unique_ptr<execution::Executable> WithStaleSize(std::unique_ptr<execution::Executable> inner);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_STALE_SIZE_H_
