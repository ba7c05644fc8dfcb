#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_RULE_FLAG_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_RULE_FLAG_H_

// ---------------------------------------------------------------------------------------------
// rule_flag.h: reads --rule: a rule of comparison and its limits, in place of the case's.
//
//   --rule=NAME[:LIMITS]    LIMITS: comma-separated KEY=NUMBER; the rule's main limit needs no KEY
//
//   dynamo_same       tol (main, 1e-4), multiplier=N, larger_multiplier, cosine[=0.99]
//   cosine            min (main, 0.99)
//   allclose          atol, rtol (0.5 and 0: OpenXLA's)
//   mean_relative     limit (main, 2%: PyTorch/XLA's)
//   iou               min (main, 0.99); for boolean outputs, others keep the case's rule
//   relative_to_std   rms, max (both must be given)
//
// In brackets the seeds' defaults, where nothing is given. A number may be a share: 2% is 0.02.
// numerics/rules.h says what the rules mean.
//
// Not for: case tables, which write verify() of defs/tolerances.bzl.
//
// Example:
//   absl::StatusOr<VerifyParameters> rule = ParseRule("dynamo_same:1e-3,multiplier=10");
//   absl::StatusOr<ResolvedCase> judged = WithRule(c, *rule);
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// InvalidArgument, naming the flag and what is allowed. The provenance is the flag itself.
absl::StatusOr<VerifyParameters> ParseRule(std::string_view text);

// The case with this rule. IOU replaces the rule of boolean outputs. Any other rule replaces that
// of outputs of floats, including those that have a rule of their own. InvalidArgument where there
// is no such output.
absl::StatusOr<ResolvedCase> WithRule(const ResolvedCase& c, const VerifyParameters& rule);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_RULE_FLAG_H_
