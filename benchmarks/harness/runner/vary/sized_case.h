#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_SIZED_CASE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_SIZED_CASE_H_

// ---------------------------------------------------------------------------------------------
// sized_case.h: a declared case with another size, resolved as the build would have done it, so that
// the same checks find the same faults.
//
// Its verified workload is the one that is timed: each size is compared as it is timed.
//
// Not for: whether the model of the declared case can be called with it (varied_case.h).
//
// Example:
//   absl::StatusOr<ResolvedCase> sized = SizedCase(declared, mix.sizes[0]);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/runner/vary/mix.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// The names that a mix of the case may use: integer parameters on which the shape of an input depends,
// and "batch".
std::vector<std::string> SizeNames(const ResolvedCase& c);

// InvalidArgument, beginning with --vary, for a case that does not run forward alone or whose calls
// change inputs or state, for a name that SizeNames() lacks, for a value that the parameter does not
// allow, and for one that a table of the model is too short for.
absl::StatusOr<ResolvedCase> SizedCase(const ResolvedCase& declared, const MixSize& size);

// The same with the measured workload in all roles; for a sized case to which flags were applied.
ResolvedCase VerifiedAsMeasured(ResolvedCase sized);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_SIZED_CASE_H_
