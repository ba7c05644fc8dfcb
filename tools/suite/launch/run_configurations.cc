#include "tools/suite/launch/run_configurations.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/record/outcome.h"
#include "tools/compare/order.h"
#include "tools/lease/device_lease.h"
#include "tools/output/progress_line.h"
#include "tools/processes/program_copies.h"
#include "tools/processes/program_stamp.h"
#include "tools/processes/workspace.h"
#include "tools/suite/launch/batch_search.h"
#include "tools/suite/launch/case_script.h"
#include "tools/suite/launch/configuration_launcher.h"
#include "tools/suite/launch/file_digests.h"
#include "tools/suite/launch/merged_record.h"
#include "tools/suite/launch/results_folder.h"
#include "tools/suite/launch/run_fingerprint.h"
#include "tools/suite/launch/secrets.h"
#include "tools/suite/launch/stop_requests.h"
#include "tools/suite/launch/suite_machine.h"
#include "tools/suite/launch/suite_report.h"
#include "tools/suite/launch/task_launcher.h"

namespace assay::suite {
namespace {

constexpr int kProduct = 1, kSurroundings = 2;

// A configuration and the state of its run.
struct Task {
  Startable startable = {};
  DeviceType device = CPU;
  Place place = {};
  std::vector<Record> parts = {};  // with several processes: their records
  double expected_s = -1;          // of one process; negative: unknown
  bool done = false;
  std::string lost = {};  // how a shared process ended while this ran
};

// Whether this record of an earlier run is kept, so that the configuration is not run again.
bool IsDone(const Record& record, const RunOptions& options) {
  const Outcome outcome = record.outcome();
  if (options.retry_flagged && !FlaggedBy(record).empty()) return false;
  // After an interruption, or on a disk that has room again, the same command is meant to finish the run.
  if (outcome == INTERRUPTED || outcome == RECORD_FAILED) return false;
  if (!options.retry_failed) return true;
  switch (outcome) {
    case CRASH:
    case TIMEOUT:
    case OUT_OF_MEMORY:
    case NO_DEVICE:
    case DEVICE_LOST:
    case FAIL_ARTIFACT:
    case ARTIFACT_UNAVAILABLE:
      return false;
    default:
      return true;
  }
}

// A key that is equal for configurations that can share a process: the runner, the flags that hold
// for a whole process, and whether others may use the device meanwhile.
std::string SharingKey(const std::vector<std::string>& command, const PlannedRun& c) {
  std::string key = absl::StrCat(command[0], lease::OnlyCompares(c.flags) ? " compares" : "");
  for (const std::string& flag : c.flags) {
    for (const std::string_view whole :
         {"--device=", "--threads=", "--allocator=", "--deterministic="}) {
      if (absl::StartsWith(flag, whole)) absl::StrAppend(&key, " ", flag);
    }
  }
  return key;
}

bool IsGood(Outcome outcome) { return record::ExitCode(outcome) == 0; }

// Estimates the remaining time from the last runs, or from the mean of this one's.
class Estimate {
 public:
  void Plan(double expected_s) {
    if (expected_s >= 0) {
      known_s_ += expected_s;
    } else {
      ++unknown_;
    }
  }
  // `times`: how many planned processes this was.
  void Done(double expected_s, double took_s, int times = 1) {
    took_s_ += took_s;
    runs_ += 1;
    if (expected_s >= 0) {
      known_s_ -= expected_s * times;
    } else {
      unknown_ -= times;
    }
  }
  double LeftSeconds() const {
    if (unknown_ > 0 && runs_ == 0) return -1;
    return std::max(known_s_, 0.0) + (unknown_ > 0 ? unknown_ * took_s_ / runs_ : 0);
  }

