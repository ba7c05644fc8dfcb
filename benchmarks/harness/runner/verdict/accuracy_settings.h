#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_ACCURACY_SETTINGS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_ACCURACY_SETTINGS_H_

// ---------------------------------------------------------------------------------------------
// accuracy_settings.h: the flags that change the case's comparison or add checks to it: --rule,
// --accuracy-runs, --check, --save-outputs, --compare-outputs.
//
// Not for: making the checks (accuracy.h).
//
// Example:
//   absl::StatusOr<AccuracySettings> asked = ReadAccuracySettings();
// ---------------------------------------------------------------------------------------------

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

struct AccuracySettings {
  std::optional<VerifyParameters> rule = {};  // in place of the case's
  int runs = 1;                               // odd; the majority decides
  bool batch_invariance = false;
  bool bitwise = false;
  bool mutants = false;
  std::string save_outputs = {};     // as typed; empty: not asked for
  std::string compare_outputs = {};  // as typed; empty: not asked for

  // Whether the comparison differs from the case's own. Passing it then says nothing about the
  // case.
  bool changes_verdict() const { return rule || runs > 1; }
  // Whether the verified call has to be made even where nothing is compared with a reference.
  bool needs_call() const {
    return batch_invariance || bitwise || mutants || !save_outputs.empty() ||
           !compare_outputs.empty();
  }
  bool any() const { return changes_verdict() || needs_call(); }
};

// InvalidArgument for a rule that cannot be read.
absl::StatusOr<AccuracySettings> ReadAccuracySettings(const configuration::FlagValues& values);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_ACCURACY_SETTINGS_H_
