// -----------------------------------------------------------------------------
// File: run_options.h
// -----------------------------------------------------------------------------
//
// The flags that say how a plan is run.
//
// Not for the flags that say what is run (plan/).
//
//   RunOptions options;
//   base::FlagTable flags = ...;
//   AddRunFlags(options, flags);
//   absl::Status parsed = base::ParseFlags(flags, words);
//   if (parsed.ok()) parsed = base::CheckFlagRules(RunRules(), given);
//   if (parsed.ok()) parsed = CheckRunOptions(options);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_RUN_OPTIONS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_RUN_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/flag_rules.h"
#include "benchmarks/harness/base/flags.h"

namespace assay::suite {

struct RunOptions {
  std::string out = "suite_results";  // folder, relative to the working directory
  absl::Duration timeout = absl::Minutes(30);
  int64_t memory_limit_bytes = 0;  // 0: none
  std::vector<int> cpus;           // empty: all that this process may use
  int numa_node = -1;              // -1: any
  int processes = 1;
  int shuffle_seed = 0;
  bool retry_failed = false;
  bool retry_flagged = false;
  bool no_resume = false;
  bool no_lease = false;
  bool in_process = false;              // configurations of one runner share a process
  std::string build;                    // Bazel's flags, one by one
  std::vector<std::string> libtorches;  // to build with; a plan runs with at most one
  std::vector<std::string> variables;   // "NAME=value", added to this process's environment

  std::string launcher = "local";  // or a cluster: "slurm", "kubernetes"
  std::vector<std::string> slurm;  // sbatch's flags
  std::string image, claim;        // Kubernetes': the pods' image, and the volume of the results
  bool attach = false;             // goes on with a run that began on a cluster

  // The next two are set by the program that made the plan, not by flags.
  std::vector<std::string> flags;          // the command line as it was given, for the results
  std::map<std::string, int64_t> dropped;  // number of impossible combinations, by reason
};

// Adds the flags below; `options` outlives the table.
void AddRunFlags(RunOptions& options, base::FlagTable& table);

// Which of these flags cannot stand together, or beside --compare.
const std::vector<base::FlagRule>& RunRules();

// InvalidArgument for a CPU that this process may not use, and for --numa where numactl is not
// installed.
absl::Status CheckRunOptions(const RunOptions& options);

// The paragraph about them in --help.
std::string_view RunUsage();

// "0,2-3" -> {0, 2, 3}.
absl::StatusOr<std::vector<int>> ParseCpus(std::string_view text);

// "2GiB" -> 2147483648. KiB, MiB, GiB, or bytes without a unit.
absl::StatusOr<int64_t> ParseBytes(std::string_view text);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_RUN_OPTIONS_H_
