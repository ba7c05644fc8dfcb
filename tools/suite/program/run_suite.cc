// Runs many cases; settings.h's usage says how to call it. Puts the parts together: command line,
// data files, plan, what is printed. Not for: making a plan (plan/).
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/short_help.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/text/shell_text.h"
#include "defs/proto/suite.pb.h"
#include "tools/processes/tool_program.h"
#include "tools/suite/cluster/run_on_cluster.h"
#include "tools/suite/cluster/run_task.h"
#include "tools/suite/launch/run_configurations.h"
#include "tools/suite/plan/data_text.h"
#include "tools/suite/plan/plan.h"
#include "tools/suite/plan/plan_text.h"
#include "tools/suite/program/compare_words.h"
#include "tools/suite/program/settings.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

using base::kSurroundings, base::kUsageError;
using processes::Print;
constexpr char kRegistry[] = "benchmarks/registry.pb";
constexpr char kCompare[] = "tools/compare/compare";
constexpr char kReport[] = "//tools/report:report";

#ifdef ASSAY_CUDA
constexpr DeviceType kDefaultDevice = CUDA;
#else
constexpr DeviceType kDefaultDevice = CPU;
#endif
// The cases are built with these flags, too.
constexpr char kBazelFlags[] =
#include "tools/suite/program/flags_of_build.inc"
    ;

int Fail(const absl::Status& status, base::ExitCode code) {
  return base::Fail("run_suite", status.message(), code);
}

// The folder of the registry and the data files: the working directory under `bazel run`, else
// beside the program.
absl::StatusOr<fs::path> DataFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path runfiles = program.string() + ".runfiles";
  for (const fs::path& folder : {fs::current_path(error), runfiles / "assay", runfiles / "_main"}) {
    if (fs::exists(folder / kRegistry, error)) return folder;
  }
  return absl::NotFoundError(absl::StrCat("there is no ", kRegistry, " beside ", program.string(),
                                          "; start it with: tools/bazel run //tools:run_suite"));
}

absl::StatusOr<Registry> ReadRegistry(const fs::path& path) {
  Registry registry;
  std::ifstream file(path, std::ios::binary);
  if (file && registry.ParseFromIstream(&file)) return registry;
  return absl::UnavailableError(absl::StrCat("cannot read the registry ", path.string(),
                                             "; tools/bazel build //benchmarks:registry makes it"));
}

absl::Status AddSkips(const std::string& path, const Registry& registry, PlanRequest& request) {
  KnownSkips skips;
  DataLines lines;
  const absl::Status read = ReadDataFile(path, "skips", skips, lines);
  if (!read.ok()) return read;
  return request.known_skips.Add(skips, lines, registry);
}

// Reads the data files that the plan needs.
absl::Status AddData(const fs::path& folder, const Registry& registry, Settings& settings) {
  DataLines lines;
  const absl::Status others = ReadDataFile(folder / "tools/suite/plan/other_suites.textproto",
                                           "models", settings.request.others, lines);
  if (!others.ok()) return others;
  absl::Status skips =
      AddSkips(folder / "tools/suite/plan/known_skips.textproto", registry, settings.request);
  if (!skips.ok()) return skips;
  skips = base::EnterWorkingFolder();  // the folder from which the user's paths begin
  for (const std::string& file : settings.skip_files) {
    if (skips.ok()) skips = AddSkips(file, registry, settings.request);
  }
  return skips;
}

// The path of the record file in the user's folder, which the printed commands make.
std::string RecordIn(const std::string& out) {
  return (fs::absolute(out) / "results.jsonl").lexically_normal().string();
}

// The worse of the run's exit code and of the report's, where one was asked for.
int WithReport(int code, const Settings& settings) {
  if (!settings.report) return code;
  const RunOptions& options = settings.run;
  const char* root = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  const absl::StatusOr<int> reported = processes::RunTool(
      root == nullptr ? "" : root, kReport, {fs::absolute(options.out).lexically_normal().string()},
      absl::StrSplit(options.build, ' ', absl::SkipEmpty()), nullptr);
  const int report_code = reported.ok() ? *reported : Fail(reported.status(), kSurroundings);
  return code != 0 ? code : report_code;
}

