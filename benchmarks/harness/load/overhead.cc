// The time that the server of load adds to a query, and the rate that it lets through, beside LoadGen's call of a
// system that replies at once. Both take turns in one process.
//
//   tools/bazel run //benchmarks/harness/load:overhead
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "benchmarks/harness/load/batch_server.h"
#include "benchmarks/harness/load/latencies.h"
#include "benchmarks/harness/load/load_generator.h"

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

LoadSummary Run(const Load& load, bool served, LoadGenerator& generator, double& busy_s) {
  std::vector<std::unique_ptr<BatchWorker>> workers;
  workers.push_back(std::make_unique<Empty>());
  BatchServer server(
      {.most = 8}, std::move(workers), generator,
      load.scenario == Scenario::kSingleStream ? AnsweredIn::kSubmission : AnsweredIn::kThreads);
  AtOnce at_once(generator);
  if (!server.Start().ok()) std::exit(1);
  Service& service = served ? static_cast<Service&>(server) : at_once;
  const absl::StatusOr<LoadResult> result = generator.Run(load, service);
  busy_s = server.Finish().busy_s;
  if (!result.ok()) std::exit(1);
  return Summarize(load.scenario, result->requests);
}

double MedianUs(const LoadSummary& summary) {
  return static_cast<double>(summary.latencies[summary.latencies.size() / 2]) * 1e-3;
}

int Main() {
  LoadGenerator& generator = *LinkedGenerator();
  const std::string folder = std::filesystem::temp_directory_path().string() + "/assay_overhead";
  std::filesystem::create_directories(folder);
  for (int turn = 0; turn < 3; ++turn) {
    for (const Scenario scenario : {Scenario::kSingleStream, Scenario::kServer}) {
      const bool server = scenario == Scenario::kServer;
      const Load load = {.scenario = scenario,
                         .qps = server ? 1000.0 : 2e6,
                         .duration = absl::Seconds(2),
                         .samples = 32,
                         .log_folder = folder};
      double busy_s = 0;
      const LoadSummary raw = Run(load, /*served=*/false, generator, busy_s);
      const LoadSummary served = Run(load, /*served=*/true, generator, busy_s);
      std::printf(
          "%-13s  at once: p50 %.2f us, %.4g/s   server: p50 %.2f us, %.4g/s   added "
          "%.2f us   "
          "rate x %.3f   worker busy %.2f %%\n",
          std::string(ScenarioName(scenario)).c_str(), MedianUs(raw), raw.queries_per_s,
          MedianUs(served), served.queries_per_s, MedianUs(served) - MedianUs(raw),
          served.queries_per_s / raw.queries_per_s, 100 * busy_s / served.elapsed_s);
    }
  }
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace assay::load

int main() { return assay::load::Main(); }
