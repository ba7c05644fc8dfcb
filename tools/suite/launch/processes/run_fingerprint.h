// -----------------------------------------------------------------------------
// File: run_fingerprint.h
// -----------------------------------------------------------------------------
//
// The SHA-256 of everything that can change a number: two runs with the same fingerprint would
// measure the same, so the second one can be skipped.
//
// It covers the case, as its table has it; the flags; the program with all its runfiles, LibTorch
// among them; files that the flags name (--weights, --inputs, --reference, --compare-outputs); CPU,
// usable CPUs, GPU, driver and kernel; the variables that a record keeps; and how the process runs:
// memory limit, pinning, number of processes. It does not cover the time or the machine's other
// load, which a record's facts describe.
//
//   Fingerprints fingerprints(machine, options, digests);
//   absl::StatusOr<std::string> fingerprint = fingerprints.Of(configuration, program);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_RUN_FINGERPRINT_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_RUN_FINGERPRINT_H_

#include <string>

#include "absl/status/statusor.h"
#include "defs/proto/record.pb.h"
#include "tools/suite/launch/processes/file_digests.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

class Fingerprints {
 public:
  // `machine` is the result of environment::ReadEnvironment, with the variables that processes will
  // have. `digests` outlives this.
  Fingerprints(const Environment& machine, const RunOptions& options, FileDigests& digests);

  // `program` is empty for a configuration that is not run.
  absl::StatusOr<std::string> Of(const PlannedRun& configuration, const std::string& program);

 private:
  std::string common_;  // the part that all have in common
  FileDigests& digests_;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_RUN_FINGERPRINT_H_
