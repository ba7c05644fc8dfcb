// -----------------------------------------------------------------------------
// File: slurm.h
// -----------------------------------------------------------------------------
//
// Slurm as an engine: array jobs by sbatch, what became of them by squeue, an end by scancel. Needs
// no accounting database. A node has one task at a time: --exclusive, or --gres=gpu:1 for CUDA.
//
// The jobs of a run are found by their name, so also after the program that submitted them died.
//
//   std::unique_ptr<Engine> slurm = MakeSlurm({"--partition=bench", "--time=10"});

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_SLURM_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_SLURM_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "tools/suite/cluster/engine.h"

namespace assay::suite {

// `flags` are sbatch's, and go before those above.
std::unique_ptr<Engine> MakeSlurm(const std::vector<std::string>& flags);

// InvalidArgument for flags of sbatch by which tasks would not be found again.
absl::Status CheckSlurmFlags(const std::vector<std::string>& flags);

// Reads what squeue prints.
Queue ReadQueue(std::string_view text);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_SLURM_H_
