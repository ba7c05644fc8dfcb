#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_RUN_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_RUN_H_

// ---------------------------------------------------------------------------------------------
// case_run.h: the run of one case, from its device to its record: verdict first, then numbers.
//
// Not for: the command line (settings.h).
//
// Example:
//   return CaseRun(c, line, settings, &interrupted).Execute();   // exit code
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <atomic>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/given_files.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "defs/record.pb.h"
#include "defs/suite.pb.h"
#include "models/model.h"

namespace assay::runner {

class CaseRun {
 public:
  // Once `*interrupted` is true, sampling ends and what was measured until then is kept.
  CaseRun(ResolvedCase c, CommandLine line, Settings settings,
          const std::atomic<bool>* interrupted);

  // Returns the exit code.
  int Execute();

 private:
  Outcome Act();
  Outcome OpenDevice();
  Outcome ReadGiven();
  absl::Status BuildModel();
  absl::Status LoadWeights();
  Outcome VerifyCase();
  Outcome PresentVerdict();
  Outcome Measure();
  absl::Status CheckWays() const;
  void Keep(const Measurement& measurement);
  void OnTimeout();
  std::string Skipped() const;
  Verdict Judge();
  Outcome Fail(const absl::Status& status);
  Outcome UsageError(const absl::Status& status);
  int Finish(Outcome outcome);

  at::Device TorchDevice() const {
    return at::Device(settings_.device == CUDA ? at::kCUDA : at::kCPU);
  }

  const ResolvedCase case_;
  const CommandLine line_;
  const Settings settings_;
  const std::atomic<bool>* const interrupted_;
  std::ostream& out_;
  Record record_;
  bool usage_error_ = false;  // seen only once the device is open
  absl::Mutex record_mutex_;  // between measuring and the watchdog
  std::string in_progress_;   // guarded by it
  std::unique_ptr<sampling::Device> device_;
  GivenFiles given_;
  std::unique_ptr<models::Model> model_;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_RUN_H_
