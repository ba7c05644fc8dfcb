#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_RUN_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_RUN_H_

// ---------------------------------------------------------------------------------------------
// case_run.h: runs one case, from opening its device to writing its record: verdict first, then
// numbers.
//
// Not for: the command line (settings.h).
//
// Example:
//   return CaseRun(c, line, settings, &interrupted).Execute();   // exit code
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <atomic>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/given/given_files.h"
#include "benchmarks/harness/runner/kept_record.h"
#include "benchmarks/harness/runner/measured_steps.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/runner/vary/varied_case.h"
#include "benchmarks/harness/runner/verdict/accuracy.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

class CaseRun {
 public:
  // Once `*interrupted` is true, sampling ends; the samples taken so far are kept. `loaded`: the
  // program of an earlier run of the same case with another batch; if empty, a new one is made.
  // `sizes`: the case with each size of settings.mix.
  CaseRun(ResolvedCase c, CommandLine line, Settings settings, const std::atomic<bool>* interrupted,
          LoadedProgram loaded = {}, std::vector<ResolvedCase> sizes = {});

  // Returns the exit code.
  int Execute();

  // Whether this process can run nothing more on the device, once this run is over. A kernel that
  // reads a wrong address ends CUDA's context for good, and every call after that fails, also those
  // of another run.
  bool SpentTheDevice();

  // Hands the program to the next run, once this one is over.
  LoadedProgram TakeProgram() { return std::move(loaded_); }

 private:
  // The parts of a run. Each returns OK or a status that ends the run with its outcome
  // (run_status.h).
  int RunToRecord();
  absl::Status Run();
  absl::Status OpenDevice();
  absl::Status CheckCall() const;
  absl::Status LoadExecutable();
  absl::Status ReadGiven();
  absl::Status OpenAccuracy();
  absl::Status BuildProgram();
  absl::Status MakeProgram();
  absl::Status LoadWeights();
  absl::Status CheckMemory() const;
  absl::Status Measure();
  std::string WorkerMistake() const;  // of a case under load; empty: none, or the program's
  absl::Status Serve();
  bool MakesStaleSize() const;  // --mistake of a case whose sizes vary
  absl::Status OpenSizes();
  absl::Status Vary();
  absl::Status VerifyTimed(const std::string& step, MeasuredSteps& steps);

  // Keeps a verdict in the record and prints it.
  void KeepVerdict(Verdict verdict);
  Verdict Judge();
  absl::Status ShowGenerated();

  // Notes the time of the process's first output: it is there, or will be once the device is done.
  void NoteStart();

  std::string Skipped() const;
  absl::Status CheckLoweringOnDevice() const;

  execution::BackendRequest Request() const {
    execution::BackendRequest request = {.c = case_,
                                         .device = TorchDevice(),
                                         .module_path = settings_.module_path,
                                         .workloads = {&case_.verified(), &case_.measured()}};
    // Files of a size are made at its first call, where that is timed. A server's workers have their own.
    if (settings_.mix) request.workloads = {};
    if (settings_.serves) request.workloads = {&case_.verified()};
    return request;
  }
  at::Device TorchDevice() const {
    return at::Device(device_->UsesHostMemory() ? at::kCPU : at::kCUDA);
  }

  const ResolvedCase case_;
  const std::vector<ResolvedCase> sizes_;
  const CommandLine line_;
  const Settings settings_;
  const std::atomic<bool>* const interrupted_;
  std::ostream& out_;
  KeptRecord kept_;
  const Record& record_ = kept_.get();
  std::unique_ptr<sampling::Device> device_;
  GivenFiles given_;
  execution::Tensors timed_as_given_;  // of given_.inputs; undefined, or none at all: seeded
  AccuracyChecks accuracy_;
  LoadedProgram loaded_;
  std::unique_ptr<execution::Executable> executable_;  // of loaded_.program
  std::unique_ptr<VariedCase> varied_;  // of executable_; null: all calls have one size
  std::optional<Truth> truth_;  // what the verdict compared with; absent where nothing was compared
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_RUN_H_
