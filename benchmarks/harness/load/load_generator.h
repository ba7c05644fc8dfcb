#ifndef ASSAY_BENCHMARKS_HARNESS_LOAD_LOAD_GENERATOR_H_
#define ASSAY_BENCHMARKS_HARNESS_LOAD_LOAD_GENERATOR_H_

// ---------------------------------------------------------------------------------------------
// load_generator.h: what sends requests to a service, when, and how long each took. The scenarios
// are MLPerf's:
//
//   single_stream  one request; the next one follows its reply
//   multi_stream   eight requests at once; the next eight follow the last reply
//   server         requests arrive by themselves, as a Poisson process of a given rate
//   offline        all requests at once
//
// Not for: who answers (server.h), what the times mean (latencies.h).
//
// Example:
//   std::unique_ptr<LoadGenerator> generator = NewLoadGen({.scenario = Scenario::kOffline});
//   absl::StatusOr<LoadResult> result = generator->Run(server);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

namespace assay::load {

enum class Scenario { kSingleStream, kMultiStream, kServer, kOffline };

std::string_view ScenarioName(Scenario scenario);
// InvalidArgument with the names that there are.
absl::StatusOr<Scenario> ParseScenario(std::string_view name);

// Requests that a query of multi_stream has.
inline constexpr int64_t kStreams = 8;

// A share of the queries must be answered within a time.
struct LatencyBound {
  absl::Duration bound = absl::InfiniteDuration();  // infinite: there is none
  double share = 0.99;
};

struct Arrival {
  absl::Duration at = {};     // from the beginning
  int64_t sample = 0;         // which of the samples, counted around
  int64_t prompt_tokens = 0;  // 0: nobody says
  int64_t reply_tokens = 0;
};

struct Load {
  Scenario scenario = Scenario::kServer;
  double qps = 0;  // of server: the mean rate; of the others: about how many a second are expected
  // The scenario server has one of these at most. Without them requests are a Poisson process.
  double burstiness = 0;               // the shape of gaps with a gamma distribution; 0: none
  std::vector<Arrival> arrivals = {};  // given ones; empty: none
  int64_t concurrency = 0;             // of a closed loop: requests at a time; 0: none
  absl::Duration duration = absl::Seconds(10);  // at least so long
  int64_t least = 1;  // LoadGen's: queries, of offline requests, even where they take longer
  LatencyBound bound = {};
  int64_t samples = 1;  // how many different ones there are
  uint64_t seed = 0;
  std::string log_folder = {};  // where the generator writes its own files
};

// A request that has been sent and has no reply yet.
struct Request {
  int64_t id = 0;      // 0, 1, ... in the order of sending
  int64_t sample = 0;  // which of the samples
};

class Service {
 public:
  virtual ~Service() = default;
  // Takes requests, and returns before they are answered.
  virtual void Submit(absl::Span<const Request> requests) = 0;
  // No request follows for now: nobody needs to wait for more of them.
  virtual void Flush() = 0;
};

// The times of a request on one clock, in nanoseconds.
struct RequestTimes {
  int64_t id = 0;        // of the request
  int64_t query = 0;     // that it belongs to
  int64_t intended = 0;  // when it should have been sent; latency counts from here
  int64_t sent = 0;
  int64_t done = 0;  // when its reply was there
};

// The run by the own books of the generator.
struct GeneratorReport {
  bool valid = false;
  std::string reason = {};                        // why it is not
  int64_t queries = 0;                            // answered
  std::map<double, int64_t> percentiles_ns = {};  // of latency, by share
};

struct LoadResult {
  std::vector<RequestTimes> requests;  // that were answered, in the order of sending
  GeneratorReport report;
};

// Sends the load with which it was made.
class LoadGenerator {
 public:
  virtual ~LoadGenerator() = default;
  virtual std::string Name() const = 0;  // "LoadGen 6.0.17"
  // Sends until the load is over and every request is completed. Called once.
  virtual absl::StatusOr<LoadResult> Run(Service& service) = 0;
  // These requests have their replies or, where `answered` is false, will never have them. Called once
  // for each request, from any thread.
  virtual void Complete(absl::Span<const int64_t> ids, bool answered) = 0;
  // Sends no more requests; from any thread.
  virtual void Stop() = 0;
};

// Whether LoadGen has such arrivals; ScheduledGenerator has the others.
bool SentByLoadGen(const Load& load);

// MLCommons' LoadGen, of the library :loadgen, for a load that SentByLoadGen().
std::unique_ptr<LoadGenerator> NewLoadGen(const Load& load);

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_LOAD_GENERATOR_H_
