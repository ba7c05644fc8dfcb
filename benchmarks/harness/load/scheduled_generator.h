#ifndef ASSAY_BENCHMARKS_HARNESS_LOAD_SCHEDULED_GENERATOR_H_
#define ASSAY_BENCHMARKS_HARNESS_LOAD_SCHEDULED_GENERATOR_H_

// ---------------------------------------------------------------------------------------------
// scheduled_generator.h: load that LoadGen does not have: arrivals in bursts or at given times (an open
// loop), and so many requests at a time (a closed loop), which takes the samples in turn.
//
// Example:
//   ScheduledGenerator generator({.qps = 20, .burstiness = 0.5, .samples = 32});
//   absl::StatusOr<LoadResult> result = generator.Run(server);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchmarks/harness/load/load_generator.h"

namespace assay::load {

// Arrivals with gamma-distributed gaps of mean 1 / qps: of shape 1 they are a Poisson process, below
// they come in bursts, above they are more even (vLLM's burstiness). Samples are drawn.
std::vector<Arrival> GammaArrivals(const Load& load);

// Lines of JSON as Mooncake's traces and AIPerf have them: {"timestamp": 250, "input_length": 120,
// "output_length": 16}, milliseconds and tokens. InvalidArgument, with the line, where one is no such
// object, or times run backwards; NotFound where there is no such file. The samples are 0, 1, ...
absl::StatusOr<std::vector<Arrival>> ReadArrivals(const std::string& path);

class ScheduledGenerator final : public LoadGenerator {
 public:
  explicit ScheduledGenerator(const Load& load) : load_(load) {}

  std::string Name() const override;
  absl::StatusOr<LoadResult> Run(Service& service) override;
  void Complete(absl::Span<const int64_t> ids, bool answered) override;
  void Stop() override;

 private:
  void SendArrivals(const std::vector<Arrival>& arrivals, Service& service);
  void SendInTurn(Service& service);
  // `intended`: nanoseconds.
  void Send(int64_t sample, int64_t intended, Service& service);
  bool Closed() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return stopped_ || static_cast<int64_t>(times_.size()) - completed_ < load_.concurrency;
  }

  const Load load_;
  absl::Mutex mutex_;
  std::vector<RequestTimes> times_ ABSL_GUARDED_BY(mutex_);
  int64_t completed_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_SCHEDULED_GENERATOR_H_
