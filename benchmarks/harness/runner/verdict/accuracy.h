#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_ACCURACY_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_ACCURACY_H_

// ---------------------------------------------------------------------------------------------
// accuracy.h: the checks of a verified call that come beside its comparison with the reference.
//
// batch_invariance  the last row of the measured batch, computed alone, and the last and a drawn
//                   one equal those of the whole batch within the case's limits, in every output
//                   whose first dimension is the batch; the whole batch's outputs are finite
// bitwise           the outputs are those of the plain eager execution to the bit
//                   (eager_baseline.h)
// mutants           each of the program's own mistakes (program.h), made in a new program with the
//                   seeded state, fails by the comparison that this call has passed
// saved_outputs     the outputs equal those that --compare-outputs names within the case's limits
//
// Each is a Check of the verdict, and so is each mutant: OK or FLAGGED, with its figure. A flagged
// check makes a verdict that was none worse FAIL_ACCURACY. A check that could not be run is
// NOT_RUN, and the verdict becomes the outcome that prevented it.
//
// Not for: the rules of comparison (numerics/rules.h).
//
// Example:
//   absl::StatusOr<ResolvedCase> asked = WithAccuracyFlags(c, settings.accuracy, device);
//   absl::StatusOr<AccuracyChecks> accuracy = AccuracyChecks::Open(settings.accuracy, *asked);
//   Verdict verdict = Verify(*asked, *executable, device, path,
//                            accuracy->Options(*asked, *executable, device, false, environment, out));
// ---------------------------------------------------------------------------------------------

#include <optional>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/runner/verdict/accuracy_settings.h"
#include "benchmarks/harness/runner/verdict/saved_outputs.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// The case with the rule that was asked for. InvalidArgument, with the reason and the fix, for a
// check that the case cannot have: batch_invariance of a training step or of a single row, bitwise
// for the plain execution itself or where two calls may differ on `device`, mutants of a program without mistakes, a rule for outputs that
// the case does not have.
absl::StatusOr<ResolvedCase> WithAccuracyFlags(const ResolvedCase& c,
                                               const AccuracySettings& settings, at::Device device);

class AccuracyChecks {
 public:
  // Reads the file that --compare-outputs names and checks that the folder of --save-outputs
  // exists. Errors of ReadSavedOutputs and CheckFolderOf, with the flag in front.
  static absl::StatusOr<AccuracyChecks> Open(const AccuracySettings& settings,
                                             const ResolvedCase& c);

  // The options for Verify(). Everything passed in must outlive the call. `given_inputs`: the
  // verified call has the user's inputs. `out`: receives the line that says what was saved.
  VerifyOptions Options(const ResolvedCase& c, execution::Executable& executable, at::Device device,
                        bool given_inputs, const Environment& environment, std::ostream& out) const;

 private:
  AccuracySettings settings_;
  std::string save_to_;
  std::optional<SavedOutputs> saved_;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_ACCURACY_H_
