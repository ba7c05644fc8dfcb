// -----------------------------------------------------------------------------
// File: task_folder.h
// -----------------------------------------------------------------------------
//
// The files of one run on a cluster, in the folder of its results, which the nodes share:
//
//   cluster/RUN/run.pb        what all tasks have in common
//   cluster/RUN/tasks         the tasks: their number, where each begins, each; so a task reads its own
//   cluster/RUN/token         a random text, by which a task knows that it sees this folder
//   cluster/RUN/staged        the programs of staged/ that it needs, a line each
//   cluster/RUN/started/I.A   attempt A, from 1, of task I, from 0, has begun
//   cluster/RUN/results/I     what task I left, until it is in results.jsonl
//   cluster/RUN/output/       what the cluster's own scripts printed
//   cluster/RUN/over          nothing more comes
//   cluster/machines/         the machines that tasks ran on, each named by its digest
//
// Each file is written as a whole or not at all.
//
//   TaskFolder folder("/shared/results", "20260101T000000Z-0123456789abcdef");
//   absl::Status written = folder.Write(run, tasks);
//   absl::StatusOr<PlannedTask> task = folder.ReadTask(3);     // on the node

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_TASK_FOLDER_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_TASK_FOLDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "defs/proto/record.pb.h"
#include "tools/suite/cluster/task_plan.pb.h"

namespace assay::suite {

inline constexpr int64_t kMostBytes = int64_t{8} << 30;  // of a file of a run

class TaskFolder {
 public:
  TaskFolder(const std::string& results, const std::string& suite_run);
  // From the folder of a run itself, which ends in cluster/RUN.
  explicit TaskFolder(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& results() const { return results_; }
  // The name of the run in an engine: "assay-RUN".
  std::string JobName() const;
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

  absl::Status Write(const TaskRun& run, const std::vector<PlannedTask>& tasks);
  absl::StatusOr<TaskRun> ReadRun() const;
  // OutOfRange for a task that there is not.
  absl::StatusOr<PlannedTask> ReadTask(int64_t index) const;
  absl::StatusOr<std::vector<PlannedTask>> ReadTasks() const;

  // Returns how far this machine's clock is ahead of the file server's, in seconds.
  absl::StatusOr<double> WriteAttempt(int64_t index, int attempt, TaskAttempt begun);
  // The last attempt that has begun, with its number from 1; absent if none has.
  std::optional<std::pair<int, TaskAttempt>> LastAttempt(int64_t index) const;
  std::optional<TaskAttempt> ReadAttempt(int64_t index, int attempt) const;

  absl::Status WriteResult(int64_t index, const TaskResult& result);
  bool HasResult(int64_t index) const;
  // The tasks whose results are there.
  absl::StatusOr<std::vector<int64_t>> Results() const;
  // Their results, in order, and their end when they are kept: many files at once, since a disk, and
  // even more a file server, takes long for one and hardly longer for many.
  absl::StatusOr<std::vector<TaskResult>> ReadResults(absl::Span<const int64_t> tasks) const;
  void RemoveResults(absl::Span<const int64_t> tasks) const;

  absl::Status MarkOver();

 private:
  const std::string path_, results_;
};

// The run of this folder of results on a cluster that is not over; empty where there is none.
std::string OpenRun(const std::string& results);

// The machines of all tasks, of this folder's runs.
std::vector<Environment> ReadMachines(const std::string& results);
std::optional<Environment> ReadMachine(const std::string& results, const std::string& name);
// Keeps what of a machine can change a number; returns its name.
absl::StatusOr<std::string> KeepMachine(const std::string& results, const Environment& machine);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_TASK_FOLDER_H_