 private:
  double known_s_ = 0, took_s_ = 0;
  int unknown_ = 0, runs_ = 0;
};

class SuiteRunner {
 public:
  SuiteRunner(const std::vector<PlannedRun>& plan, const RunOptions& options, const RunPlace& place)
      : plan_(plan),
        place_(place),
        options_(WithCuda(options, plan)),
        stop_(CatchStopRequests()),
        terminal_(isatty(STDERR_FILENO) == 1),
        progress_(std::cerr, terminal_, start_) {
    SuiteRun& run = summary_.run;
    run.set_id(!place.suite_run.empty() ? place.suite_run : NewRunId(start_));
    run.set_started_utc(absl::FormatTime(absl::RFC3339_sec, start_, absl::UTCTimeZone()));
    const Secrets secrets = KnownSecrets(options.variables);
    for (const std::string& flag : secrets.Removed(options.flags)) run.add_flags(flag);
    run.set_planned(static_cast<int64_t>(plan.size()));
    run.mutable_dropped()->insert(options.dropped.begin(), options.dropped.end());
  }

  int Run() {
    if (plan_.empty()) return Complain("there is nothing to run", kSurroundings);
    auto folder = ResultsFolder::Open(std::filesystem::absolute(options_.out).string());
    if (!folder.ok()) return Complain(folder.status().message(), kSurroundings);
    folder_ = *std::move(folder);
    for (const std::string& note : folder_->notes()) Say(absl::StrCat("note      ", note));
    if (const absl::Status prepared = Prepare(); !prepared.ok()) {
      return Complain(prepared.message(), kSurroundings);
    }
    if (place_.launcher == nullptr) {
      RunAll();
    } else {
      RunElsewhere();
    }
    return Finish();
  }

 private:
  // CUDA's libraries belong to another build.
  static RunOptions WithCuda(RunOptions options, const std::vector<PlannedRun>& plan) {
    const bool cuda = std::any_of(plan.begin(), plan.end(), [&](const PlannedRun& c) {
      return c.skip_reason.empty() && DeviceOf(c.flags, options.build) == CUDA;
    });
    if (cuda && DeviceOf({}, options.build) == CPU) {
      options.build += " --config=cuda";
    }
    return options;
  }

  static int Complain(std::string_view text, int code) {
    std::cerr << "run_suite: " << text << "\n";
    return code;
  }

  void Say(std::string_view text) {
    progress_.Clear();
    std::cerr << text << "\n" << std::flush;
  }

  absl::Status Prepare() {
    absl::StatusOr<std::map<std::string, std::string>> programs = Build();
    if (!programs.ok()) return programs.status();
    std::map<DeviceType, Fingerprints> fingerprints;
    std::map<std::string, uint64_t> stamps;  // by program
    std::vector<Fingerprints> elsewhere;
    if (place_.launcher != nullptr) {
      for (const Environment& machine : place_.launcher->Machines(folder_->path())) {
        elsewhere.emplace_back(machine, options_, digests_);
      }
    }
    size_t name_width = 0;
    for (const PlannedRun& c : plan_) name_width = std::max(name_width, c.name.size());
    for (size_t i = 0; i < plan_.size(); ++i) {
      const PlannedRun& c = plan_[i];
      Task task{.startable = {.configuration = &c},
                .device = DeviceOf(c.flags, options_.build),
                .place = {.number = i + 1,
                          .of = plan_.size(),
                          .name = c.name,
                          .name_width = std::min<size_t>(name_width, 60)}};
      if (machines_.count(task.device) == 0) {
        machines_[task.device] = MachineFor(task.device, options_.variables);
        fingerprints.emplace(task.device, Fingerprints(machines_[task.device], options_, digests_));
      }
      if (c.skip_reason.empty()) {
        task.startable.program = programs->at(c.label);
        const auto [stamp, is_new] = stamps.try_emplace(task.startable.program);
        if (is_new) stamp->second = processes::StampOf(task.startable.program);
        task.startable.stamp = stamp->second;
      }
      absl::StatusOr<std::string> fingerprint =
          fingerprints.at(task.device).Of(c, task.startable.program);
      if (!fingerprint.ok()) return fingerprint.status();
      task.startable.fingerprint = *std::move(fingerprint);
      Recall(task);
      for (size_t machine = 0; machine < elsewhere.size() && !task.done; ++machine) {
        fingerprint = elsewhere[machine].Of(c, task.startable.program);
        if (!fingerprint.ok()) return fingerprint.status();
        TakeBefore(task, folder_->Find(*fingerprint));
      }
      if (absl::Status copied = CopyProgram(task); !copied.ok()) return copied;
      tasks_.push_back(std::move(task));
    }
    digests_.Save();
    return absl::OkStatus();
  }

