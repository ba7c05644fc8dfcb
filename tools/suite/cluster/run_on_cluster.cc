#include "tools/suite/cluster/run_on_cluster.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/suite/cluster/cluster_launcher.h"
#include "tools/suite/cluster/kubernetes.h"
#include "tools/suite/cluster/run_task.h"
#include "tools/suite/cluster/slurm.h"
#include "tools/suite/cluster/task_folder.h"
#include "tools/suite/launch/run_configurations.h"

namespace assay::suite {
namespace {

constexpr int kSurroundings = 2, kUsageError = 3;

int Complain(std::string_view text, int code) {
  std::cerr << "run_suite: " << text << "\n";
  return code;
}

std::unique_ptr<Engine> MakeEngine(const std::string& launcher, const RunOptions& options) {
  if (launcher == "slurm") return MakeSlurm(options.slurm);
  return MakeKubernetes({.image = options.image, .claim = options.claim});
}

std::string FolderOf(const RunOptions& options) {
  return std::filesystem::absolute(options.out).lexically_normal().string();
}

}  // namespace

int RunPlanned(const std::vector<PlannedRun>& plan, const RunOptions& options) {
  const std::string folder = FolderOf(options);
  if (const std::string run = OpenRun(folder); !run.empty()) {
    return Complain(
        absl::StrCat(folder,
                     " has a run on a cluster that is not over: --attach --out=", options.out,
                     " goes on with it; without ", folder, "/cluster/", run, " it is given up"),
        kSurroundings);
  }
  if (options.launcher == "local") return RunConfigurations(plan, options);
  if (absl::Status usable = CheckSlurmFlags(options.slurm); !usable.ok())
    return Complain(usable.message(), kUsageError);
  std::unique_ptr<Engine> engine = MakeEngine(options.launcher, options);
  // Before anything is built.
  if (absl::Status usable = engine->Check(); !usable.ok())
    return Complain(usable.message(), kSurroundings);
  ClusterLauncher launcher(std::move(engine), /*attach=*/false);
  return RunConfigurations(plan, options, {.launcher = &launcher});
}

int Attach(const RunOptions& options) {
  const TaskFolder folder(FolderOf(options), OpenRun(FolderOf(options)));
  const absl::StatusOr<TaskRun> run = folder.ReadRun();
  if (!run.ok()) {
    return Complain(absl::StrCat(FolderOf(options), " has no run on a cluster to go on with"),
                    kSurroundings);
  }
  const absl::StatusOr<std::vector<PlannedTask>> tasks = folder.ReadTasks();
  if (!tasks.ok()) return Complain(tasks.status().message(), kSurroundings);
  std::vector<PlannedRun> plan;
  ClusterLauncher launcher(MakeEngine(run->launcher(), options), /*attach=*/true);
  RunPlace place = {.launcher = &launcher, .suite_run = run->suite_run()};
  for (const PlannedTask& task : *tasks) AddToPlan(task, folder.results(), plan, place);
  RunOptions options_of_run = OptionsOf(*run);
  options_of_run.out = options.out;
  return RunConfigurations(plan, options_of_run, place);
}

}  // namespace assay::suite
