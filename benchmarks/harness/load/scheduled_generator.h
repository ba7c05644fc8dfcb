#ifndef ASSAY_BENCHMARKS_HARNESS_LOAD_SCHEDULED_GENERATOR_H_
#define ASSAY_BENCHMARKS_HARNESS_LOAD_SCHEDULED_GENERATOR_H_

// ---------------------------------------------------------------------------------------------
// scheduled_generator.h: load that LoadGen does not have: arrivals in bursts or at given times (an open
// loop), and so many requests at a time (a closed loop).
//
// Example:
//   ScheduledGenerator generator(GammaArrivals(20, 0.5, absl::Seconds(10), 32, seed));
//   absl::StatusOr<LoadResult> result = generator.Run(load, server);
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

struct Arrival {
  absl::Duration at = {};     // from the beginning
  int64_t sample = 0;         // which of the samples, counted around
  int64_t prompt_tokens = 0;  // 0: nobody says
  int64_t reply_tokens = 0;
};

// Arrivals with gamma-distributed gaps of mean 1 / qps: of shape 1 they are a Poisson process, below
// they come in bursts, above they are more even (vLLM's burstiness). Samples are drawn.
std::vector<Arrival> GammaArrivals(double qps, double shape, absl::Duration duration,
                                   int64_t samples, uint64_t seed);

// Lines of JSON as Mooncake's traces and AIPerf have them: {"timestamp": 250, "input_length": 120,
// "output_length": 16}, milliseconds and tokens. InvalidArgument, with the line, where one is no such
// object, or times run backwards; NotFound where there is no such file. The samples are 0, 1, ...
absl::StatusOr<std::vector<Arrival>> ReadArrivals(const std::string& path);

class ScheduledGenerator final : public LoadGenerator {
 public:
  // An open loop.
  explicit ScheduledGenerator(std::vector<Arrival> arrivals) : arrivals_(std::move(arrivals)) {}
  // A closed loop of `concurrency` requests, which takes the samples in turn until Load::duration.
  explicit ScheduledGenerator(int64_t concurrency) : concurrency_(concurrency) {}

  std::string Name() const override;
  absl::StatusOr<LoadResult> Run(const Load& load, Service& service) override;
  void Complete(absl::Span<const int64_t> ids, bool answered) override;
  void Stop() override;

 private:
  void SendArrivals(const Load& load, Service& service);
  void SendInTurn(const Load& load, Service& service);
  // `intended`: nanoseconds.
  void Send(int64_t sample, int64_t intended, Service& service);
  bool Closed() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return stopped_ || static_cast<int64_t>(times_.size()) - completed_ < concurrency_;
  }

  const std::vector<Arrival> arrivals_;
  const int64_t concurrency_ = 0;
  absl::Mutex mutex_;
  std::vector<RequestTimes> times_ ABSL_GUARDED_BY(mutex_);
  int64_t completed_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_SCHEDULED_GENERATOR_H_
