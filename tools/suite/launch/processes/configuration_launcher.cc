#include "tools/suite/launch/processes/configuration_launcher.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/environment/secret_names.h"
#include "benchmarks/harness/processes/command_lines.h"
#include "benchmarks/harness/processes/series.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/harness/text/shell_text.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "tools/processes/program_stamp.h"
#include "tools/suite/launch/processes/shared_records.h"
#include "tools/suite/launch/processes/suite_machine.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

using processes::CaseProcess;
using processes::ChildCommand;
using processes::ChildEnd;
using processes::Ending;

// The variables that are set for a process, without values that look secret.
std::vector<std::pair<std::string, std::string>> Shown(const std::vector<std::string>& variables) {
  std::vector<std::pair<std::string, std::string>> shown;
  for (const std::string& variable : variables) {
    std::pair<std::string, std::string> parts = absl::StrSplit(variable, absl::MaxSplits('=', 1));
    if (environment::IsSecretName(parts.first)) parts.second = "***";
    shown.push_back(std::move(parts));
  }
  return shown;
}

std::vector<std::string> Joined(std::vector<std::string> words,
                                const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The first line of a log: the command.
std::string CommandLine(const ChildCommand& command) {
  std::vector<std::string> words;
  for (const auto& [name, value] : Shown(command.environment)) {
    words.push_back(absl::StrCat(name, "=", base::ShellWord(value)));
  }
  for (const std::string& word : command.arguments) words.push_back(base::ShellWord(word));
  return absl::StrCat("$ ", absl::StrJoin(words, " "), "\n");
}

// The command for a person, who has the build's program and not its copy.
ChildCommand AsBuilt(ChildCommand command, const Startable& startable) {
  if (startable.built.empty()) return command;
  std::replace(command.arguments.begin(), command.arguments.end(), startable.program,
               startable.built);
  return command;
}

// The command lines of a series, each with the path of its record.
processes::CommandLines CommandsOf(const std::vector<SharedRun>& runs,
                                   const std::vector<std::string>& records) {
  processes::CommandLines lines;
  for (size_t i = 0; i < runs.size(); ++i) {
    lines.push_back(Joined({runs[i].command.begin() + 1, runs[i].command.end()},
                           runs[i].startable.configuration->flags));
    lines.back().push_back("--record=" + records[i]);
  }
  return lines;
}

absl::StatusOr<int> RunSeriesOf(const ChildCommand& command, const std::string& journal,
                                const std::atomic<bool>& stop, LostRuns& lost) {
  return processes::RunSeries(
      journal,
      [&](int64_t first) {
        ChildCommand child = command;
        child.arguments.push_back(absl::StrCat("--series-first=", first));
        return child;
      },
      [&](const processes::LostItem& item) {
        // An interrupted process has written what it measured.
        if (item.end.ending != Ending::kInterrupted)
          lost.Add(static_cast<size_t>(item.item), item.end);
      },
      &stop);
}

}  // namespace

ConfigurationLauncher::ConfigurationLauncher(const RunOptions& options,
                                             const std::string& suite_run, const StopRequests& stop,
                                             std::function<void(std::string_view)> say)
    : options_(options),
      suite_run_(suite_run),
      stop_(stop),
      say_(std::move(say)),
      secrets_(KnownSecrets(options.variables)) {
  if (options.memory_limit_bytes == 0) return;
  absl::StatusOr<MemoryGroup> group = MemoryGroup::Make(options.memory_limit_bytes);
  const std::string limit = base::ByteText(options.memory_limit_bytes);
  if (group.ok()) {
    memory_note_ = absl::StrCat("memory    ", limit, " for each process, by the control group ",
                                group->folder());
    memory_group_.emplace(*std::move(group));
  } else {
    memory_note_ =
        absl::StrCat("memory    ", limit,
                     " of its own for each process (RLIMIT_DATA): ", group.status().message());
  }
}

std::string ConfigurationLauncher::ErrorText(const std::string& message) const {
  std::vector<std::string> lines;
  for (const std::string_view line : absl::StrSplit(secrets_.Removed(message), '\n')) {
    lines.push_back(base::Printable(line, 400));
  }
  return absl::StrJoin(lines, "\n");
}

