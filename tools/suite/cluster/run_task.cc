#include "tools/suite/cluster/run_task.h"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/record/strict_json.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "tools/suite/cluster/task_scratch.h"
#include "tools/suite/launch/processes/stop_requests.h"
#include "tools/suite/launch/processes/suite_machine.h"
#include "tools/suite/launch/run_configurations.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

int NoResult(std::string_view text) { return base::Fail("run_suite", text, base::kSurroundings); }

// Lays what the cluster knows over a record; its JSON.
absl::StatusOr<std::string> LineOf(const TaskRequest& request, double clock_ahead_s,
                                   Record& record) {
  record.mutable_environment()->set_node(request.node);
  Launch& launch = *record.mutable_launch();
  launch.set_attempt(request.attempt);
  launch.set_job(request.job);
  launch.set_clock_ahead_s(clock_ahead_s);
  return record::ToJsonLine(record);
}

void RemoveSamples(Record& record) {
  for (Measurement& m : *record.mutable_measurements()) {
    m.clear_samples_ns();
    m.clear_clock_mhz();
  }
  record.mutable_environment()->clear_facts();
  record.mutable_environment()->clear_facts_after();
  record.mutable_verdict()->clear_outputs();
}

// The result of the task, from its own folder of results.
absl::StatusOr<TaskResult> ResultOf(const TaskRequest& request, const std::string& out,
                                    double clock_ahead_s) {
  absl::StatusOr<record::RecordFile> file = record::ReadAll(out + "/results.jsonl");
  if (!file.ok()) return file.status();
  record::RecordFile processes;
  if (const std::string path = out + "/processes.jsonl"; fs::exists(path)) {
    absl::StatusOr<record::RecordFile> read = record::ReadAll(path);
    if (!read.ok()) return read.status();
    processes = *std::move(read);
  }
  if (file->records.size() != 1) {
    return absl::DataLossError(
        absl::StrCat("the task left ", file->records.size(), " records in place of one"));
  }
  Record& record = file->records[0];
  if (record.outcome() == INTERRUPTED || record.outcome() == RECORD_FAILED) {
    return absl::AbortedError(record.error());
  }
  TaskResult result;
  absl::StatusOr<std::string> line = LineOf(request, clock_ahead_s, record);
  if (!line.ok()) return line.status();
  result.set_line(*std::move(line));
  for (Record& process : processes.records) {
    line = LineOf(request, clock_ahead_s, process);
    if (!line.ok()) return line.status();
    result.add_process_lines(*std::move(line));
  }
  RemoveSamples(record);
  *result.mutable_record() = std::move(record);
  return result;
}

// Compares as the submitter would here, and lays what the cluster knows over the report.
absl::StatusOr<TaskResult> Compare(const TaskRequest& request, const ComparisonPlan& comparison,
                                   const PlannedTask& task, const std::string& out,
                                   double clock_ahead_s) {
  const std::string path = out + "/comparison.json";
  // Programs start where the command was typed, as on the submitting machine.
  processes::ChildCommand command = {
      // One metric for all tasks, since their comparisons become one table; a person's own comes after.
      .arguments = {comparison.program(), "--metric=wall"},
      .environment = {"BUILD_WORKING_DIRECTORY=" + fs::current_path().string(), "TMPDIR=" + out}};
  for (const auto& words : {task.sides(), comparison.task_words()})
    command.arguments.insert(command.arguments.end(), words.begin(), words.end());
  // The last of a flag counts: what a person asked for beside the comparison is for the whole.
  for (const std::string& word :
       {absl::StrCat("--json=", path), std::string("--csv="), std::string("--plot=")})
    command.arguments.push_back(word);
  const absl::StatusOr<processes::ChildEnd> end =
      processes::RunChild(command, &CatchStopRequests().soon);
  if (!end.ok()) return end.status();
  const absl::StatusOr<std::string> text = tensor_files::ReadFile(path, kMostBytes);
  const Json report = Json::parse(text.value_or(""), nullptr, /*allow_exceptions=*/false);
  if (!report.is_object()) {
    return absl::UnavailableError(
        absl::StrCat("compare: ", processes::Describe(*end), "; it printed last\n", end->errors));
  }
  if (report.value("interrupted", true))
    return absl::AbortedError("the comparison was interrupted");
  const Json line = {{"label", task.label()},          {"node", request.node},
                     {"attempt", request.attempt},     {"job", request.job},
                     {"clock_ahead_s", clock_ahead_s}, {"comparison", report}};
  TaskResult result;
  result.set_line(line.dump());
  return result;
}

