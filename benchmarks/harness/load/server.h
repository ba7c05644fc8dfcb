#ifndef ASSAY_BENCHMARKS_HARNESS_LOAD_SERVER_H_
#define ASSAY_BENCHMARKS_HARNESS_LOAD_SERVER_H_

// ---------------------------------------------------------------------------------------------
// server.h: a service that runs in threads of its own, and its books of who has got a reply.
//
// Example:
//   absl::Status ready = server.Start();
//   absl::StatusOr<LoadResult> result = generator.Run(load, server);
//   ServiceReport report = server.Finish();
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "benchmarks/harness/load/load_generator.h"

namespace assay::load {

struct ServiceReport {
  std::vector<int64_t> batches;  // [n - 1]: how many calls had n requests
  std::vector<int64_t> lost;     // ids of requests without a reply, in order
  std::vector<int64_t> doubled;  // ids of requests with more than one
  absl::Status failed;           // of the first worker that could not answer
  double busy_s = 0;             // of all workers, answering
};

class Server : public Service {
 public:
  // Returns when all is ready for the first request; the first error of getting ready.
  virtual absl::Status Start() = 0;
  // Answers nothing more, and has the generator send nothing more; from any thread.
  virtual void Stop() = 0;
  // Ends the threads, once no request waits.
  virtual ServiceReport Finish() = 0;
  // The requests that are being answered: "worker 1: requests 12, 13 for 31 s"; empty: none.
  virtual std::string InFlightText() const = 0;
  // How long the oldest of them has been answered for.
  virtual absl::Duration LongestInFlight() const = 0;
};

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_SERVER_H_