int RunPlan(const Plan& plan, const Settings& settings) {
  RunOptions options = settings.run;
  options.dropped = plan.dropped;
  for (const std::string& remark : plan.remarks) std::cerr << "note  " << remark << "\n";
  int code = CheckCanBegin(options);
  if (code == 0) {
    code = options.launcher == "local" ? RunConfigurations(plan.configurations, options)
                                       : RunOnCluster(plan.configurations, options);
  }
  return WithReport(code, settings);
}

void SayWhatIsLeftOut(const Plan& plan, const std::vector<std::string>& left_out) {
  for (const std::string& remark : plan.remarks) std::cerr << "note  " << remark << "\n";
  if (left_out.empty()) return;
  std::cerr << "note  not compared, since they cannot be called in every way: "
            << absl::StrJoin(left_out, ", ") << "\n";
  for (const auto& [reason, count] : plan.dropped)
    std::cerr << "dropped  " << count << "  " << reason << "\n";
}

// Replaces this process by //tools:compare.
int BecomeCompare(const fs::path& folder, std::vector<std::string> words) {
  words.insert(words.begin(), (folder / kCompare).string());
  return Fail(processes::ReplaceBy(std::move(words)), kSurroundings);
}

// Has //tools:compare measure both sides in turns, here or on a cluster.
int Compare(const Plan& plan, const Settings& settings, const fs::path& folder) {
  std::vector<std::string> kernels;
  for (const std::string& file : settings.candidates) {
    kernels.push_back(base::ShellWord(absl::StrCat("--load-library=", file)));
    if (!settings.like.empty())
      absl::StrAppend(&kernels.back(), " ", base::ShellWord("--like=" + settings.like));
    if (!settings.op.empty())
      absl::StrAppend(&kernels.back(), " ", base::ShellWord("--op=" + settings.op));
  }
  const absl::StatusOr<Comparison> compared = CompareWords(plan, settings.run.libtorches, kernels);
  if (!compared.ok()) return Fail(compared.status(), kUsageError);
  SayWhatIsLeftOut(plan, compared->left_out);
  std::vector<std::string> words = compared->words;
  if (!settings.run.build.empty()) {
    words.push_back(absl::StrCat("--baseline-build=", settings.run.build));
    words.push_back(absl::StrCat("--candidate-build=", settings.run.build));
  }
  words.insert(words.end(), settings.compare_flags.begin(), settings.compare_flags.end());
  if (settings.run.launcher != "local") {
    return CompareOnCluster({.ways = compared->ways,
                             .cases = compared->cases,
                             .program = (folder / kCompare).string(),
                             .flags = settings.compare_flags,
                             .words = std::move(words)},
                            settings.run, [&](std::vector<std::string> table) {
                              return BecomeCompare(folder, std::move(table));
                            });
  }
  for (const std::string& variable :
       settings.run.variables) {  // both sides' processes inherit them
    const std::vector<std::string> parts = absl::StrSplit(variable, absl::MaxSplits('=', 1));
    setenv(parts[0].c_str(), parts[1].c_str(), /*overwrite=*/1);
    std::cerr << base::ShellWord(variable) << " ";
  }
  std::cerr << "tools/bazel run //tools:compare --";
  for (const std::string& word : words) std::cerr << " " << base::ShellWord(word);
  std::cerr << std::endl;
  return BecomeCompare(folder, std::move(words));
}

int Act(const Plan& plan, const Settings& settings, const fs::path& folder) {
  switch (settings.action) {
    case Action::kCompare:
      return Compare(plan, settings, folder);
    case Action::kList:
      return Print(NameList(plan));
    case Action::kDryRun:
      return Print(DryRun(plan, settings.format));
    case Action::kPrintCommands:
      return Print(
          ShellCommands(plan, {.record = settings.out_given ? RecordIn(settings.run.out) : "",
                               .bazel_flags = settings.run.build}));
    case Action::kListTiers:  // these two need no plan
    case Action::kListOthers:
    case Action::kRun:
      break;
  }
  return RunPlan(plan, settings);
}