absl::Status CopyLogs(const std::string& from, const std::string& results) {
  std::error_code error;
  fs::copy(from + "/logs", results + "/logs",
           fs::copy_options::overwrite_existing | fs::copy_options::recursive, error);
  return error ? absl::UnavailableError(
                     absl::StrCat("cannot write into ", results, "/logs: ", error.message()))
               : absl::OkStatus();
}

}  // namespace

void AddToPlan(const PlannedTask& task, const std::string& results, std::vector<PlannedRun>& plan,
               RunPlace& place) {
  plan.push_back({.label = task.label(),
                  .case_name = task.case_name(),
                  .name = task.name(),
                  .flags = {task.flags().begin(), task.flags().end()},
                  .skip_reason = "",
                  .benchmark_case = task.benchmark_case(),
                  .task = task.number()});
  place.programs[task.label()] = {.path = absl::StrCat(results, "/", task.program()),
                                  .digest = task.program_digest()};
}

RunOptions OptionsOf(const TaskRun& run) {
  RunOptions options;
  options.build = run.build();
  options.timeout = absl::Seconds(run.timeout_s());
  options.memory_limit_bytes = run.memory_limit_bytes();
  options.cpus = {run.cpus().begin(), run.cpus().end()};
  options.numa_node = run.numa_node();
  options.processes = run.processes();
  options.shuffle_seed = run.shuffle_seed();
  options.no_lease = run.no_lease();
  options.variables = {run.variables().begin(), run.variables().end()};
  options.flags = {run.command_line().begin(), run.command_line().end()};
  options.dropped = {run.dropped().begin(), run.dropped().end()};
  return options;
}

TaskRun RunOf(const RunOptions& options) {
  TaskRun run;
  run.set_build(options.build);
  run.set_timeout_s(absl::ToDoubleSeconds(options.timeout));
  run.set_memory_limit_bytes(options.memory_limit_bytes);
  run.mutable_cpus()->Add(options.cpus.begin(), options.cpus.end());
  run.set_numa_node(options.numa_node);
  run.set_processes(options.processes);
  run.set_shuffle_seed(options.shuffle_seed);
  run.set_no_lease(options.no_lease);
  *run.mutable_variables() = {options.variables.begin(), options.variables.end()};
  *run.mutable_command_line() = {options.flags.begin(), options.flags.end()};
  run.mutable_dropped()->insert(options.dropped.begin(), options.dropped.end());
  return run;
}

int RunTask(const TaskRequest& request) {
  TaskFolder folder(request.folder);
  const absl::StatusOr<TaskRun> run = folder.ReadRun();
  if (!run.ok()) return NoResult(run.status().message());
  const absl::StatusOr<PlannedTask> task = folder.ReadTask(request.index);
  if (!task.ok()) return NoResult(task.status().message());
  // An attempt that ended well, though the cluster does not know it.
  if (folder.HasResult(request.index)) return 0;
  RunOptions options = OptionsOf(*run);
  std::error_code error;
  fs::current_path(run->working_folder(),
                   error);  // where it is not there, flags name no files of it

  std::vector<PlannedRun> plan;
  RunPlace place = {.suite_run = run->suite_run()};
  AddToPlan(*task, folder.results(), plan, place);
  // Without it the case would seem to crash.
  if (const std::string& program = place.programs[plan[0].label].path; !fs::exists(program, error))
    return NoResult(absl::StrCat("the staged program ", program, " is not there any more"));
  const DeviceType device = DeviceOf(plan[0].flags, options.build);
  const absl::StatusOr<std::string> machine =
      KeepMachine(folder.results(), MachineFor(device, options.variables));
  if (!machine.ok()) return NoResult(machine.status().message());
  TaskAttempt begun;
  begun.set_node(request.node);
  begun.set_machine(*machine);
  const absl::StatusOr<double> ahead_s =
      folder.WriteAttempt(request.index, request.attempt, std::move(begun));
  if (!ahead_s.ok()) return NoResult(ahead_s.status().message());

  const absl::StatusOr<TaskScratch> scratch = TaskScratch::Make();
  if (!scratch.ok()) return NoResult(scratch.status().message());
  options.out = scratch->path() + "/out";
  absl::StatusOr<TaskResult> result;
  if (run->has_comparison()) {
    result = Compare(request, run->comparison(), *task, scratch->path(), *ahead_s);
  } else {
    RunConfigurations(plan, options, place);
    result = ResultOf(request, options.out, *ahead_s);
  }
  if (!result.ok()) return NoResult(result.status().message());
  result->set_node(request.node);
  result->set_attempt(request.attempt);
  result->set_clock_ahead_s(*ahead_s);
  absl::Status written =
      run->has_comparison() ? absl::OkStatus() : CopyLogs(options.out, folder.results());
  if (written.ok()) written = folder.WriteResult(request.index, *result);
  return written.ok() ? 0 : NoResult(written.message());
}

}  // namespace assay::suite
