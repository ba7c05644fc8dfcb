// -----------------------------------------------------------------------------
// File: task_scratch.h
// -----------------------------------------------------------------------------
//
// The folder of a task for what it writes while it runs, in $TMPDIR or /tmp of its machine. It goes
// with the task; that of a task that was killed goes when the machine's next task makes its own.
//
//   absl::StatusOr<TaskScratch> scratch = TaskScratch::Make();
//   Write(scratch->path() + "/record.jsonl");

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_TASK_SCRATCH_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_TASK_SCRATCH_H_

#include <string>

#include "absl/status/statusor.h"

namespace assay::suite {

class TaskScratch {
 public:
  // Unavailable, with the folder, where none can be made.
  static absl::StatusOr<TaskScratch> Make();

  TaskScratch(TaskScratch&& other) noexcept;
  TaskScratch& operator=(TaskScratch&& other) = delete;
  ~TaskScratch();

  const std::string& path() const { return path_; }

 private:
  TaskScratch(std::string path, int lock);

  std::string path_;
  int lock_;  // on the folder, which the kernel gives up with the process
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_TASK_SCRATCH_H_