// A cluster starts this on a node (docs/machines.md). Nothing but the folder of the run is there.
int RunTaskOf(const std::vector<std::string>& words) {
  TaskRequest request;
  const absl::Status parsed =
      base::ParseFlags({{"task", base::TextFlag(request.folder)},
                        {"task_index", base::WholeNumberFlag(request.index, 0, 1'000'000'000)},
                        {"node", base::TextFlag(request.node)},
                        {"attempt", base::WholeNumberFlag(request.attempt, 1, 1'000'000)},
                        {"job", base::TextFlag(request.job)}},
                       words);
  return parsed.ok() ? RunTask(request) : Fail(parsed, kUsageError);
}

int Main(const std::vector<std::string>& words) {
  if (!words.empty() && absl::StartsWith(words[0], "--task=")) return RunTaskOf(words);
  const absl::StatusOr<fs::path> folder = DataFolder();
  if (!folder.ok()) return Fail(folder.status(), kSurroundings);
  DeviceSpecs devices;
  DataLines lines;
  const absl::Status read =
      ReadDataFile(*folder / "tools/suite/plan/devices.textproto", "devices", devices, lines);
  if (!read.ok()) return Fail(read, kSurroundings);
  absl::StatusOr<Settings> settings =
      ReadSettings(words, devices, {.default_device = kDefaultDevice, .flags = kBazelFlags});
  if (!settings.ok()) return Fail(settings.status(), kUsageError);
  if (settings->help == base::Help::kAll) return Print(UsageText());
  if (settings->help == base::Help::kShort) return Print(base::ShortHelpText(ShortUsage()));
  if (settings->run.attach) {
    const absl::Status entered = base::EnterWorkingFolder();
    if (!entered.ok()) return Fail(entered, kUsageError);
    const int code = Attach(settings->run, [&](std::vector<std::string> table) {
      return BecomeCompare(*folder, std::move(table));
    });
    return WithReport(code, *settings);
  }
  const bool runs = settings->action == Action::kRun || settings->action == Action::kCompare;
  if (runs && settings->preset.empty() && IsEverything(settings->request.selection)) {
    return Fail(absl::InvalidArgumentError(
                    "which cases? All of them take days. -k REGEX, --only=NAME or --tag=NAME=VALUE "
                    "chooses; -k . is all"),
                kUsageError);
  }
  const absl::StatusOr<Registry> registry = ReadRegistry(*folder / kRegistry);
  if (!registry.ok()) return Fail(registry.status(), kSurroundings);
  const absl::Status added = AddData(*folder, *registry, *settings);
  if (!added.ok()) return Fail(added, kUsageError);
  if (settings->action == Action::kListTiers)
    return Print(TierList(*registry, settings->request.others));
  const Selection& selection = settings->request.selection;
  Selection without_suite = selection;
  without_suite.suite.clear();
  const bool lists_suite =
      settings->action == Action::kList && !selection.suite.empty() && IsEverything(without_suite);
  if (settings->action == Action::kListOthers || lists_suite) {
    const absl::StatusOr<std::string> list =
        OtherModelList(*registry, settings->request.others, selection.suite);
    if (list.ok()) return Print(*list);
    return Fail(list.status(),
                absl::IsInvalidArgument(list.status()) ? kUsageError : kSurroundings);
  }
  if (!settings->preset.empty()) std::cerr << settings->preset << "\n";
  const absl::StatusOr<Plan> plan = MakePlan(settings->request, *registry);
  if (!plan.ok()) return Fail(plan.status(), kUsageError);
  return Act(*plan, *settings, *folder);
}

}  // namespace
}  // namespace assay::suite

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv,
                                       {.name = "run_suite", .run = assay::suite::Main});
}
