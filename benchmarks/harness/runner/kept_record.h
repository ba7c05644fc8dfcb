#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_KEPT_RECORD_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_KEPT_RECORD_H_

// ---------------------------------------------------------------------------------------------
// kept_record.h: the record of one run of a case, while it is filled and when it is written. The
// watchdog may write it at any moment, so it changes under a lock.
//
// Not for: the file (record/record_file.h).
//
// Example:
//   KeptRecord kept(c, line, settings, std::cout);
//   absl::Status begun = kept.Begin();
//   kept.Keep([&](Record& record) { record.set_load_s(1.5); });
//   return kept.Finish(ended);   // exit code
// ---------------------------------------------------------------------------------------------

#include <ostream>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/settings.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

class KeptRecord {
 public:
  // All must outlive this. `out` gets the line that says where the record is.
  KeptRecord(const ResolvedCase& c, const CommandLine& line, const Settings& settings,
             std::ostream& out)
      : case_(c), line_(line), settings_(settings), out_(out) {}

  // Enters case, flags and start. An error if the file could not be written later: this shows
  // before a minute of measuring, not after it.
  absl::Status Begin();

  // For the thread that measures.
  const Record& get() const { return record_; }

  // The only way to change the record while the watchdog can write it.
  void Keep(absl::FunctionRef<void(Record&)> change) {
    absl::MutexLock lock(&mutex_);
    change(record_);
  }
  void KeepMeasurement(const Measurement& measurement);
  // `weights`: "seeded", or the digest of the file. `module`: the digest of --module's, if given.
  void KeepConfiguration(const std::string& weights, const std::string& module = "");

  // Says in which step the run is, for the message of GiveUp().
  void Doing(std::string what);

  // Ends the process, with what the record has.
  [[noreturn]] void GiveUp(Outcome outcome, std::string_view why);

  // Writes the record with its outcome (run_status.h); returns the exit code.
  int Finish(const absl::Status& ended);

 private:
  int Write(const absl::Status& ended);
  absl::Status Testify(Outcome outcome) const;

  const ResolvedCase& case_;
  const CommandLine& line_;
  const Settings& settings_;
  std::ostream& out_;
  absl::Duration start_;
  Record record_;
  absl::Mutex mutex_;  // between the measuring thread and the watchdog
  std::string doing_;  // guarded by that lock
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_KEPT_RECORD_H_
