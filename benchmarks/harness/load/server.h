#ifndef ASSAY_BENCHMARKS_HARNESS_LOAD_SERVER_H_
#define ASSAY_BENCHMARKS_HARNESS_LOAD_SERVER_H_

// ---------------------------------------------------------------------------------------------
// server.h: a service that answers in workers' threads, and its books of who has got a reply. One whose
// workers answer several requests with one call is here; decoders have another (decoder_server.h).
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
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchmarks/harness/load/load_generator.h"
#include "benchmarks/harness/load/request_queue.h"

namespace assay::load {

struct ServiceReport {
  std::vector<int64_t> batches;  // [n - 1]: how many calls had n requests
  std::vector<int64_t> lost;     // ids of requests without a reply, in order
  std::vector<int64_t> doubled;  // ids of requests with more than one
  absl::Status failed;           // of the first worker that could not answer
  double busy_s = 0;             // of all workers, answering
};

// The requests that are being answered.
struct InFlight {
  std::string text = {};        // "worker 1: requests 12, 13 for 31 s"; empty: none
  absl::Duration longest = {};  // how long the oldest of them has been answered for
};

enum class AnsweredIn {
  kThreads,     // each worker's own
  kSubmission,  // Submit(), by the first worker: for a generator that waits for each reply anyway
};

class Server : public Service {
 public:
  // Returns when all workers are ready for the first request; the first error of getting ready.
  absl::Status Start();
  void Submit(absl::Span<const Request> requests) override;
  void Flush() override { queue_.Flush(); }
  // Answers nothing more, and has the generator send nothing more; from any thread.
  void Stop();
  // Ends the threads, once no request waits. The destructor of a derived class calls it, too.
  ServiceReport Finish();
  InFlight Unanswered() const;
  // Whether a request was sent.
  bool begun() const { return begun_; }

 protected:
  // A worker's books. A request costs few of a model's calls, so its own thread keeps them without locks
  // and new memory, but for the ids that another thread may ask for.
  struct Books {
    mutable absl::Mutex mutex;          // held to change `asked`, and by others to read it
    std::vector<int64_t> asked;         // in the call that is being made
    std::atomic<int64_t> since_ns = 0;  // of that call, on the steady clock; 0: none
    int64_t busy_ns = 0;
    std::vector<int64_t> batches;  // ServiceReport::batches
  };

  Server(Batching batching, size_t workers, LoadGenerator& generator,
         AnsweredIn answered_in = AnsweredIn::kThreads);

  // In the worker's thread: before the first request.
  virtual absl::Status Prepare(size_t worker) = 0;
  // Answers what waits; false once nothing follows.
  virtual bool Turn(size_t worker) = 0;
  // Before and after a call.
  static void Begin(Books& books, absl::Span<const Request> requests);
  static void End(Books& books);
  // Tells the generator which of the requests have a reply, and keeps the books of the others.
  void Settle(const std::vector<int64_t>& asked, const std::vector<int64_t>& answered);
  void Fail(const absl::Status& status, absl::Span<const Request> lost = {});

  LoadGenerator& generator_;
  const AnsweredIn answered_in_;
  RequestQueue queue_;
  std::atomic<bool> stopped_ = false, begun_ = false;
  std::vector<Books> books_;  // of each worker
  absl::Mutex mutex_;
  ServiceReport report_ ABSL_GUARDED_BY(mutex_);

 private:
  void BecomeReady(size_t worker);

  std::vector<std::thread> threads_;
  size_t prepared_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status ready_ ABSL_GUARDED_BY(mutex_);
};

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

class BatchServer final : public Server {
 public:
  BatchServer(Batching batching, std::vector<std::unique_ptr<BatchWorker>> workers,
              LoadGenerator& generator, AnsweredIn answered_in = AnsweredIn::kThreads)
      : Server(batching, workers.size(), generator, answered_in),
        workers_(std::move(workers)),
        answered_(workers_.size()) {}
  ~BatchServer() override { Finish(); }

  void Submit(absl::Span<const Request> requests) override;

 private:
  absl::Status Prepare(size_t worker) override { return workers_[worker]->Prepare(); }
  bool Turn(size_t worker) override;
  void Answer(size_t worker, absl::Span<const Request> batch);

  const std::vector<std::unique_ptr<BatchWorker>> workers_;
  std::vector<std::vector<int64_t>> answered_;  // of each worker: ids of its last call
};

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_SERVER_H_
