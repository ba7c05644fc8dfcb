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
// A generator is a library of its own (alwayslink = True) that registers itself.
//
// Not for: who answers (server.h), what the times mean (latencies.h).
//
// Example:
//   LoadGenerator* generator = LinkedGenerator();                   // null: none is linked
//   absl::StatusOr<LoadResult> result = generator->Run(load, server);
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

struct Load {
  Scenario scenario = Scenario::kServer;
  double qps = 0;  // of server: the mean rate; of the others: about how many a second are expected
  bool closed_loop = false;      // of server: a reply brings the next request
  absl::Duration duration = {};  // at least so long
  double share = 0.99;           // of the queries that must keep the bound
  absl::Duration bound = {};     // zero: none
  int64_t samples = 1;           // how many different ones there are
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

class LoadGenerator {
 public:
  virtual ~LoadGenerator() = default;
  virtual std::string Name() const = 0;  // "LoadGen 6.0.17"
  // Sends until the load is over and every request is completed.
  virtual absl::StatusOr<LoadResult> Run(const Load& load, Service& service) = 0;
  // These requests have their replies or, where `answered` is false, will never have them. Called once
  // for each request, from any thread.
  virtual void Complete(absl::Span<const int64_t> ids, bool answered) = 0;
  // Sends no more requests of the run; from any thread.
  virtual void Stop() = 0;
};

// Returns true, so that a static constant in the generator's file can call it. Aborts for a second one.
bool RegisterGenerator(std::unique_ptr<LoadGenerator> generator);

// nullptr where none is linked.
LoadGenerator* LinkedGenerator();

}  // namespace assay::load

#endif  // ASSAY_BENCHMARKS_HARNESS_LOAD_LOAD_GENERATOR_H_
