#include "tools/suite/launch/task_preparation.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tools/processes/program_stamp.h"
#include "tools/processes/workspace.h"
#include "tools/suite/launch/processes/suite_machine.h"
#include "tools/suite/launch/processes/task_launcher.h"

namespace assay::suite {
namespace {

constexpr size_t kWidestName = 60;

}  // namespace

absl::Status TaskPreparation::Fill(const std::vector<PlannedRun>& plan, Ledger& ledger) {
  const absl::StatusOr<Programs> programs = Build(plan, ledger);
  if (!programs.ok()) return programs.status();
  if (place_.launcher != nullptr) {
    for (const Environment& machine : place_.launcher->Machines(ledger.folder().path()))
      elsewhere_.emplace_back(machine, options_, digests_);
  }
  size_t name_width = 0;
  for (const PlannedRun& c : plan) name_width = std::max(name_width, c.name.size());
  for (size_t i = 0; i < plan.size(); ++i) {
    absl::StatusOr<Task> task = TaskOf(plan[i], *programs);
    if (!task.ok()) return task.status();
    task->place = {.number = i + 1,
                   .of = plan.size(),
                   .name = plan[i].name,
                   .name_width = std::min(name_width, kWidestName)};
    if (absl::Status added = AddKnown(*std::move(task), ledger); !added.ok()) return added;
  }
  digests_.Save();
  return absl::OkStatus();
}

absl::StatusOr<TaskPreparation::Programs> TaskPreparation::Build(
    const std::vector<PlannedRun>& plan, Ledger& ledger) {
  std::set<std::string> needed;
  for (const PlannedRun& c : plan) {
    if (c.skip_reason.empty()) needed.insert(c.label);
  }
  Programs programs;
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
  ledger.Say(absl::StrCat("building  ", needed.size(), " cases"));
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

Fingerprints& TaskPreparation::On(DeviceType device) {
  const auto [machine, is_new] = machines_.try_emplace(device);
  if (is_new) machine->second = MachineFor(device, options_.variables);
  return fingerprints_.try_emplace(device, machine->second, options_, digests_).first->second;
}

absl::StatusOr<Task> TaskPreparation::TaskOf(const PlannedRun& c, const Programs& programs) {
  Task task{.startable = {.configuration = &c}, .device = DeviceOf(c.flags, options_.build)};
  Startable& startable = task.startable;
  if (c.skip_reason.empty()) {
    startable.program = programs.at(c.label);
    const auto [stamp, is_new] = stamps_.try_emplace(startable.program);
    if (is_new) stamp->second = processes::StampOf(startable.program);
    startable.stamp = stamp->second;
  }
  absl::StatusOr<std::string> fingerprint = On(task.device).Of(c, startable.program);
  if (!fingerprint.ok()) return fingerprint.status();
  startable.fingerprint = *std::move(fingerprint);
  task.machine = &machines_.at(task.device);
  return task;
}

absl::Status TaskPreparation::AddKnown(Task task, Ledger& ledger) {
  if (!place_.suite_run.empty() && place_.launcher != nullptr) {
    ledger.RecallOfRun(task);
  } else {
    ledger.Recall(task);
  }
  for (size_t machine = 0; machine < elsewhere_.size() && !task.done; ++machine) {
    const absl::StatusOr<std::string> fingerprint =
        elsewhere_[machine].Of(*task.startable.configuration, task.startable.program);
    if (!fingerprint.ok()) return fingerprint.status();
    ledger.TakeBefore(task, ledger.folder().Find(*fingerprint));
  }
  if (absl::Status copied = Copy(task, ledger); !copied.ok()) return copied;
  ledger.tasks().push_back(std::move(task));
  return absl::OkStatus();
}

absl::Status TaskPreparation::Copy(Task& task, Ledger& ledger) {
  Startable& startable = task.startable;
  // A cluster, or its task, has copies already.
  if (place_.launcher != nullptr || !place_.programs.empty()) return absl::OkStatus();
  if (task.done || startable.program.empty()) return absl::OkStatus();
  if (!copies_.has_value())
    copies_.emplace(ledger.folder().path() + "/programs", "choose another folder with --out");
  absl::StatusOr<std::string> copy =
      copies_->Make(startable.program, startable.configuration->label, startable.stamp);
  if (!copy.ok()) return copy.status();
  startable.built = std::exchange(startable.program, *std::move(copy));
  startable.stamp = processes::StampOf(startable.program);
  return absl::OkStatus();
}

}  // namespace assay::suite
