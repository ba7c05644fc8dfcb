// -----------------------------------------------------------------------------
// File: run_options.h
// -----------------------------------------------------------------------------
//
// How a plan is run: the flags that have nothing to do with what is in it.
//
// Not for what is run: that is the plan's.
//
//   RunOptions options;
//   base::FlagTable flags = ...;
//   AddRunFlags(options, flags);
//   absl::Status parsed = base::ParseFlags(flags, words);
//   if (parsed.ok()) parsed = CheckRunOptions(options);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_RUN_OPTIONS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_RUN_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/flags.h"

namespace assay::suite {

struct RunOptions {
  std::string out = "suite_results";  // folder, from where the program stands
  absl::Duration timeout = absl::Minutes(30);
  int64_t memory_limit_bytes = 0;  // 0: none
  std::vector<int> cpus;           // empty: all that this process may use
  int numa_node = -1;              // -1: any
  int processes = 1;
  int shuffle_seed = 0;
  bool retry_failed = false;
  bool no_resume = false;
  bool no_lease = false;
  bool in_process = false;              // configurations of one runner share a process
  std::string build;                    // Bazel's flags, one after another
  std::vector<std::string> libtorches;  // versions to build with; at most one to run a plan with
  std::vector<std::string> variables;   // "NAME=value", laid over this process's environment

  // Not by flags, but by who made the plan.
  std::vector<std::string> flags;          // the command line as it was given, for the results
  std::map<std::string, int64_t> dropped;  // by reason: combinations that do not exist
};

// The flags below; `options` outlives the table.
void AddRunFlags(RunOptions& options, base::FlagTable& table);

// InvalidArgument for what does not go together, for a CPU that this process may not use, and for
// --numa where numactl is not installed.
absl::Status CheckRunOptions(const RunOptions& options);

// Their paragraph of --help.
std::string_view RunUsage();

// "0,2-3" -> {0, 2, 3}.
absl::StatusOr<std::vector<int>> ParseCpus(std::string_view text);

// "2GiB" -> 2147483648. KiB, MiB, GiB, or bytes without a unit.
absl::StatusOr<int64_t> ParseBytes(std::string_view text);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_RUN_OPTIONS_H_
