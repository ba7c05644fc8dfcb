#ifndef ASSAY_BENCHMARKS_HARNESS_LOAD_REQUEST_QUEUE_H_
#define ASSAY_BENCHMARKS_HARNESS_LOAD_REQUEST_QUEUE_H_

// ---------------------------------------------------------------------------------------------
// request_queue.h: requests that wait for a worker, which takes several at once.
//
// Thread-safe. A worker gets requests in the order in which they came.
//
// Example:
//   RequestQueue queue({.most = 8, .wait = absl::Milliseconds(2)});
//   queue.Add(requests);
//   std::vector<Request> batch = queue.Take();   // 1 to 8; empty: closed
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchmarks/harness/load/load_generator.h"

namespace assay::load {

struct Batching {
  int64_t most = 1;          // requests of a batch
  absl::Duration wait = {};  // how long the first request of a batch waits for the others
};

class RequestQueue {
 public:
  explicit RequestQueue(Batching batching) : batching_(batching) {}

  void Add(absl::Span<const Request> requests);
  // Waits for requests, and for more of them as Batching says. Empty once the queue is closed and
  // has none left.
  std::vector<Request> Take();
  // As many as `most` of those that are there, without waiting.
  std::vector<Request> TakeNow(int64_t most);
  // A batch that waits for more requests waits no longer.
  void Flush();
  // No request follows.
  void Close();

 private:
  std::vector<Request> Pop(int64_t most) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  struct Waiting {
    Request request;
    absl::Time since;
  };

  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return !waiting_.empty() || closed_; }
  bool HasBatch() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return static_cast<int64_t>(waiting_.size()) >= batching_.most || flushed_ || closed_ ||
           waiting_.empty();
  }

  const Batching batching_;
  absl::Mutex mutex_;
  std::deque<Waiting> waiting_ ABSL_GUARDED_BY(mutex_);
  bool flushed_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_REQUEST_QUEUE_H_
