// -----------------------------------------------------------------------------
// File: ranges.h
// -----------------------------------------------------------------------------
//
// Texts that say the same with other numbers, as one text.
//
//   WithRanges({"waited 160 % of 2 s", "waited 174 % of 2 s"});   // {"waited 160 to 174 % of 2 s"}

#ifndef ASSAY_BENCHMARKS_HARNESS_OUTPUT_RANGES_H_
#define ASSAY_BENCHMARKS_HARNESS_OUTPUT_RANGES_H_

#include <string>
#include <vector>

#include "absl/types/span.h"

namespace assay::output {

// One text for all that differ in numbers alone, at the place of the first of them. A number that differs
// becomes "least to largest", as they were written. Numbers are decimal, with or without an exponent.
std::vector<std::string> WithRanges(absl::Span<const std::string> texts);

}  // namespace assay::output

#endif  // ASSAY_BENCHMARKS_HARNESS_OUTPUT_RANGES_H_
