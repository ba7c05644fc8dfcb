#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_PROFILING_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_PROFILING_H_

// ---------------------------------------------------------------------------------------------
// profiling.h: --profile, --nsys and --ncu of one case: the checks before anything is measured, and
// the pass itself, which comes after all measurements and so changes no timed number.
//
// Not for: the profiler (harness/profile).
//
// Example:
//   if (absl::Status s = CheckProfile(c, settings); !s.ok()) ...   // before a minute of measuring
//   absl::StatusOr<Profile> kept = TakeProfile({c, line, settings, device, steps}, std::cout);
// ---------------------------------------------------------------------------------------------

#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/profile/profiler.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/measured_steps.h"
#include "benchmarks/harness/runner/profile_flags.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Checks that the tool exists, and that the folders exist or can be made and written.
absl::Status CheckProfile(const ResolvedCase& c, const Settings& settings);

struct ProfiledCase {
  const ResolvedCase& c;
  const CommandLine& line;
  const Settings& settings;
  sampling::Device& device;
  MeasuredSteps& steps;
};

// The folder of the case's execution traces.
std::string TraceFolder(const std::string& case_name, const ProfileSettings& settings);

// The measured steps, and their work.
profile::ProfileOptions StepsOf(const ProfiledCase& profiled);
profile::WorkOf WorkOf(MeasuredSteps& steps);

// Ended(RECORD_FAILED) where a file could not be written or the tool failed; errors of the calls.
absl::StatusOr<Profile> TakeProfile(const ProfiledCase& profiled, std::ostream& out);

// Makes the calls in their ranges, in the child of a tool. Ended(NOT_VERIFIED) when done.
absl::Status CallOnlyInRanges(const ProfiledCase& profiled);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_PROFILING_H_
