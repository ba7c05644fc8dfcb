#include "tools/suite/launch/ledger.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/record/outcome.h"
#include "tools/suite/launch/processes/merged_record.h"
#include "tools/suite/launch/processes/secrets.h"

namespace assay::suite {
namespace {

constexpr std::string_view kInterrupted = "as was asked for (Ctrl-C); the same command goes on";

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

}  // namespace

bool IsGood(Outcome outcome) { return record::ExitCode(outcome) == 0; }

void TimeLeft::Expect(double expected_s) {
  if (expected_s >= 0) {
    known_s_ += expected_s;
  } else {
    ++unknown_;
  }
}

void TimeLeft::Done(double expected_s, double took_s, int times) {
  took_s_ += took_s;
  runs_ += 1;
  if (expected_s >= 0) {
    known_s_ -= expected_s * times;
  } else {
    unknown_ -= times;
  }
}

double TimeLeft::Seconds() const {
  if (unknown_ > 0 && runs_ == 0) return -1;
  return std::max(known_s_, 0.0) + (unknown_ > 0 ? unknown_ * took_s_ / runs_ : 0);
}

Ledger::Ledger(const RunOptions& options, const std::string& suite_run, size_t planned,
               ResultsFolder& folder, const StopRequests& stop)
    : options_(options),
      folder_(folder),
      stop_(stop),
      progress_(std::cerr, isatty(STDERR_FILENO) == 1, start_),
      planned_(planned) {
  SuiteRun& run = summary_.run;
  run.set_id(suite_run);
  run.set_started_utc(absl::FormatTime(absl::RFC3339_sec, start_, absl::UTCTimeZone()));
  const Secrets secrets = KnownSecrets(options.variables);
  for (const std::string& flag : secrets.Removed(options.flags)) run.add_flags(flag);
  run.set_planned(static_cast<int64_t>(planned));
  run.mutable_dropped()->insert(options.dropped.begin(), options.dropped.end());
}

void Ledger::Recall(Task& task) {
  task.expected_s = folder_.ElapsedSeconds(task.startable.configuration->label).value_or(-1);
  TakeBefore(task, folder_.Find(task.startable.fingerprint));
  if (task.done || options_.no_resume || options_.processes == 1) return;
  for (Record& record : folder_.Processes(task.startable.fingerprint)) {
    const bool enough = static_cast<int>(task.parts.size()) == options_.processes;
    if (IsGood(record.outcome()) && !enough) task.parts.push_back(std::move(record));
  }
}

void Ledger::RecallOfRun(Task& task) {
  task.expected_s = folder_.ElapsedSeconds(task.startable.configuration->label).value_or(-1);
  TakeBefore(task, folder_.FindTask(suite_run(), task.startable.configuration->task));
}

void Ledger::TakeBefore(Task& task, const Record* before) {
  if (before == nullptr || options_.no_resume || !IsDone(*before, options_)) return;
  task.done = true;
  summary_.run.set_done_before(summary_.run.done_before() + 1);
  Count(task, *before);
}

void Ledger::Count(const Task& task, const Record& record) {
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

void Ledger::Keep(Task& task, const Record& record) {
  if (const absl::Status kept = folder_.Append(record); !kept.ok()) return Stop(kept.message());
  TakeIn(task, record);
}

void Ledger::KeepPart(Task& task, Record record) {
  record.set_repetition(static_cast<int64_t>(task.parts.size()) + 1);
  if (const absl::Status kept = folder_.AppendProcess(record); !kept.ok())
    return Stop(kept.message());
  if (record.outcome() == INTERRUPTED) return;
  const bool over = !IsGood(record.outcome());
  task.parts.push_back(std::move(record));
  if (over) Merge(task);
}

void Ledger::Merge(Task& task) {
  if (task.done || options_.processes == 1 || task.parts.empty()) return;
  const bool failed = !IsGood(task.parts.back().outcome());
  if (!failed && static_cast<int>(task.parts.size()) < options_.processes) return;
  Record merged = MergedRecord(task.parts, options_.processes);
  merged.mutable_launch()->set_suite_run(suite_run());
  Keep(task, merged);
}

void Ledger::TakeIn(Task& task, const Record& record) {
  // An interrupted one is not done, but its measurements are kept.
  task.done = record.outcome() != INTERRUPTED;
  task.parts.clear();
  (*summary_.run.mutable_outcomes())[std::string(record::OutcomeName(record.outcome()))] += 1;
  Count(task, record);
  std::cout << ResultLine(task.place, record) << std::flush;
}

void Ledger::Miss(const Task& task, const std::string& reason) {
  summary_.missing.push_back(
      {.name = task.place.name, .outcome = OUTCOME_UNSPECIFIED, .error = reason, .log = ""});
}

void Ledger::Say(std::string_view text) {
  progress_.Clear();
  std::cerr << text << "\n" << std::flush;
}

void Ledger::SayWhatIsDone() {
  if (summary_.run.done_before() == 0) return;
  Say(absl::StrCat("going on  ", summary_.run.done_before(), " of ", planned_,
                   " were done before; --no-resume runs them again"));
}

void Ledger::ExpectAll() {
  for (const Task& task : tasks_) {
    if (task.done) continue;
    for (int process = static_cast<int>(task.parts.size()); process < options_.processes; ++process)
      time_left_.Expect(task.expected_s);
  }
}

void Ledger::ShowProgress(std::string_view doing) {
  progress_.Show(output::ProgressText(Done(), planned_, time_left_.Seconds(), doing), absl::Now());
}

void Ledger::Stop(std::string_view why) {
  if (!IsStopped()) summary_.stopped = why;
}

bool Ledger::IsTimeToStop() {
  if (stop_.soon) Stop(kInterrupted);
  return IsStopped();
}

size_t Ledger::Done() const {
  return std::count_if(tasks_.begin(), tasks_.end(), [](const Task& t) { return t.done; });
}

int Ledger::Finish() {
  SuiteRun& run = summary_.run;
  run.set_complete(Done() == tasks_.size());
  run.set_duration_s(absl::ToDoubleSeconds(base::SteadyNow() - steady_start_));
  if (const absl::Status kept = folder_.Append(run); !kept.ok()) Stop(kept.message());
  summary_.results = folder_.results();
  std::cout << SummaryText(summary_) << std::flush;
  if (!run.complete() || IsStopped()) codes_.insert(base::kSurroundings);
  if (!std::cout) {
    codes_.insert(base::Fail("run_suite", "cannot write standard output; the results are complete",
                             base::kSurroundings));
  }
  for (const int code : {base::kProductWrong, base::kSurroundings}) {
    if (codes_.count(code) > 0) return code;
  }
  return 0;
}

}  // namespace assay::suite
