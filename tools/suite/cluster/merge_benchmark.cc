// Measures how long the tasks of a run on a cluster take to merge (docs/machines.md): makes up a run
// whose tasks have all left their results, then goes on with it as --attach does.
//   tools/bazel run //tools/suite/cluster:merge_benchmark -- --tasks=100000 --out=/tmp/merged
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/record/strict_json.h"
#include "tools/suite/cluster/run_on_cluster.h"
#include "tools/suite/cluster/task_folder.h"

namespace assay::suite {
namespace {

constexpr char kRun[] = "20260101T000000Z-0123456789abcdef";
constexpr int kSamples = 500;  // of a task's record: 12 kB

TaskResult ResultOf(int64_t number, std::mt19937& random) {
  TaskResult result;
  Record& record = *result.mutable_record();
  record.set_schema_version(2);
  record.set_outcome(PASS);
  record.mutable_benchmark_case()->set_name("made_up");
  record.mutable_launch()->set_suite_run(kRun);
  record.mutable_launch()->set_task(number);
  record.mutable_launch()->set_fingerprint(absl::StrCat(number));
  Measurement& wall = *record.add_measurements();
  wall.set_mode("wall");
  wall.set_median_ns(1e6);
  for (int i = 0; i < kSamples; ++i)
    wall.add_samples_ns(std::normal_distribution<double>(1e6, 1e4)(random));
  result.set_line(*record::ToJsonLine(record));
  wall.clear_samples_ns();
  result.set_node(absl::StrCat("n", number % 100));
  result.set_attempt(1);
  return result;
}

absl::Status MakeUp(const std::string& results, int tasks) {
  TaskFolder folder(results, kRun);
  TaskRun run;
  run.set_suite_run(kRun);
  run.set_launcher("kubernetes");  // which asks nobody
  run.set_processes(1);
  run.set_timeout_s(1);
  std::vector<PlannedTask> planned(tasks);
  for (int i = 0; i < tasks; ++i) {
    planned[i].set_number(i + 1);
    planned[i].set_label(absl::StrCat("//made/up:case_", i));
    planned[i].set_case_name(absl::StrCat("case_", i));
    planned[i].set_name(planned[i].case_name());
    planned[i].set_program("staged/programs/x/x");
    planned[i].set_program_digest("x");
  }
  if (absl::Status written = folder.Write(run, planned); !written.ok()) return written;
  std::mt19937 random(0);
  for (int i = 0; i < tasks; ++i) {
    // Without a wait for the disk, which tasks have and this has not to measure.
    std::ofstream file(folder.Path(absl::StrCat("results/", i)), std::ios::binary);
    if (!ResultOf(i + 1, random).SerializeToOstream(&file))
      return absl::UnavailableError(folder.Path(absl::StrCat("results/", i)));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  int tasks = 100'000;
  RunOptions options;
  options.out.clear();
  absl::Status status = base::ParseFlags({{"tasks", base::WholeNumberFlag(tasks, 1, 10'000'000)},
                                          {"out", base::TextFlag(options.out)}},
                                         words);
  if (status.ok()) status = base::EnterWorkingFolder();
  if (status.ok() && (options.out.empty() || std::filesystem::exists(options.out)))
    status = absl::InvalidArgumentError("--out=FOLDER: one that is not there yet");
  if (status.ok()) status = MakeUp(std::filesystem::absolute(options.out).string(), tasks);
  if (!status.ok()) return status;
  sync();  // as tasks leave their results: on the disk
  const absl::Time start = absl::Now();
  const std::clock_t processor = std::clock();
  const int code = Attach(options, [](const std::vector<std::string>&) { return 1; });
  std::cerr << absl::StrFormat("merged    %d tasks in %.1f s, %.1f s of them on a processor\n",
                               tasks, absl::ToDoubleSeconds(absl::Now() - start),
                               static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC);
  return code;
}

}  // namespace
}  // namespace assay::suite

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv,
                                       {.name = "merge_benchmark", .run = assay::suite::Main});
}