// The command with the limits of the options.
ChildCommand ConfigurationLauncher::CommandOf(const std::vector<std::string>& words) const {
  ChildCommand command;
  if (options_.numa_node >= 0) {
    command.arguments = {"numactl", absl::StrCat("--cpunodebind=", options_.numa_node),
                         absl::StrCat("--membind=", options_.numa_node), "--"};
  }
  command.arguments.insert(command.arguments.end(), words.begin(), words.end());
  command.environment = options_.variables;
  command.folder = fs::current_path().string();
  command.timeout = options_.timeout;
  command.grace = absl::Seconds(5);
  command.limits.cpus = options_.cpus;
  if (memory_group_.has_value()) {
    command.limits.control_group = memory_group_->folder();
  } else {
    command.limits.data_bytes = options_.memory_limit_bytes;
  }
  return command;
}

absl::StatusOr<std::optional<lease::DeviceLease>> ConfigurationLauncher::Lease(
    const Startable& startable, const std::string& name) const {
  if (options_.no_lease || std::getenv(lease::kHeldVariable) != nullptr) return std::nullopt;
  const std::vector<std::string>& flags = startable.configuration->flags;
  lease::LeaseRequest request{.shared = lease::OnlyCompares(flags), .who = name};
  if (DeviceOf(flags, options_.build) == CUDA) {
    if (gpu_names_.empty()) gpu_names_ = lease::DevicesOf({"--device=cuda"}, {});
    request.devices = gpu_names_;
  } else {
    request.devices = lease::CpuNames(options_.cpus);
  }
  absl::StatusOr<std::string> folder = lease::LeaseFolder();
  if (!folder.ok()) return folder.status();
  request.folder = *std::move(folder);
  absl::StatusOr<lease::DeviceLease> lease = lease::DeviceLease::Take(request, &stop_.soon, say_);
  if (!lease.ok()) return lease.status();
  return *std::move(lease);
}

CaseProcess ConfigurationLauncher::Started(const Startable& startable, ChildCommand command,
                                           const std::string& record_path) const {
  const auto changed = [&] { return processes::StampOf(startable.program) != startable.stamp; };
  CaseProcess process;
  if (!changed()) process = RunCase(std::move(command), record_path, &stop_.now);
  if (changed()) {
    process = {.outcome = RECORD_FAILED,
               .message = absl::StrCat(startable.program,
                                       " is another program than when this suite began (a build "
                                       "in the same tree?); run the suite again"),
               .end = process.end};
  }
  std::error_code ignored;
  fs::remove(record_path, ignored);
  return process;
}

void ConfigurationLauncher::AddLaunch(const Startable& startable, const ChildCommand& command,
                                      const ChildEnd& end, Record& record) const {
  Launch& launch = *record.mutable_launch();
  launch.set_fingerprint(startable.fingerprint);
  launch.set_suite_run(suite_run_);
  launch.set_task(startable.configuration->task);
  const std::vector<std::string> words = AsBuilt(command, startable).arguments;
  for (const std::string& word : secrets_.Removed(words)) launch.add_command(word);
  for (const auto& [name, value] : Shown(command.environment)) {
    (*launch.mutable_variables())[name] = value;
  }
  launch.set_elapsed_s(absl::ToDoubleSeconds(end.elapsed));
  // A process that this program ended may still have exited by itself, with a code.
  const bool by_signal = end.ending == Ending::kKilled;
  if (!by_signal) launch.set_exit_code(end.code);
  const char* const signal = by_signal ? sigabbrev_np(end.code) : nullptr;
  if (signal != nullptr) launch.set_signal(absl::StrCat("SIG", signal));
  launch.set_memory_limit_bytes(options_.memory_limit_bytes);
  launch.set_peak_bytes(end.peak_bytes);
  launch.mutable_cpus()->Add(options_.cpus.begin(), options_.cpus.end());
}

Record ConfigurationLauncher::Unstarted(const PlannedRun& configuration,
                                        const std::string& fingerprint,
                                        const Environment& machine) const {
  Record record;
  record.set_schema_version(2);
  *record.mutable_benchmark_case() = configuration.benchmark_case;
  record.mutable_benchmark_case()->set_label(configuration.label);
  record.mutable_benchmark_case()->set_name(configuration.case_name);
  record.set_device(DeviceOf(configuration.flags, options_.build));
  *record.mutable_environment() = machine;
  for (const std::string& flag : secrets_.Removed(configuration.flags)) record.add_flags(flag);
  record.set_started_utc(absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone()));
  record.mutable_launch()->set_fingerprint(fingerprint);
  record.mutable_launch()->set_suite_run(suite_run_);
  record.mutable_launch()->set_task(configuration.task);
  secrets_.RemoveFrom(record);
  return record;
}

