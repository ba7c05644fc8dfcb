#include "tools/suite/cluster/run_on_cluster.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "tools/compare/settings.h"
#include "tools/processes/workspace.h"
#include "tools/suite/cluster/cluster_launcher.h"
#include "tools/suite/cluster/kubernetes.h"
#include "tools/suite/cluster/run_task.h"
#include "tools/suite/cluster/slurm.h"
#include "tools/suite/cluster/task_folder.h"
#include "tools/suite/launch/processes/file_digests.h"
#include "tools/suite/launch/processes/results_folder.h"
#include "tools/suite/launch/processes/stop_requests.h"
#include "tools/suite/launch/processes/suite_machine.h"
#include "tools/suite/launch/run_configurations.h"
#include "tools/suite/launch/run_place.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

using base::kSurroundings, base::kUsageError;

int Complain(std::string_view text, base::ExitCode code) {
  return base::Fail("run_suite", text, code);
}

std::unique_ptr<Engine> MakeEngine(const std::string& launcher, const RunOptions& options) {
  if (launcher == "slurm") return MakeSlurm(options.slurm);
  return MakeKubernetes({.image = options.image, .claim = options.claim});
}

std::string FolderOf(const RunOptions& options) {
  return fs::absolute(options.out).lexically_normal().string();
}

// Programs of the cases, by way and case.
using Programs = std::vector<std::vector<std::string>>;

absl::StatusOr<Programs> BuildAll(const ComparisonRequest& request, const RunOptions& options,
                                  const StopRequests& stop) {
  const char* root = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (root == nullptr) {
    return absl::FailedPreconditionError(
        "cases are built in the tree that this was started in; start it with: tools/bazel run "
        "//tools:run_suite -- ...");
  }
  std::vector<std::string> labels;
  for (const PlannedRun* c : request.cases) labels.push_back(c->label);
  std::map<std::string, std::vector<std::string>> built;  // by version of LibTorch
  Programs programs;
  for (const ComparedWay& way : request.ways) {
    const auto [found, is_new] = built.try_emplace(way.libtorch);
    if (is_new) {
      std::cerr << "building  " << labels.size() << " cases\n";
      processes::Workspace tree = processes::OpenFolder(root);
      if (absl::Status known = processes::UseLibTorch(way.libtorch, tree); !known.ok())
        return known;
      auto of_version = processes::Build(
          tree, labels, absl::StrSplit(options.build, ' ', absl::SkipEmpty()), &stop.soon);
      if (!of_version.ok()) return of_version.status();
      found->second = *std::move(of_version);
    }
    programs.push_back(found->second);
  }
  return programs;
}

// The words with which each machine compares, and all that the table is made with.
absl::StatusOr<ComparisonPlan> WordsOf(const ComparisonRequest& request,
                                       const RunOptions& options) {
  std::vector<std::string> flags = request.flags, words = request.words;
  absl::StatusOr<compare::Settings> settings = compare::ReadSettings(words);
  if (!settings.ok()) return settings.status();
  if (settings->baseline_build != options.build || settings->candidate_build != options.build) {
    return absl::InvalidArgumentError(
        "--compare-flags: on a cluster both sides are built alike, as --build says");
  }
  if (!settings->seed_given) {
    // The same ways have the same seed, so that what is there of them need not be compared again.
    std::string text = absl::StrJoin(flags, "\n");
    for (const ComparedWay& way : request.ways)
      absl::StrAppend(&text, "\n", way.libtorch, " ", way.flags);
    uint32_t seed = 0;
    const std::string digest = base::Sha256Hex(text);
    static_cast<void>(absl::SimpleHexAtoi(digest.substr(0, 8), &seed));
    for (std::vector<std::string>* given : {&flags, &words})
      given->push_back(absl::StrCat("--seed=", seed));
  }
  ComparisonPlan plan;
  plan.set_program(request.program);
  *plan.mutable_task_words() = {flags.begin(), flags.end()};
  *plan.mutable_table_words() = {words.begin(), words.end()};
  return plan;
}

