#include "tools/suite/launch/local_launcher.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "defs/proto/record.pb.h"
#include "tools/compare/decision/order.h"
#include "tools/suite/launch/processes/batch_search.h"

namespace assay::suite {

void KeepSkipped(const ConfigurationLauncher& processes, Task& task, Ledger& ledger) {
  const PlannedRun& c = *task.startable.configuration;
  Record record = processes.Unstarted(c, task.startable.fingerprint, *task.machine);
  record.set_outcome(SKIPPED_DECLARED);
  record.set_error(c.skip_reason);
  ledger.Keep(task, record);
}

void LocalLauncher::Run(Ledger& ledger) {
  std::vector<Task>& tasks = ledger.tasks();
  std::vector<size_t> open;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i].done) open.push_back(i);
  }
  const compare::Order order(static_cast<uint64_t>(options_.shuffle_seed));
  for (int round = 0; round < options_.processes; ++round) {
    for (const size_t i : options_.processes == 1 ? open : order.Turns(open, round)) {
      // A configuration that was begun before has done its first rounds already.
      if (tasks[i].done || static_cast<int>(tasks[i].parts.size()) > round) continue;
      if (ledger.IsTimeToStop()) return;
      RunTask(tasks[i], ledger);
    }
  }
  for (const size_t i : open) ledger.Merge(tasks[i]);
}

void LocalLauncher::RunTask(Task& task, Ledger& ledger) {
  const PlannedRun& c = *task.startable.configuration;
  if (!c.skip_reason.empty()) return KeepSkipped(processes_, task, ledger);
  if (AsksForBatchSearch(c.flags) && !FindBatch(task, ledger)) return;
  RunProcess(task, ledger);
}

bool LocalLauncher::FindBatch(Task& task, Ledger& ledger) {
  const PlannedRun& asked = *task.startable.configuration;
  Record failed = processes_.Unstarted(asked, task.startable.fingerprint, *task.machine);
  const auto fits = [&](int64_t batch) -> absl::StatusOr<bool> {
    if (stop_.soon) return absl::CancelledError("");
    PlannedRun tried = asked;
    tried.flags = TryFlags(asked.flags, batch);
    Startable startable = task.startable;
    startable.configuration = &tried;
    const std::string name = absl::StrCat(asked.name, ".batch-", batch);
    ledger.ShowProgress(name);
    absl::StatusOr<Record> record = processes_.Run(startable, *task.machine, name, ledger.folder());
    if (!record.ok()) return record.status();
    if (record->outcome() == OUT_OF_MEMORY) return false;
    if (IsGood(record->outcome())) return true;
    failed = *std::move(record);
    return absl::AbortedError(failed.error());
  };
  const absl::StatusOr<int64_t> batch =
      task.parts.empty() ? LargestBatch(std::max<int64_t>(asked.benchmark_case.batch(), 1), fits)
                         : absl::StatusOr<int64_t>(task.parts[0].workload().batch());
  ledger.ClearProgress();
  if (batch.ok()) {
    ledger.Say(absl::StrCat(asked.name, ": the largest batch that fits is ", *batch));
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
    ledger.Keep(task, failed);
  } else if (!absl::IsCancelled(batch.status())) {
    ledger.Stop(batch.status().message());
  }
  return false;
}

void LocalLauncher::RunProcess(Task& task, Ledger& ledger) const {
  const PlannedRun& c = *task.startable.configuration;
  const bool several = options_.processes > 1;
  const std::string name = several ? absl::StrCat(c.name, ".p", task.parts.size() + 1) : c.name;
  ledger.ShowProgress(name);
  absl::StatusOr<Record> record =
      processes_.Run(task.startable, *task.machine, name, ledger.folder());
  ledger.ClearProgress();
  if (!record.ok()) {
    // Cancelled: Ctrl-C came while it waited for a device; the next turn sees it.
    if (!absl::IsCancelled(record.status())) ledger.Stop(record.status().message());
    return;
  }
  if (record->outcome() == DEVICE_LOST) ledger.Stop("the device was lost");
  if (!task.lost.empty() && record->error().empty())
    record->set_error(absl::StrCat(task.lost, "; this is of a process of its own"));
  const bool over = !several || !IsGood(record->outcome());
  ledger.time_left().Done(task.expected_s, record->launch().elapsed_s(),
                          over ? options_.processes - static_cast<int>(task.parts.size()) : 1);
  if (several) {
    ledger.KeepPart(task, *std::move(record));
  } else {
    ledger.Keep(task, *record);
  }
}

}  // namespace assay::suite
