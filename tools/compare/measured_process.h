// -----------------------------------------------------------------------------
// File: measured_process.h
// -----------------------------------------------------------------------------
//
// One process that measures, and what it says: one median for each mode, or why there is none.
//
// How a process is started and judged is processes/case_process.h's.
//
// Not for comparing anything: campaign.h asks for processes in the right order.
//
//   MeasuredProcess process = assay::compare::RunMeasured(
//       {.command = {"bazel-bin/benchmarks/mlp/mlp_fp32_b64"}, .flags = {"--modes=wall"}},
//       &interrupted);
//   if (process.outcome == PASS) Use(process.medians);

#ifndef ASSAY_TOOLS_COMPARE_MEASURED_PROCESS_H_
#define ASSAY_TOOLS_COMPARE_MEASURED_PROCESS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "defs/record.pb.h"
#include "tools/processes/case_process.h"

namespace assay::compare {

using processes::CaseProcess;

// What one process found for one mode and step.
struct ModeMedian {
  std::string mode = {};  // "wall"; with a step other than forward, "wall/backward"
  double median_ns = 0;   // of one call; finite, more than 0
  double first_call_ns =
      0;  // the process's first; of another step than forward, the step's; 0: not known
  std::vector<std::string> flags =
      {};  // checks that say the number does not mean what its mode says
  std::vector<std::string> notes = {};  // checks that are worth knowing
};

// A thing that has to be equal on both sides, such as {"dtype", "FP32"}.
using Trait = std::pair<std::string, std::string>;

struct MeasuredProcess {
  Outcome outcome = OUTCOME_UNSPECIFIED;  // unspecified: it refused its command line
  std::string message = {};               // where there are no medians: what a person needs to know
  std::vector<ModeMedian> medians = {};
  std::vector<Trait> traits = {};
  absl::Duration elapsed = {};
  Record record = {};  // without its samples; empty where there was none

  // Whether its medians may be used. NOT_VERIFIED is what was asked for by --verify=off.
  bool Usable() const { return outcome == PASS || outcome == NOT_VERIFIED; }
};

struct MeasuredCommand {
  std::vector<std::string> command = {};  // program and its own arguments
  std::vector<std::string> flags = {};    // --modes and so on; --record is added
  std::string folder = {};
  absl::Duration timeout = absl::Minutes(5);
  int64_t padding_bytes =
      0;  // length of the variable ASSAY_LAYOUT_PADDING: another place for stack and heap
};

MeasuredProcess RunMeasured(const MeasuredCommand& command, const std::atomic<bool>* interrupted);

// What there is to compare in a process that has ended.
MeasuredProcess Interpret(const CaseProcess& process);

// Dtype, device, workload, machine: what has to be equal for a ratio to mean "the same, faster".
std::vector<Trait> TraitsOf(const Record& record);

// "dtype: FP32 against BF16"; one sentence for each trait that differs.
std::vector<std::string> Differences(const std::vector<Trait>& baseline,
                                     const std::vector<Trait>& candidate);

// The medians of a record. InvalidArgument for one that is missing or no positive number.
absl::StatusOr<std::vector<ModeMedian>> MediansOf(const Record& record);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_MEASURED_PROCESS_H_