// A key of what is compared in a case: programs, flags and how.
absl::StatusOr<std::string> KeyOf(const ComparisonPlan& plan, const RemoteRun& run,
                                  FileDigests& digests) {
  std::string text =
      absl::StrCat(run.configuration->label, "\n", absl::StrJoin(plan.task_words(), "\n"));
  for (const RemoteSide& side : run.sides) {
    const absl::StatusOr<std::string> digest = digests.OfProgram(side.program);
    if (!digest.ok()) return digest.status();
    absl::StrAppend(&text, "\n", *digest, " ", side.flags);
  }
  return base::Sha256Hex(text);
}

// The file of one machine's results; once it is there, the case is done.
std::string PathOf(const std::string& folder, const ComparedCase& c) {
  return absl::StrCat(folder, "/comparisons/", c.key(), ".json");
}

// Runs the part of a comparison that is not there yet, and has the table of the whole printed.
int Compare(std::unique_ptr<Engine> engine, bool attach, const ComparisonPlan& plan,
            const std::string& suite_run, const std::vector<RemoteRun>& runs,
            const RunOptions& options, FileDigests& digests, const PrintTable& print) {
  const std::string folder = FolderOf(options);
  const auto of = [&](int64_t number) -> const ComparedCase& {
    return plan.cases(static_cast<int>(number) - 1);
  };
  std::map<int64_t, std::string> lost;  // reasons, by the case's number
  std::map<int64_t, std::string> names;
  for (const RemoteRun& run : runs) names[run.number] = run.configuration->case_name;
  int64_t taken = plan.cases_size() - static_cast<int64_t>(runs.size());
  if (taken > 0) {
    std::cerr << "going on  " << taken << " of " << plan.cases_size()
              << " were done before; --no-resume compares them again\n";
  }
  const auto take = [&](const std::vector<RemoteResult>& results) {
    for (const RemoteResult& result : results) {
      const absl::Status written =
          tensor_files::WriteFileAtomically(PathOf(folder, of(result.number)), result.line + "\n");
      if (!written.ok()) return written;
      std::cerr << "[" << ++taken << "/" << plan.cases_size() << "] " << names[result.number]
                << "\n";
    }
    return absl::OkStatus();
  };
  absl::Status over;
  if (!runs.empty()) {
    ClusterLauncher launcher(std::move(engine), attach, plan);
    over = launcher.Run(suite_run, runs, folder, options, digests, CatchStopRequests(),
                        {.take = take,
                         .lost = [&](const LostRun& run) { lost[run.number] = run.reason; },
                         .say = [](std::string_view text) { std::cerr << text << "\n"; },
                         .progress = [](std::string_view) {}});
    digests.Save();
  }
  if (!over.ok()) return Complain(absl::StrCat("stopped: ", over.message()), kSurroundings);
  std::string lines;
  for (int64_t number = 1; number <= plan.cases_size(); ++number) {
    if (const auto reason = lost.find(number); reason != lost.end()) {
      const nlohmann::json line = {{"label", of(number).label()}, {"missing", reason->second}};
      absl::StrAppend(&lines, line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                      "\n");
      continue;
    }
    const absl::StatusOr<std::string> line =
        tensor_files::ReadFile(PathOf(folder, of(number)), kMostBytes);
    if (!line.ok()) return Complain(line.status().message(), kSurroundings);
    lines += *line;
  }
  const std::string parts = folder + "/comparison.jsonl";
  if (absl::Status written = tensor_files::WriteFileAtomically(parts, lines); !written.ok())
    return Complain(written.message(), kSurroundings);
  std::vector<std::string> words(plan.table_words().begin(), plan.table_words().end());
  words.push_back("--parts=" + parts);
  return print(std::move(words));
}

}  // namespace

int CheckCanBegin(const RunOptions& options) {
  const std::string folder = FolderOf(options);
  if (const std::string run = OpenRun(folder); !run.empty()) {
    return Complain(
        absl::StrCat(folder,
                     " has a run on a cluster that is not over: --attach --out=", options.out,
                     " goes on with it; without ", folder, "/cluster/", run, " it is given up"),
        kSurroundings);
  }
  if (options.launcher == "local") return 0;
  if (absl::Status usable = CheckSlurmFlags(options.slurm); !usable.ok())
    return Complain(usable.message(), kUsageError);
  const absl::Status usable = MakeEngine(options.launcher, options)->Check();
  return usable.ok() ? 0 : Complain(usable.message(), kSurroundings);
}

