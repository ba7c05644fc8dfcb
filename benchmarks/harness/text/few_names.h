#ifndef ASSAY_BENCHMARKS_HARNESS_TEXT_FEW_NAMES_H_
#define ASSAY_BENCHMARKS_HARNESS_TEXT_FEW_NAMES_H_

// ---------------------------------------------------------------------------------------------
// few_names.h: names the first of many.
//
// Example:
//   FewNames({"a", "b", "c", "d", "e"});   // "a, b, c, … and 2 more"
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <string>

#include "absl/types/span.h"

namespace assay::base {

// Joined by ", "; where there are more than `most`, their number follows.
std::string FewNames(absl::Span<const std::string> names, size_t most = 3);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_TEXT_FEW_NAMES_H_
