#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_AFTER_MEASURING_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_AFTER_MEASURING_H_

// ---------------------------------------------------------------------------------------------
// after_measuring.h: what a run looks at when all is timed, so that it changes no timed number:
// memory, energy, the machine's peaks, profilers.
//
// Example:
//   const FinishedRun finished = {.c = c, .line = line, ...};
//   absl::Status looked = LookAtMemory(finished);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <atomic>
#include <ostream>

#include "absl/status/status.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/kept_record.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

struct FinishedRun {
  const ResolvedCase& c;
  const CommandLine& line;
  const Settings& settings;
  KeptRecord& record;  // has the measurements
  execution::Executable& executable;
  sampling::Device& device;
  at::Device torch_device;
  execution::TensorsRef as_given;  // as in TimedInputs()
  const std::atomic<bool>* interrupted;
  std::ostream& out;
};

// Each returns OK or a status that ends the run with its outcome (verdict/run_status.h).
absl::Status LookAtMemory(const FinishedRun& run);

// A counter that cannot be read ends no run.
absl::Status TakeEnergy(const FinishedRun& run);

// With the process's threads and settings.
absl::Status TakePeaks(const FinishedRun& run);

// --memory-timeline, --capture-trace, --profile, --nsys, --ncu, and the child of the last two.
absl::Status RunProfilers(const FinishedRun& run);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_AFTER_MEASURING_H_
