#include "tools/suite/launch/remote_launcher.h"

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "defs/proto/record.pb.h"
#include "tools/suite/launch/local_launcher.h"
#include "tools/suite/launch/processes/run_fingerprint.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

void RemoteLauncher::Run(Ledger& ledger) {
  const std::vector<RemoteRun> runs = Open(ledger);
  if (runs.empty()) return;
  const absl::Status over = cluster_.Run(
      ledger.suite_run(), runs, ledger.folder().path(), options_, digests_, stop_,
      {.take = [&](const std::vector<RemoteResult>& results) { return Take(results, ledger); },
       .lost = [&](const LostRun& lost) { Lose(lost, ledger); },
       .say = [&](std::string_view text) { ledger.Say(text); },
       .progress = [&](std::string_view text) { ledger.ShowProgress(text); }});
  ledger.ClearProgress();
  digests_.Save();
  if (!over.ok()) ledger.Stop(over.message());
  ledger.IsTimeToStop();
}

std::vector<RemoteRun> RemoteLauncher::Open(Ledger& ledger) {
  std::vector<RemoteRun> runs;
  for (Task& task : ledger.tasks()) {
    if (task.done) continue;
    const PlannedRun& c = *task.startable.configuration;
    if (!c.skip_reason.empty()) {
      KeepSkipped(processes_, task, ledger);
      continue;
    }
    const int64_t number = c.task > 0 ? c.task : static_cast<int64_t>(task.place.number);
    by_number_[number] = &task;
    runs.push_back({.number = number,
                    .configuration = &c,
                    .program = task.startable.program,
                    .device = task.device});
  }
  return runs;
}

absl::Status RemoteLauncher::Take(const std::vector<RemoteResult>& results, Ledger& ledger) const {
  std::vector<std::string> lines, process_lines;
  for (const RemoteResult& result : results) {
    lines.push_back(result.line);
    process_lines.insert(process_lines.end(), result.process_lines.begin(),
                         result.process_lines.end());
  }
  absl::Status kept = ledger.folder().AppendProcessLines(process_lines);
  if (kept.ok()) kept = ledger.folder().AppendLines(lines);
  if (!kept.ok()) return kept;
  ledger.ClearProgress();
  for (const RemoteResult& result : results)
    ledger.TakeIn(*by_number_.at(result.number), result.record);
  return absl::OkStatus();
}

void RemoteLauncher::Lose(const LostRun& lost, Ledger& ledger) const {
  Task& task = *by_number_.at(lost.number);
  ledger.ClearProgress();
  if (lost.outcome == OUTCOME_UNSPECIFIED) return ledger.Miss(task, lost.reason);
  const PlannedRun& c = *task.startable.configuration;
  const absl::StatusOr<std::string> fingerprint =
      Fingerprints(lost.machine, options_, digests_).Of(c, task.startable.program);
  Record record = processes_.Unstarted(c, fingerprint.value_or(""), lost.machine);
  record.set_outcome(lost.outcome);
  record.set_error(lost.reason);
  record.mutable_launch()->set_task(lost.number);
  ledger.Keep(task, record);
}

}  // namespace assay::suite
