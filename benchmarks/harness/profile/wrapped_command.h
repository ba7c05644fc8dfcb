#ifndef ASSAY_BENCHMARKS_HARNESS_PROFILE_WRAPPED_COMMAND_H_
#define ASSAY_BENCHMARKS_HARNESS_PROFILE_WRAPPED_COMMAND_H_

// ---------------------------------------------------------------------------------------------
// wrapped_command.h: a program run again as a child of Nsight Systems (nsys) or Nsight Compute
// (ncu), with a filter that lets through the ranges of the profiled calls and nothing else.
//
// The ranges are NVTX's start/end ranges in the domain "assay"
// (sampling/device/device.h), not push/pop ones: those belong to a thread, and autograd launches a
// backward pass from a thread of its own.
//   nsys collects from the beginning of the case's range to its end; the steps' ranges and the
//        warm-up calls between them stand inside.
//   ncu  profiles the kernels inside the steps' ranges. '/' has a meaning in its filters and is
//        escaped: without that the filter would match nothing and say nothing.
//
// Not for: LibTorch's own profiler (profiler.h).
//
// Example:
//   absl::Status there = CheckInstalled(Tool::kNsys, getenv("PATH"));
//   absl::StatusOr<int> code = processes::RunShown(WrappedCommand({.tool = Tool::kNsys, ...}));
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace assay::profile {

enum class Tool { kNsys, kNcu };

// "nsys", "ncu": flag and program.
std::string_view ToolName(Tool tool);

// NotFound, naming the package, where no folder of `path` (as in PATH) has the program.
absl::Status CheckInstalled(Tool tool, std::string_view path);

struct WrappedChild {
  Tool tool = Tool::kNsys;
  std::string program = {};                 // the tool's path; empty: its name
  std::vector<std::string> arguments = {};  // more of the tool's own, behind those that stand here
  // The device is CUDA. Elsewhere there are no ranges to filter by, and only nsys can be used: it
  // samples the CPU over the whole child.
  bool cuda = true;
  std::string case_name = {};            // the range around all steps
  std::vector<std::string> ranges = {};  // of the steps, RangeName()
  std::string report = {};               // path without the tool's own ending
  std::vector<std::string> command = {};
};

// The file that the tool writes.
std::string ReportPath(const WrappedChild& child);

std::vector<std::string> WrappedCommand(const WrappedChild& child);

}  // namespace assay::profile

#endif  // ASSAY_BENCHMARKS_HARNESS_PROFILE_WRAPPED_COMMAND_H_
