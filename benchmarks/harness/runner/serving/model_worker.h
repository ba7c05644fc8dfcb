#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_MODEL_WORKER_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_MODEL_WORKER_H_

// ---------------------------------------------------------------------------------------------
// model_worker.h: a worker (load/batch_server.h) that answers requests by calls of an executable.
//
// Example:
//   ModelWorker worker(samples, *executable, {.threads = 1, .max_batch = 8});
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/load/batch_server.h"
#include "benchmarks/harness/runner/serving/reply_check.h"
#include "benchmarks/harness/runner/serving/served_samples.h"

namespace assay::runner {

struct WorkerOptions {
  int threads = 1;                // of LibTorch
  int64_t max_batch = 1;          // requests of a batch
  bool warms_every_size = false;  // a back end makes something for each size of a batch
  std::string mistake = {};       // serving_settings.h; empty: none
  // Held during calls, where workers share what takes one call at a time; nullptr: they do not.
  absl::Mutex* one_at_a_time = nullptr;
};

class ModelWorker final : public load::BatchWorker {
 public:
  // All that is passed in outlives the worker. No other worker has `executable` and `check`.
  ModelWorker(const ServedSamples& samples, execution::Executable& executable, ReplyCheck& check,
              WorkerOptions options)
      : samples_(samples), executable_(executable), check_(check), options_(std::move(options)) {}

  absl::Status Prepare() override;
  absl::Status Answer(absl::Span<const load::Request> batch,
                      std::vector<int64_t>& answered) override;
  absl::Status Check() override;

 private:
  absl::StatusOr<execution::Tensors> Outputs(const std::vector<int64_t>& samples);
  void MakeMistake(std::vector<int64_t>& ids);

  const ServedSamples& samples_;
  execution::Executable& executable_;
  ReplyCheck& check_;
  const WorkerOptions options_;
  std::vector<load::Request> batch_;         // the last one
  std::vector<execution::Tensors> replies_;  // to these
  execution::Tensors cached_;                // by mistake
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_MODEL_WORKER_H_
