#include "ci/certify/google_peer.h"

#include <chrono>
#include <limits>
#include <vector>

#include "benchmark/benchmark.h"

namespace assay::certify {
namespace {

// Keeps the last run's time and prints nothing.
class Keeper : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (!run.error_occurred) ns = run.GetAdjustedRealTime();
    }
  }
  double ns = std::numeric_limits<double>::quiet_NaN();
};

void Loop(benchmark::State& state, GooglePeer how, const std::function<void()>& call) {
  for (auto _ : state) {
    if (how == GooglePeer::kPauses) {
      state.PauseTiming();
      state.ResumeTiming();
    }
    if (how != GooglePeer::kManualTime) {
      call();
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    call();
    const auto end = std::chrono::steady_clock::now();
    state.SetIterationTime(std::chrono::duration<double>(end - start).count());
  }
}

}  // namespace

double TimeWithGoogle(GooglePeer how, const std::function<void()>& call, double min_time_s) {
  benchmark::ClearRegisteredBenchmarks();
  auto* registered = benchmark::RegisterBenchmark(
      "peer", [&](benchmark::State& state) { Loop(state, how, call); });
  registered->MinTime(min_time_s)->Unit(benchmark::kNanosecond);
  if (how == GooglePeer::kManualTime) {
    registered->UseManualTime();
  } else {
    registered->UseRealTime();
  }
  Keeper keeper;
  benchmark::RunSpecifiedBenchmarks(&keeper, "peer");
  benchmark::ClearRegisteredBenchmarks();
  return keeper.ns;
}

}  // namespace assay::certify
