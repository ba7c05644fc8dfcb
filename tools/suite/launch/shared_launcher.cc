#include "tools/suite/launch/shared_launcher.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "defs/proto/record.pb.h"
#include "tools/lease/device_lease.h"
#include "tools/suite/launch/processes/batch_search.h"
#include "tools/suite/launch/processes/case_script.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {
namespace {

// Tasks that can share a process.
struct Group {
  std::string key = {};
  std::vector<size_t> members = {};  // places in the ledger
  std::vector<SharedRun> runs = {};  // of the members
};

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

// The groups in the plan's order.
std::vector<Group> GroupsOf(const std::vector<Task>& tasks) {
  std::vector<Group> groups;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const PlannedRun& c = *tasks[i].startable.configuration;
    if (tasks[i].done || !c.skip_reason.empty() || AsksForBatchSearch(c.flags)) continue;
    std::vector<std::string> command = CommandOfCase(tasks[i].startable.program);
    if (command.empty()) continue;
    const std::string key = SharingKey(command, c);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& known) { return known.key == key; });
    if (group == groups.end()) group = groups.insert(group, {.key = key});
    group->members.push_back(i);
    group->runs.push_back({.startable = tasks[i].startable, .command = std::move(command)});
  }
  return groups;
}

void RunGroup(const ConfigurationLauncher& processes, const Group& group, const std::string& name,
              Ledger& ledger) {
  const auto task_of = [&](size_t number) -> Task& {
    return ledger.tasks()[group.members[number]];
  };
  ledger.ShowProgress(name);
  const absl::Status ended = processes.RunShared(
      group.runs, *task_of(0).machine, name, ledger.folder(),
      {.ended =
           [&](size_t number, const Record& record) {
             ledger.ClearProgress();
             if (record.outcome() == DEVICE_LOST) ledger.Stop("the device was lost");
             ledger.time_left().Done(task_of(number).expected_s, record.launch().elapsed_s());
             ledger.Keep(task_of(number), record);
             ledger.ShowProgress(name);
             return !ledger.IsStopped();
           },
       .lost =
           [&](size_t number, const std::string& how) {
             Task& task = task_of(number);
             task.lost = absl::StrCat("the process that it shared ended while it ran: ", how);
             ledger.Say(absl::StrCat(task.place.name, ": ", task.lost, "; it is run again alone"));
           }});
  ledger.ClearProgress();
  if (!ended.ok() && !absl::IsCancelled(ended))
    ledger.Say(absl::StrCat(name, ": ", ended.message(), "; what is left is run alone"));
}

}  // namespace

void SharedLauncher::Run(Ledger& ledger) {
  const std::vector<Group> groups = GroupsOf(ledger.tasks());
  for (size_t i = 0; i < groups.size() && !ledger.IsTimeToStop(); ++i) {
    if (groups[i].members.size() < 2) continue;
    RunGroup(processes_, groups[i], absl::StrCat("in_process-", i + 1), ledger);
  }
}

}  // namespace assay::suite
