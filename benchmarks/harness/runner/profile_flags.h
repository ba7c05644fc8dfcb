#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_PROFILE_FLAGS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_PROFILE_FLAGS_H_

// ---------------------------------------------------------------------------------------------
// profile_flags.h: the flags --profile, --nsys, --ncu, --capture-trace and --memory-timeline, and their
// options.
//
// Not for: profiling (profiling.h).
//
// Example:
//   ProfileSettings profile = ReadProfileFlags(line.values);
// ---------------------------------------------------------------------------------------------

#include <optional>
#include <string>

#include "benchmarks/harness/configuration/flag_spec.h"
#include "benchmarks/harness/profile/wrapped_command.h"

namespace assay::runner {

struct ProfileSettings {
  bool trace = false;                 // by LibTorch's profiler
  std::optional<profile::Tool> tool;  // by a tool that runs this program as its child
  std::string folder;                 // empty: <case>.profile
  int calls = 3;                      // calls of each step
  bool only_ranges = false;           // this process is such a child
  bool capture = false;               // execution traces
  std::string capture_folder = "";    // empty: <case>.traces
  bool capture_observer = false;      // LibTorch's own trace beside
  bool capture_values = false;        // digests, samples and snapshots too
  std::string timeline_path = "";     // of memory; empty: none
  bool any() const { return trace || tool.has_value(); }
};

ProfileSettings ReadProfileFlags(const configuration::FlagValues& values);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_PROFILE_FLAGS_H_
