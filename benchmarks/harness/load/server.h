#ifndef ASSAY_BENCHMARKS_HARNESS_LOAD_SERVER_H_
#define ASSAY_BENCHMARKS_HARNESS_LOAD_SERVER_H_

// ---------------------------------------------------------------------------------------------
// server.h: a service that answers in threads of its own, and its books of who has got a reply.
//
// Example:
//   absl::Status ready = server.Start();
//   absl::StatusOr<LoadResult> result = generator.Run(load, server);
//   ServiceReport report = server.Finish();
// ---------------------------------------------------------------------------------------------

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
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

class Server : public Service {
 public:
  // Returns when all is ready for the first request; the first error of getting ready.
  virtual absl::Status Start() = 0;
  void Submit(absl::Span<const Request> requests) override { queue_.Add(requests); }
  void Flush() override { queue_.Flush(); }
  // Answers nothing more, and has the generator send nothing more; from any thread.
  void Stop() {
    stopped_ = true;
    generator_.Stop();
  }
  // Ends the threads, once no request waits. The destructor of a derived class calls it, too.
  ServiceReport Finish() {
    queue_.Close();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    absl::MutexLock lock(&mutex_);
    Total(report_);
    std::sort(report_.lost.begin(), report_.lost.end());
    std::sort(report_.doubled.begin(), report_.doubled.end());
    return report_;
  }
  virtual InFlight Unanswered() const = 0;

 protected:
  Server(Batching batching, LoadGenerator& generator) : generator_(generator), queue_(batching) {}
  // Fills in what the threads counted for themselves.
  virtual void Total(ServiceReport& /*report*/) const {}
  void Fail(const absl::Status& status, const std::vector<int64_t>& lost = {}) {
    {
      absl::MutexLock lock(&mutex_);
      report_.failed.Update(status);
      report_.lost.insert(report_.lost.end(), lost.begin(), lost.end());
    }
    Stop();
  }

  LoadGenerator& generator_;
  RequestQueue queue_;
  std::vector<std::thread> threads_;
  std::atomic<bool> stopped_ = false;
  mutable absl::Mutex mutex_;
  ServiceReport report_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_SERVER_H_
