// The time that the server of load adds to a query, and the rate that it lets through, beside LoadGen's call of a
// system that replies at once. Both take turns in one process.
//
//   tools/bazel run //benchmarks/harness/load:overhead
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "benchmarks/harness/load/latencies.h"
#include "benchmarks/harness/load/load_generator.h"
#include "benchmarks/harness/load/server.h"

namespace assay::load {
namespace {

// Replies within the call.
class AtOnce final : public Service {
 public:
  explicit AtOnce(LoadGenerator& generator) : generator_(generator) {}
  void Submit(absl::Span<const Request> requests) override {
    for (const Request& request : requests) generator_.Complete({request.id}, /*answered=*/true);
  }
  void Flush() override {}

 private:
  LoadGenerator& generator_;
};

class Empty final : public BatchWorker {
 public:
  absl::Status Prepare() override { return absl::OkStatus(); }
  absl::Status Answer(absl::Span<const Request> batch, std::vector<int64_t>& answered) override {
    for (const Request& request : batch) answered.push_back(request.id);
    return absl::OkStatus();
  }
  absl::Status Check() override { return absl::OkStatus(); }
};

double ProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The processor's time from the first request to the end, without LoadGen's preparations.
class Timed final : public Service {
 public:
  explicit Timed(Service& inner) : inner_(inner) {}
  void Submit(absl::Span<const Request> requests) override {
    if (begin_ == 0) begin_ = ProcessorSeconds();
    inner_.Submit(requests);
  }
  void Flush() override {
    seconds_ = ProcessorSeconds() - begin_;
    inner_.Flush();
  }
  double seconds() const { return seconds_; }

 private:
  Service& inner_;
  double begin_ = 0, seconds_ = 0;
};

struct Ran {
  LoadSummary summary;
  double busy_s = 0;       // of the worker
  double processor_s = 0;  // of the thread that sends: other processes do not disturb it
};

Ran Run(const Load& load, bool served) {
  const std::unique_ptr<LoadGenerator> generator = NewLoadGen(load);
  std::vector<std::unique_ptr<BatchWorker>> workers;
  workers.push_back(std::make_unique<Empty>());
  BatchServer server(
      {.most = 8}, std::move(workers), *generator,
      load.scenario == Scenario::kSingleStream ? AnsweredIn::kSubmission : AnsweredIn::kThreads);
  AtOnce at_once(*generator);
  if (!server.Start().ok()) std::exit(1);
  Timed service(served ? static_cast<Service&>(server) : at_once);
  const absl::StatusOr<LoadResult> result = generator->Run(service);
  if (!result.ok()) std::exit(1);
  return {Summarize(load.scenario, result->requests), server.Finish().busy_s, service.seconds()};
}

double ProcessorUs(const Ran& ran) {
  return 1e6 * ran.processor_s / static_cast<double>(ran.summary.requests);
}

double MedianUs(const LoadSummary& summary) {
  return static_cast<double>(summary.latencies[summary.latencies.size() / 2]) * 1e-3;
}

int Main() {
  const std::string folder = std::filesystem::temp_directory_path().string() + "/assay_overhead";
  std::filesystem::create_directories(folder);
  for (int turn = 0; turn < 5; ++turn) {
    for (const Scenario scenario : {Scenario::kSingleStream, Scenario::kServer}) {
      const bool server = scenario == Scenario::kServer;
      const Load load = {.scenario = scenario,
                         .qps = server ? 1000.0 : 2e6,
                         .duration = absl::Seconds(2),
                         .samples = 32,
                         .log_folder = folder};
      const Ran at_once = Run(load, /*served=*/false);
      const Ran served = Run(load, /*served=*/true);
      const LoadSummary &raw = at_once.summary, &own = served.summary;
      std::printf(
          "%-13s  at once: p50 %.2f us, %.4g/s   server: p50 %.2f us, %.4g/s   added "
          "%.2f us   rate x %.3f   the sender's processor time %.3f and %.3f us a query, x %.3f   "
          "worker busy %.2f %%\n",
          std::string(ScenarioName(scenario)).c_str(), MedianUs(raw), raw.queries_per_s,
          MedianUs(own), own.queries_per_s, MedianUs(own) - MedianUs(raw),
          own.queries_per_s / raw.queries_per_s, ProcessorUs(at_once), ProcessorUs(served),
          ProcessorUs(at_once) / ProcessorUs(served), 100 * served.busy_s / own.elapsed_s);
    }
  }
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace assay::load

int main() { return assay::load::Main(); }
