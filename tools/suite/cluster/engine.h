// -----------------------------------------------------------------------------
// File: engine.h
// -----------------------------------------------------------------------------
//
// The questions that the launcher of a cluster asks the program that schedules its tasks.
//
//   std::unique_ptr<Engine> engine = MakeSlurm(options.slurm);

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_ENGINE_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_ENGINE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "defs/proto/record.pb.h"
#include "tools/suite/cluster/task_folder.h"

namespace assay::suite {

// A task that the engine says has ended.
struct EndedTask {
  Outcome outcome = OUTCOME_UNSPECIFIED;  // TIMEOUT and OUT_OF_MEMORY, by the engine's limits
  bool well = false;                      // with exit code 0
  std::string how = {};                   // "FAILED on n2: exit code 2"
};

struct Queue {
  int64_t waiting = 0, running = 0;  // at least; rows of a queue may stand for several tasks
  std::map<int64_t, EndedTask> ended = {};
  std::string why_waiting = {};  // where a person has to do something about it
};

// Tasks [first, first + count) of a run, all for one device.
struct TaskRange {
  int64_t first = 0, count = 0;
  DeviceType device = CPU;
};

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual std::string Name() const = 0;
  // Whether tasks can be submitted here; NotFound with what to install.
  virtual absl::Status Check() const = 0;
  // Submits tasks that run `program` (run_task.h); returns a sentence about it.
  virtual absl::StatusOr<std::string> Submit(const TaskFolder& folder, const std::string& program,
                                             const TaskRange& range) = 0;
  // Absent where nobody knows but the user. Unavailable: perhaps the next time.
  virtual absl::StatusOr<std::optional<Queue>> Poll(const TaskFolder& folder) = 0;
  virtual absl::Status Cancel(const TaskFolder& folder, bool running_too) = 0;
  // The fault of a machine: "down: Not responding"; empty where nothing is known to be.
  virtual std::string Fault(const std::string& node) const = 0;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_ENGINE_H_