  // Lets what runs here be a copy, which no build in the tree changes.
  absl::Status CopyProgram(Task& task) {
    Startable& startable = task.startable;
    // A cluster, or its task, has copies already.
    if (place_.launcher != nullptr || !place_.programs.empty()) return absl::OkStatus();
    if (task.done || startable.program.empty()) return absl::OkStatus();
    if (!copies_.has_value())
      copies_.emplace(folder_->path() + "/programs", "choose another folder with --out");
    absl::StatusOr<std::string> copy =
        copies_->Make(startable.program, startable.configuration->label, startable.stamp);
    if (!copy.ok()) return copy.status();
    startable.built = std::exchange(startable.program, *std::move(copy));
    startable.stamp = processes::StampOf(startable.program);
    return absl::OkStatus();
  }

  // Builds everything; the result is by label.
  absl::StatusOr<std::map<std::string, std::string>> Build() {
    std::set<std::string> needed;
    for (const PlannedRun& c : plan_) {
      if (c.skip_reason.empty()) needed.insert(c.label);
    }
    std::map<std::string, std::string> programs;
    for (const auto& [label, built] : place_.programs) {
      programs[label] = built.path;
      digests_.Know(built.path, built.digest);
    }
    if (needed.empty() || !programs.empty()) return programs;
    const char* root = std::getenv("BUILD_WORKSPACE_DIRECTORY");
    if (root == nullptr) {
      return absl::FailedPreconditionError(
          "cases are built in the tree that this was started in; start it with: "
          "tools/bazel run //tools:run_suite -- ...");
    }
    Say(absl::StrCat("building  ", needed.size(), " cases"));
    const std::vector<std::string> labels(needed.begin(), needed.end());
    processes::Workspace tree = processes::OpenFolder(root);
    for (const std::string& version : options_.libtorches) {
      if (absl::Status known = processes::UseLibTorch(version, tree); !known.ok()) return known;
    }
    const absl::StatusOr<std::vector<std::string>> built = processes::Build(
        tree, labels, absl::StrSplit(options_.build, ' ', absl::SkipEmpty()), &stop_.soon);
    if (!built.ok()) return built.status();
    for (size_t i = 0; i < labels.size(); ++i) programs[labels[i]] = (*built)[i];
    return programs;
  }

  // Takes over what the folder has about it.
  void Recall(Task& task) {
    task.expected_s = folder_->ElapsedSeconds(task.startable.configuration->label).value_or(-1);
    if (!place_.suite_run.empty() && place_.launcher != nullptr) {
      // Of this very run, on whatever machine.
      TakeBefore(task, folder_->FindTask(place_.suite_run, task.startable.configuration->task));
      return;
    }
    TakeBefore(task, folder_->Find(task.startable.fingerprint));
    if (task.done || options_.no_resume || options_.processes == 1) return;
    for (Record& record : folder_->Processes(task.startable.fingerprint)) {
      const bool enough = static_cast<int>(task.parts.size()) == options_.processes;
      if (IsGood(record.outcome()) && !enough) task.parts.push_back(std::move(record));
    }
  }

  void TakeBefore(Task& task, const Record* before) {
    if (before == nullptr || options_.no_resume || !IsDone(*before, options_)) return;
    task.done = true;
    summary_.run.set_done_before(summary_.run.done_before() + 1);
    Count(task, *before);
  }