int RunOnCluster(const std::vector<PlannedRun>& plan, const RunOptions& options) {
  ClusterLauncher launcher(MakeEngine(options.launcher, options), /*attach=*/false);
  return RunConfigurations(plan, options, {.launcher = &launcher});
}

int CompareOnCluster(const ComparisonRequest& request, const RunOptions& options,
                     const PrintTable& print) {
  if (const int code = CheckCanBegin(options); code != 0) return code;
  absl::StatusOr<ComparisonPlan> plan = WordsOf(request, options);
  if (!plan.ok()) return Complain(plan.status().message(), kUsageError);
  const auto folder = ResultsFolder::Open(FolderOf(options));  // locked from here on
  if (!folder.ok()) return Complain(folder.status().message(), kSurroundings);
  const std::string comparisons = (*folder)->path() + "/comparisons";
  std::error_code error;
  fs::create_directories(comparisons, error);
  if (error) {
    return Complain(absl::StrCat("cannot make the folder ", comparisons, ": ", error.message()),
                    kSurroundings);
  }
  const absl::StatusOr<Programs> programs = BuildAll(request, options, CatchStopRequests());
  if (!programs.ok()) return Complain(programs.status().message(), kSurroundings);
  FileDigests digests(DigestCacheFile());
  std::vector<RemoteRun> runs;
  for (size_t i = 0; i < request.cases.size(); ++i) {
    const PlannedRun& c = *request.cases[i];
    RemoteRun run = {.number = static_cast<int64_t>(i) + 1,
                     .configuration = &c,
                     .program = (*programs)[0][i],
                     .device = DeviceOf(c.flags, options.build)};
    for (size_t way = 0; way < request.ways.size(); ++way)
      run.sides.push_back({(*programs)[way][i], request.ways[way].flags});
    const absl::StatusOr<std::string> key = KeyOf(*plan, run, digests);
    if (!key.ok()) return Complain(key.status().message(), kSurroundings);
    ComparedCase& kept = *plan->add_cases();
    kept.set_label(c.label);
    kept.set_key(*key);
    const std::string path = PathOf((*folder)->path(), kept);
    if (options.no_resume) fs::rename(path, path + ".before", error);
    if (!fs::exists(path, error)) runs.push_back(std::move(run));
  }
  return Compare(MakeEngine(options.launcher, options), /*attach=*/false, *plan,
                 NewRunId(absl::Now()), runs, options, digests, print);
}

int Attach(const RunOptions& options, const PrintTable& print) {
  const TaskFolder folder(FolderOf(options), OpenRun(FolderOf(options)));
  const absl::StatusOr<TaskRun> run = folder.ReadRun();
  if (!run.ok()) {
    return Complain(absl::StrCat(FolderOf(options), " has no run on a cluster to go on with"),
                    kSurroundings);
  }
  const absl::StatusOr<std::vector<PlannedTask>> tasks = folder.ReadTasks();
  if (!tasks.ok()) return Complain(tasks.status().message(), kSurroundings);
  std::vector<PlannedRun> plan;
  RunPlace place = {.suite_run = run->suite_run()};
  for (const PlannedTask& task : *tasks) AddToPlan(task, folder.results(), plan, place);
  RunOptions options_of_run = OptionsOf(*run);
  options_of_run.out = options.out;
  std::unique_ptr<Engine> engine = MakeEngine(run->launcher(), options);
  if (!run->has_comparison()) {
    ClusterLauncher launcher(std::move(engine), /*attach=*/true);
    place.launcher = &launcher;
    return RunConfigurations(plan, options_of_run, place);
  }
  const auto results = ResultsFolder::Open(folder.results());
  if (!results.ok()) return Complain(results.status().message(), kSurroundings);
  std::vector<RemoteRun> runs;
  for (const PlannedRun& c : plan) {
    const ComparedCase& of_run = run->comparison().cases(static_cast<int>(c.task) - 1);
    if (!fs::exists(PathOf(folder.results(), of_run)))
      runs.push_back({.number = c.task, .configuration = &c});
  }
  FileDigests digests(DigestCacheFile());
  return Compare(std::move(engine), /*attach=*/true, run->comparison(), run->suite_run(), runs,
                 options_of_run, digests, print);
}

}  // namespace assay::suite
