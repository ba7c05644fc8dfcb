// -----------------------------------------------------------------------------
// File: run_on_cluster.h
// -----------------------------------------------------------------------------
//
// Runs a plan on a cluster, compares its cases on one, or goes on with what began on one.
//
// On a cluster each case is compared by //tools:compare itself, all its processes on one machine, so
// no pair is of two. What the machines found is kept in comparisons/KEY.json of the results'
// folder: it is not compared again. //tools:compare also makes the table of all (--parts).
//
//   if (options.attach) return Attach(options, print);
//   if (const int code = CheckCanBegin(options); code != 0) return code;
//   return RunOnCluster(plan, options);

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_RUN_ON_CLUSTER_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_RUN_ON_CLUSTER_H_

#include <functional>
#include <string>
#include <vector>

#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

// Whether something may be begun with these options, here or on a cluster, before anything is built. 0,
// or after a message 2 where a run on a cluster has to be gone on with first, or where there is no
// such cluster, and 3 for flags of sbatch that cannot be given.
int CheckCanBegin(const RunOptions& options);

// The exit codes of RunConfigurations().
int RunOnCluster(const std::vector<PlannedRun>& plan, const RunOptions& options);

// A way to call all cases of a comparison.
struct ComparedWay {
  std::string libtorch = {};  // the version to build with; empty: the tree's own
  std::string flags = {};     // as words of a shell
};

struct ComparisonRequest {
  std::vector<ComparedWay> ways = {};  // the baseline first
  std::vector<const PlannedRun*> cases = {};
  std::string program = {};             // of //tools:compare
  std::vector<std::string> flags = {};  // of it, as the user gave them
  std::vector<std::string> words = {};  // with which it would compare here, `flags` included
};

// Calls //tools:compare with these words, to print the table; returns its exit code.
using PrintTable = std::function<int(std::vector<std::string> words)>;

// The exit code of `print`, or those of CheckCanBegin() where nothing can be compared.
int CompareOnCluster(const ComparisonRequest& request, const RunOptions& options,
                     const PrintTable& print);

// 2 where the folder has no such run.
int Attach(const RunOptions& options, const PrintTable& print);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_RUN_ON_CLUSTER_H_