  void Count(const Task& task, const Record& record) {
    ++summary_.outcomes[std::string(record::OutcomeName(record.outcome()))];
    codes_.insert(record::ExitCode(record.outcome()));
    const std::set<std::string> flags = FlaggedBy(record);
    if (!flags.empty()) ++summary_.flagged;
    for (const std::string& name : flags) ++summary_.flags[name];
    if (IsGood(record.outcome())) return;
    const std::string& output = record.launch().output();
    summary_.failures.push_back({.name = task.place.name,
                                 .outcome = record.outcome(),
                                 .error = record.error(),
                                 .log = output.empty() ? "" : options_.out + "/" + output});
  }

  void RunAll() {
    const ConfigurationLauncher launcher(options_, summary_.run.id(), stop_,
                                         [this](std::string_view text) { Say(text); });
    if (!launcher.memory_note().empty()) Say(launcher.memory_note());
    SayWhatIsDone();
    std::vector<size_t> open;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].done) continue;
      open.push_back(i);
      for (int process = static_cast<int>(tasks_[i].parts.size()); process < options_.processes;
           ++process) {
        estimate_.Plan(tasks_[i].expected_s);
      }
    }
    if (options_.in_process) RunShared(launcher, open);
    const compare::Order order(static_cast<uint64_t>(options_.shuffle_seed));
    for (int round = 0; round < options_.processes; ++round) {
      for (const size_t i : options_.processes == 1 ? open : order.Turns(open, round)) {
        // A configuration that was begun before has done its first rounds already.
        if (tasks_[i].done || static_cast<int>(tasks_[i].parts.size()) > round) continue;
        if (IsTimeToStop()) return;
        RunOne(launcher, tasks_[i]);
      }
    }
    for (const size_t i : open) Merge(tasks_[i]);
  }

  void SayWhatIsDone() {
    if (summary_.run.done_before() == 0) return;
    Say(absl::StrCat("going on  ", summary_.run.done_before(), " of ", plan_.size(),
                     " were done before; --no-resume runs them again"));
  }

  void RunElsewhere() {
    const ConfigurationLauncher here(options_, summary_.run.id(), stop_,
                                     [this](std::string_view text) { Say(text); });
    SayWhatIsDone();
    std::vector<RemoteRun> runs;
    for (Task& task : tasks_) {
      if (task.done) continue;
      const PlannedRun& c = *task.startable.configuration;
      if (!c.skip_reason.empty()) {
        RunOne(here, task);
        continue;
      }
      const int64_t number = c.task > 0 ? c.task : static_cast<int64_t>(task.place.number);
      by_number_[number] = &task;
      runs.push_back({.number = number,
                      .configuration = &c,
                      .program = task.startable.program,
                      .device = task.device});
    }
    if (runs.empty()) return;
    const absl::Status over = place_.launcher->Run(
        summary_.run.id(), runs, folder_->path(), options_, digests_, stop_,
        {.take = [this](const std::vector<RemoteResult>& results) { return Take(results); },
         .lost = [&](const LostRun& lost) { Lose(here, lost); },
         .say = [this](std::string_view text) { Say(text); },
         .progress = [this](std::string_view text) { ShowProgress(text); }});
    progress_.Clear();
    digests_.Save();
    if (!over.ok()) {
      summary_.stopped = over.message();
    } else if (stop_.soon) {
      summary_.stopped = "as was asked for (Ctrl-C); the same command goes on";
    }
  }

  absl::Status Take(const std::vector<RemoteResult>& results) {
    std::vector<std::string> lines, process_lines;
    for (const RemoteResult& result : results) {
      lines.push_back(result.line);
      process_lines.insert(process_lines.end(), result.process_lines.begin(),
                           result.process_lines.end());
    }
    absl::Status kept = folder_->AppendProcessLines(process_lines);
    if (kept.ok()) kept = folder_->AppendLines(lines);
    if (!kept.ok()) return kept;
    progress_.Clear();
    for (const RemoteResult& result : results) {
      TakeIn(*by_number_.at(result.number), result.record);
    }
    return absl::OkStatus();
  }

  void Lose(const ConfigurationLauncher& here, const LostRun& lost) {
    Task& task = *by_number_.at(lost.number);
    progress_.Clear();
    if (lost.outcome == OUTCOME_UNSPECIFIED) {
      summary_.missing.push_back({.name = task.place.name,
                                  .outcome = OUTCOME_UNSPECIFIED,
                                  .error = lost.reason,
                                  .log = ""});
      return;
    }
    const absl::StatusOr<std::string> fingerprint =
        Fingerprints(lost.machine, options_, digests_)
            .Of(*task.startable.configuration, task.startable.program);
    Record record =
        here.Unstarted(*task.startable.configuration, fingerprint.value_or(""), lost.machine);
    record.set_outcome(lost.outcome);
    record.set_error(lost.reason);
    record.mutable_launch()->set_task(lost.number);
    Keep(task, record);
  }

  bool IsTimeToStop() {
    if (stop_.soon) summary_.stopped = "as was asked for (Ctrl-C); the same command goes on";
    return !summary_.stopped.empty();
  }

  // Runs together the configurations that can share a process. Records that this leaves are kept; a
  // configuration without one is run alone later.
  void RunShared(const ConfigurationLauncher& launcher, const std::vector<size_t>& open) {
    std::vector<std::pair<std::string, std::vector<size_t>>> groups;  // in the plan's order
    std::map<size_t, std::vector<std::string>> commands;
    for (const size_t i : open) {
      const PlannedRun& c = *tasks_[i].startable.configuration;
      if (!c.skip_reason.empty() || AsksForBatchSearch(c.flags)) continue;
      commands[i] = CommandOfCase(tasks_[i].startable.program);
      if (commands[i].empty()) continue;
      const std::string key = SharingKey(commands[i], c);
      auto group = std::find_if(groups.begin(), groups.end(),
                                [&](const auto& known) { return known.first == key; });
      if (group == groups.end()) group = groups.insert(group, {key, {}});
      group->second.push_back(i);
    }
    for (size_t g = 0; g < groups.size() && !IsTimeToStop(); ++g) {
      const std::vector<size_t>& members = groups[g].second;
      if (members.size() < 2) continue;
      std::vector<SharedRun> runs;
      for (const size_t i : members) {
        runs.push_back({.startable = tasks_[i].startable, .command = commands[i]});
      }
      const std::string name = absl::StrCat("in_process-", g + 1);
      ShowProgress(name);
      RunGroup(launcher, runs, members, name);
    }
  }

  void RunGroup(const ConfigurationLauncher& launcher, const std::vector<SharedRun>& runs,
                const std::vector<size_t>& members, const std::string& name) {
    const absl::Status ended = launcher.RunShared(
        runs, machines_[tasks_[members[0]].device], name, *folder_,
        {.ended =
             [&](size_t number, const Record& record) {
               Task& task = tasks_[members[number]];
               progress_.Clear();
               if (record.outcome() == DEVICE_LOST) summary_.stopped = "the device was lost";
               estimate_.Done(task.expected_s, record.launch().elapsed_s());
               Keep(task, record);
               ShowProgress(name);
               return summary_.stopped.empty();
             },
         .lost =
             [&](size_t number, const std::string& how) {
               Task& task = tasks_[members[number]];
               task.lost = absl::StrCat("the process that it shared ended while it ran: ", how);
               Say(absl::StrCat(task.place.name, ": ", task.lost, "; it is run again alone"));
             }});
    progress_.Clear();
    if (!ended.ok() && !absl::IsCancelled(ended))
      Say(absl::StrCat(name, ": ", ended.message(), "; what is left is run alone"));
  }

  void RunOne(const ConfigurationLauncher& launcher, Task& task) {
    const PlannedRun& c = *task.startable.configuration;
    const Environment& machine = machines_[task.device];
    if (!c.skip_reason.empty()) {
      Record record = launcher.Unstarted(c, task.startable.fingerprint, machine);
      record.set_outcome(SKIPPED_DECLARED);
      record.set_error(c.skip_reason);
      return Keep(task, record);
    }
    if (AsksForBatchSearch(c.flags)) {
      if (FindBatch(launcher, task)) RunProcess(launcher, task);
      return;
    }
    RunProcess(launcher, task);
  }

  // Whether its batch is known now. If not, the result of the search has been kept.
  bool FindBatch(const ConfigurationLauncher& launcher, Task& task) {
    const PlannedRun& asked = *task.startable.configuration;
    Record failed = launcher.Unstarted(asked, task.startable.fingerprint, machines_[task.device]);
    const auto fits = [&](int64_t batch) -> absl::StatusOr<bool> {
      if (stop_.soon) return absl::CancelledError("");
      PlannedRun tried = asked;
      tried.flags = TryFlags(asked.flags, batch);
      Startable startable = task.startable;
      startable.configuration = &tried;
      const std::string name = absl::StrCat(asked.name, ".batch-", batch);
      ShowProgress(name);
      absl::StatusOr<Record> record =
          launcher.Run(startable, machines_[task.device], name, *folder_);
      if (!record.ok()) return record.status();
      if (record->outcome() == OUT_OF_MEMORY) return false;
      if (IsGood(record->outcome())) return true;
      failed = *std::move(record);
      return absl::AbortedError(failed.error());
    };
    const absl::StatusOr<int64_t> batch =
        task.parts.empty() ? LargestBatch(std::max<int64_t>(asked.benchmark_case.batch(), 1), fits)
                           : absl::StatusOr<int64_t>(task.parts[0].workload().batch());
    progress_.Clear();
    if (batch.ok()) {
      Say(absl::StrCat(asked.name, ": the largest batch that fits is ", *batch));
      found_.push_back(asked);
      found_.back().flags = WithBatch(asked.flags, *batch);
      task.startable.configuration = &found_.back();
      return true;
    }
    if (absl::IsNotFound(batch.status())) {
      failed.set_outcome(OUT_OF_MEMORY);
      failed.set_error(std::string(batch.status().message()));
    }
    if (failed.outcome() != OUTCOME_UNSPECIFIED) {
      Keep(task, failed);
    } else if (!absl::IsCancelled(batch.status())) {
      summary_.stopped = batch.status().message();
    }
    return false;
  }

  void ShowProgress(std::string_view doing) {
    progress_.Show(SuiteProgressText(Done(), plan_.size(), estimate_.LeftSeconds(), doing),
                   absl::Now());
  }

  void RunProcess(const ConfigurationLauncher& launcher, Task& task) {
    const PlannedRun& c = *task.startable.configuration;
    const Environment& machine = machines_[task.device];
    const bool several = options_.processes > 1;
    const std::string name = several ? absl::StrCat(c.name, ".p", task.parts.size() + 1) : c.name;
    ShowProgress(name);
    absl::StatusOr<Record> record = launcher.Run(task.startable, machine, name, *folder_);
    progress_.Clear();
    if (!record.ok()) {
      // Cancelled: Ctrl-C came while it waited for a device; the next turn sees it.
      if (!absl::IsCancelled(record.status())) summary_.stopped = record.status().message();
      return;
    }
    if (record->outcome() == DEVICE_LOST) summary_.stopped = "the device was lost";
    if (!task.lost.empty() && record->error().empty())
      record->set_error(absl::StrCat(task.lost, "; this is of a process of its own"));
    const bool over = !several || !IsGood(record->outcome());
    estimate_.Done(task.expected_s, record->launch().elapsed_s(),
                   over ? options_.processes - static_cast<int>(task.parts.size()) : 1);
    if (!several) return Keep(task, *record);
    record->set_repetition(static_cast<int64_t>(task.parts.size()) + 1);
    if (const absl::Status kept = folder_->AppendProcess(*record); !kept.ok()) {
      summary_.stopped = kept.message();
      return;
    }
    if (record->outcome() == INTERRUPTED) return;
    task.parts.push_back(*std::move(record));
    if (over) Merge(task);
  }

  // Merges the records of all processes into one; if one failed, of those that were run.
  void Merge(Task& task) {
    if (task.done || options_.processes == 1 || task.parts.empty()) return;
    const bool failed = !IsGood(task.parts.back().outcome());
    if (!failed && static_cast<int>(task.parts.size()) < options_.processes) return;
    Record merged = MergedRecord(task.parts, options_.processes);
    merged.mutable_launch()->set_suite_run(summary_.run.id());
    Keep(task, merged);
  }

  void Keep(Task& task, const Record& record) {
    if (const absl::Status kept = folder_->Append(record); !kept.ok()) {
      summary_.stopped = kept.message();
      return;
    }
    TakeIn(task, record);
  }

  // A record that is in the folder now.
  void TakeIn(Task& task, const Record& record) {
    // An interrupted one is not done, but its measurements are kept.
    task.done = record.outcome() != INTERRUPTED;
    task.parts.clear();
    (*summary_.run.mutable_outcomes())[std::string(record::OutcomeName(record.outcome()))] += 1;
    Count(task, record);
    std::cout << ResultLine(task.place, record) << std::flush;
  }

  size_t Done() const {
    return std::count_if(tasks_.begin(), tasks_.end(), [](const Task& t) { return t.done; });
  }

  int Finish() {
    SuiteRun& run = summary_.run;
    run.set_complete(Done() == tasks_.size());
    run.set_duration_s(absl::ToDoubleSeconds(base::SteadyNow() - steady_start_));
    if (const absl::Status kept = folder_->Append(run); !kept.ok() && summary_.stopped.empty()) {
      summary_.stopped = kept.message();
    }
    summary_.results = folder_->results();
    std::cout << SummaryText(summary_) << std::flush;
    if (!run.complete() || !summary_.stopped.empty()) codes_.insert(kSurroundings);
    if (!std::cout) {
      codes_.insert(
          Complain("cannot write standard output; the results are complete", kSurroundings));
    }
    for (const int code : {kProduct, kSurroundings}) {
      if (codes_.count(code) > 0) return code;
    }
    return 0;
  }

  const std::vector<PlannedRun>& plan_;
  const RunPlace& place_;
  const RunOptions options_;
  FileDigests digests_{DigestCacheFile()};
  const StopRequests& stop_;
  const absl::Time start_ = absl::Now();
  const absl::Duration steady_start_ = base::SteadyNow();
  const bool terminal_;
  output::ProgressLine progress_;
  std::unique_ptr<ResultsFolder> folder_;
  std::optional<processes::ProgramCopies> copies_;  // within the folder, which it ends before
  std::map<DeviceType, Environment> machines_;
  std::vector<Task> tasks_;
  std::map<int64_t, Task*> by_number_;  // of those that run elsewhere
  std::deque<PlannedRun> found_;        // with a found batch; tasks point to them
  Estimate estimate_;
  SuiteSummary summary_;
  std::set<int> codes_;
};

}  // namespace

std::string NewRunId(absl::Time start) {
  // Shards that start together, in containers where each has the same process number, have ids of their own.
  std::random_device random;
  return absl::StrCat(absl::FormatTime("%Y%m%dT%H%M%SZ", start, absl::UTCTimeZone()), "-",
                      absl::Hex(random(), absl::kZeroPad8), absl::Hex(random(), absl::kZeroPad8));
}

int RunConfigurations(const std::vector<PlannedRun>& plan, const RunOptions& options,
                      const RunPlace& place) {
  return SuiteRunner(plan, options, place).Run();
}

}  // namespace assay::suite
