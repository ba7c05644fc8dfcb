#ifndef ASSAY_BENCHMARKS_HARNESS_LOAD_BATCH_SERVER_H_
#define ASSAY_BENCHMARKS_HARNESS_LOAD_BATCH_SERVER_H_

// ---------------------------------------------------------------------------------------------
// batch_server.h: workers that answer requests, each in a thread of its own, several requests at
// once; and the books of who has got a reply.
//
// A request without a reply is lost, one with two replies is doubled; the server finds both, and
// tells the generator of each request once.
//
// Not for: what an answer is, and whether it is right (BatchWorker).
//
// Example:
//   BatchServer server({.most = 8}, std::move(workers), generator);
//   absl::Status ready = server.Start();
//   absl::StatusOr<LoadResult> result = generator.Run(load, server);
//   ServiceReport report = server.Finish();
// ---------------------------------------------------------------------------------------------

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchmarks/harness/load/load_generator.h"
#include "benchmarks/harness/load/request_queue.h"
#include "benchmarks/harness/load/server.h"

namespace assay::load {

// One worker. Only one thread calls it: its own, or the generator's.
class BatchWorker {
 public:
  virtual ~BatchWorker() = default;
  // Before the first request: warms up.
  virtual absl::Status Prepare() = 0;
  // Answers the requests, one to Batching::most. Adds the ids of those that have an answer to `answered`,
  // which is empty: each once, and in this order, if all is well.
  virtual absl::Status Answer(absl::Span<const Request> batch, std::vector<int64_t>& answered) = 0;
  // Called after the replies of the last Answer() were sent. Their latencies do not have it, but those
  // of requests that wait do.
  virtual absl::Status Check() = 0;
};

enum class AnsweredIn {
  kThreads,     // each worker's own
  kSubmission,  // Submit(), by the first worker: for a generator that waits for each reply anyway
};

class BatchServer final : public Server {
 public:
  BatchServer(Batching batching, std::vector<std::unique_ptr<BatchWorker>> workers,
              LoadGenerator& generator, AnsweredIn answered_in = AnsweredIn::kThreads);
  ~BatchServer() override { Finish(); }

  absl::Status Start() override;
  void Submit(absl::Span<const Request> requests) override;
  InFlight Unanswered() const override;

 private:
  // A worker's books. A request costs few of a model's calls, so its own thread keeps them without locks
  // and new memory, but for the ids that another thread may ask for.
  struct Books {
    mutable absl::Mutex mutex;          // held to change `asked`, and by others to read it
    std::vector<int64_t> asked;         // the last batch
    std::vector<int64_t> answered;      // of these
    std::atomic<int64_t> since_ns = 0;  // of the batch in flight, on the steady clock; 0: none
    int64_t busy_ns = 0;
    std::vector<int64_t> batches;  // ServiceReport::batches
  };

  void Serve(size_t worker);
  void Prepare(size_t worker);
  void Answer(size_t worker, absl::Span<const Request> batch);
  // Tells the generator who has a reply, and keeps the books of the others.
  void Settle(const Books& books);
  void Total(ServiceReport& report) const override;

  const std::vector<std::unique_ptr<BatchWorker>> workers_;
  const Batching batching_;
  const AnsweredIn answered_in_;
  std::vector<Books> books_;  // of each worker
  size_t prepared_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status ready_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_BATCH_SERVER_H_
