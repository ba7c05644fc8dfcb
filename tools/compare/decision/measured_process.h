// -----------------------------------------------------------------------------
// File: measured_process.h
// -----------------------------------------------------------------------------
//
// Runs one process that measures and returns one median for each mode, or the reason why there is
// none.
//
// processes/case_process.h starts and judges processes.
//
// Not for comparing anything: campaign.h asks for processes in the right order.
//
//   MeasuredProcess process = assay::compare::RunMeasured(
//       {.command = {"bazel-bin/benchmarks/mlp/mlp_fp32_b64"}, .flags = {"--modes=wall"}},
//       &interrupted);
//   if (process.outcome == PASS) Use(process.medians);

#ifndef ASSAY_TOOLS_COMPARE_DECISION_MEASURED_PROCESS_H_
#define ASSAY_TOOLS_COMPARE_DECISION_MEASURED_PROCESS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "defs/proto/record.pb.h"
#include "tools/compare/decision/metric.h"
#include "tools/processes/case_process.h"

namespace assay::compare {

using processes::CaseProcess;

// The result of one process for one mode and step.
struct ModeMedian {
  std::string mode = {};  // "wall"; with a step other than forward, "wall/backward"
  double median_ns = 0;   // of one call, or another figure (metric.h); finite, more than 0
  double first_call_ns =
      0;  // wall: first call of the process, or of the step if that is not forward; 0: unknown
  std::vector<std::string> flags = {};  // checks that refuse the number
  std::vector<std::string> notes = {};  // checks to know of
  std::string unverified =
      {};  // why nobody knows that the timed call is right; empty: it was verified
};

// A property that must be equal on both sides, such as {"dtype", "FP32"}, unless each side was asked
// for something that explains it: two sides of one thread and of two have other `threads`, and their
// flags say so.
struct Trait {
  std::string name;
  std::string value;
  std::string explained_by = {};  // the traits are compared where this is equal
  bool of_the_case = false;       // two cases differ by it
};
enum class Traits { kAll, kOfTheRun };  // the latter are those that are not of the case

struct MeasuredProcess {
  Outcome outcome = OUTCOME_UNSPECIFIED;  // unspecified: the process refused its command line
  std::string message = {};               // if there are no medians: the reason, for a person
  std::vector<ModeMedian> medians = {};
  std::vector<Trait> traits = {};
  absl::Duration elapsed = {};
  Record record = {};  // without samples; empty if the process left none

  // Whether its medians may be used. NOT_VERIFIED is the result of --verify=off.
  bool Usable() const { return outcome == PASS || outcome == NOT_VERIFIED; }
};

struct MeasuredCommand {
  std::vector<std::string> command = {};      // program and its own arguments
  std::vector<std::string> flags = {};        // --modes and so on; --record is added
  std::vector<std::string> environment = {};  // "NAME=value", besides this process's
  std::string folder = {};
  absl::Duration timeout = absl::Minutes(5);
  Metric metric = Metric::kWall;
  int64_t padding_bytes =
      0;  // length of the variable ASSAY_LAYOUT_PADDING, which moves stack and heap
};

MeasuredProcess RunMeasured(const MeasuredCommand& command, const std::atomic<bool>* interrupted);

// The result of a process that has ended.
MeasuredProcess Interpret(const CaseProcess& process, Metric metric = Metric::kWall);

// Dtype, device, workload, machine, threads: these must be equal for a ratio of the same work.
// Rule, limits and reference: for a ratio of work that was verified in the same way.
std::vector<Trait> TraitsOf(const Record& record);

// One sentence for each trait that differs: "dtype: FP32 against BF16".
std::vector<std::string> Differences(const std::vector<Trait>& baseline,
                                     const std::vector<Trait>& candidate,
                                     Traits which = Traits::kAll);

// Whether a mode is a percentile under load that a slower run may not have enough queries for.
bool IsTail(std::string_view mode);

// The medians of a record, or its other figures. InvalidArgument for one that is missing or no positive
// number; FailedPrecondition where the metric does not fit the device, Unavailable where the machine
// does not count it.
absl::StatusOr<std::vector<ModeMedian>> MediansOf(const Record& record,
                                                  Metric metric = Metric::kWall);

// How a process ended whose figures MediansOf() refuses.
Outcome OutcomeOf(const absl::Status& refused);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_DECISION_MEASURED_PROCESS_H_