absl::StatusOr<Record> ConfigurationLauncher::Run(const Startable& startable,
                                                  const Environment& machine,
                                                  const std::string& name,
                                                  ResultsFolder& folder) const {
  ChildCommand command = CommandOf(Joined({startable.program}, startable.configuration->flags));
  const absl::StatusOr<std::string> log = folder.NewLog(name);
  if (!log.ok()) return log.status();
  command.log = absl::StrCat(folder.path(), "/", *log);
  std::ofstream(command.log) << secrets_.Removed(CommandLine(AsBuilt(command, startable)));
  const auto lease = Lease(startable, name);
  if (!lease.ok()) return lease.status();

  CaseProcess process = Started(startable, command, folder.NewRecordPath());
  return RecordOf(startable, std::move(process), command, *log, machine);
}

Record ConfigurationLauncher::RecordOf(const Startable& startable, CaseProcess process,
                                       const ChildCommand& command, const std::string& log,
                                       const Environment& machine) const {
  Record record = Unstarted(*startable.configuration, startable.fingerprint, machine);
  if (process.HasRecord()) {
    record = std::move(process.record);
    // The flag for the record's path says nothing about the run.
    while (record.flags_size() > 0 &&
           absl::StartsWith(record.flags(record.flags_size() - 1), "--record=")) {
      record.mutable_flags()->RemoveLast();
    }
  } else {
    record.set_duration_s(absl::ToDoubleSeconds(process.end.elapsed));
  }
  record.set_outcome(process.outcome == OUTCOME_UNSPECIFIED ? CRASH : process.outcome);
  if (!process.message.empty()) record.set_error(ErrorText(process.message));
  AddLaunch(startable, command, process.end, record);
  record.mutable_launch()->set_output(log);
  secrets_.RemoveFrom(record);
  return record;
}

absl::Status ConfigurationLauncher::RunShared(const std::vector<SharedRun>& runs,
                                              const Environment& machine, const std::string& name,
                                              ResultsFolder& folder, const SharedEnds& ends) const {
  const absl::StatusOr<std::string> log = folder.NewLog(name);
  if (!log.ok()) return log.status();
  const auto lease = Lease(runs[0].startable, name);
  if (!lease.ok()) return lease.status();

  std::vector<std::string> records;
  for (size_t i = 0; i < runs.size(); ++i) records.push_back(folder.NewRecordPath());
  const std::string series = folder.NewRecordPath() + ".series", journal = series + ".journal";
  const auto withdraw = [&series] { std::remove(series.c_str()); };
  const absl::Status written = tensor_files::WriteFileAtomically(
      series, processes::CommandLinesText(CommandsOf(runs, records)));
  if (!written.ok()) return written;
  ChildCommand command =
      CommandOf({runs[0].command[0], "--series=" + series,
                 absl::StrCat("--series-timeout=", absl::ToDoubleSeconds(options_.timeout))});
  command.timeout = absl::InfiniteDuration();  // each run has its own
  command.log = absl::StrCat(folder.path(), "/", *log);
  std::ofstream(command.log) << secrets_.Removed(CommandLine(command));

  LostRuns lost;
  std::future<absl::StatusOr<int>> over = std::async(
      std::launch::async, [&] { return RunSeriesOf(command, journal, stop_.now, lost); });
  std::vector<Startable> startables;
  for (const SharedRun& run : runs) startables.push_back(run.startable);
  SharedRecords left(startables, records, lost);
  const auto take = [&](bool all) {
    left.Take(all, [&](size_t i, const ChildEnd& end, const record::RecordFile& file) {
      const Startable& startable = runs[i].startable;
      const ChildCommand alone =
          CommandOf(Joined({startable.program}, startable.configuration->flags));
      Record record = RecordOf(startable, processes::Judge(end, file), alone, *log, machine);
      record.mutable_launch()->set_shared(true);
      if (!ends.ended(i, record)) withdraw();
    });
  };
  for (int i = 1; over.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready; ++i) {
    if (stop_.soon) withdraw();
    if (i % 10 == 0) take(/*all=*/false);  // rarely, since others are being timed meanwhile
  }
  take(/*all=*/true);
  withdraw();
  std::remove(journal.c_str());
  for (const auto& [number, end] : lost.All()) ends.lost(number, Describe(end));
  return over.get().status();
}

}  // namespace assay::suite
