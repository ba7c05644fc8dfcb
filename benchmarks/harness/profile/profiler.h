#ifndef ASSAY_BENCHMARKS_HARNESS_PROFILE_PROFILER_H_
#define ASSAY_BENCHMARKS_HARNESS_PROFILE_PROFILER_H_

// ---------------------------------------------------------------------------------------------
// profiler.h: calls of a program's steps, each in a range of its own (range_name.h), with LibTorch's
// profiler (Kineto) around them or without.
//
// Each step is first called without a profiler: the first calls load kernels, choose algorithms and
// fill the allocator, which is not part of a step. Nor is the untimed work before a call, such as
// the forward pass before a backward pass.
//
// Not for times that are compared: a profiler slows the program down. The runner profiles after it
// has measured.
//
// Example:
//   auto profiled = ProfileSteps({.case_name = "mlp_fp32_b8", .steps = {"forward"}}, device, work);
//   std::cout << TableText((*profiled)->table, 10);
//   absl::Status saved = (*profiled)->SaveTrace("trace.json");
// ---------------------------------------------------------------------------------------------

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/profile/operator_table.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/timed_work.h"

namespace assay::profile {

// The work of a step; called once for each step, and valid until it is called for the next.
using WorkOf = std::function<absl::StatusOr<sampling::TimedWork*>(std::string_view step)>;

struct ProfileOptions {
  std::string case_name;
  std::vector<std::string> steps;
  int warmup_calls = 2;
  int calls = 3;
  bool cuda = false;  // the device has kernels to be listed
};

// The ranges of the steps, in their order.
std::vector<std::string> RangesOf(const ProfileOptions& options);

// Makes the calls in the device's ranges: one named after the case around all, one of RangeName()
// around each call, closed when the device is done with it. Errors of `work` and of the calls.
absl::Status CallInRanges(const ProfileOptions& options, sampling::Device& device,
                          const WorkOf& work);

class Profiled {
 public:
  virtual ~Profiled() = default;
  // Writes Kineto's Chrome trace; the file gets its name only after it was read back and found
  // whole (trace_check.h). ResourceExhausted if the disk is full; DataLoss if the trace is wrong.
  virtual absl::Status SaveTrace(const std::string& path) = 0;

  OperatorTable table;
};

// The same calls under LibTorch's profiler.
absl::StatusOr<std::unique_ptr<Profiled>> ProfileSteps(const ProfileOptions& options,
                                                       sampling::Device& device,
                                                       const WorkOf& work);

}  // namespace assay::profile

#endif  // ASSAY_BENCHMARKS_HARNESS_PROFILE_PROFILER_H_
