#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_LOAD_FLAGS_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_LOAD_FLAGS_H_

// ---------------------------------------------------------------------------------------------
// load_flags.h: the flags of a case under load (harness/load), a part of the table of flags
// (case_flags.h), and how those values are read that have a grammar of their own.
//
// Example:
//   absl::StatusOr<load::LatencyBound> bound = ParseLatencyBound("50ms@p99");
// ---------------------------------------------------------------------------------------------

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "benchmarks/harness/load/load_generator.h"

namespace assay::configuration {

// "50ms@p99", "2s@p99.9"; "50ms" alone is of p99. InvalidArgument says what is allowed.
absl::StatusOr<load::LatencyBound> ParseLatencyBound(std::string_view text);

// "2ms", "10s", "1m30s"; a number alone is seconds. InvalidArgument where it is negative or no time.
absl::StatusOr<absl::Duration> ParseTime(std::string_view text);

// The values of --qps, in the order given.
std::vector<double> RatesOf(std::string_view text);

// "The rate of arrivals", and so on: the rows.
std::vector<FlagSpec> LoadFlags();

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_LOAD_FLAGS_H_
