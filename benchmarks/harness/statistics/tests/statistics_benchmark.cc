// Time of each function over 1e5, 1e6 and 1e7 samples, and its complexity: not a test.
//
//   tools/bazel run //benchmarks/harness/statistics/tests:statistics_benchmark
//   ... -- --benchmark_filter=HodgesLehmann        one of them
//
// Each row sorts or copies its input anew where the function asks for it, outside of the time. A
// quadratic function would need hours for the last row, and BigO in the summary would say N^2.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "benchmarks/harness/statistics/describe/location.h"
#include "benchmarks/harness/statistics/describe/modality.h"
#include "benchmarks/harness/statistics/describe/moments.h"
#include "benchmarks/harness/statistics/describe/outliers.h"
#include "benchmarks/harness/statistics/describe/steadiness.h"
#include "benchmarks/harness/statistics/intervals/bootstrap.h"
#include "benchmarks/harness/statistics/intervals/median_interval.h"
#include "benchmarks/harness/statistics/intervals/multiplicity.h"
#include "benchmarks/harness/statistics/intervals/summary.h"
#include "benchmarks/harness/statistics/tests/signed_rank.h"
#include "benchmarks/harness/statistics/tests/t_tests.h"

namespace assay::statistics {
namespace {

// Lognormal timings of about 1 ms that a clock shows in whole nanoseconds: with ties.
const std::vector<double>& Timings(int64_t count) {
  static std::vector<double> timings;
  if (timings.empty()) {
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> draw(std::log(1e6), 0.02);
    timings.resize(10000000);
    for (double& v : timings) v = std::round(draw(random));
  }
  static std::vector<double> head;
  head.assign(timings.begin(), timings.begin() + count);
  return head;
}

using Function = std::function<void(absl::Span<const double>)>;

void Measure(benchmark::State& state, const Function& function, bool sorted) {
  std::vector<double> values = Timings(state.range(0));
  if (sorted) std::sort(values.begin(), values.end());
  for (auto _ : state) function(values);
  state.SetComplexityN(state.range(0));
}

template <typename T>
void Keep(T&& result) {
  benchmark::DoNotOptimize(result);
}

void Register(const std::string& name, const Function& function, bool sorted = false) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& s) { Measure(s, function, sorted); })
      ->Arg(100000)
      ->Arg(1000000)
      ->Arg(10000000)
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond)
      ->Complexity();
}

absl::Span<const double> Half(absl::Span<const double> v, int half) {
  return v.subspan(half * (v.size() / 2), v.size() / 2);
}

void RegisterAll() {
  using Values = absl::Span<const double>;
  Register("Summarize", [](Values v) { Keep(Summarize(v)); });
  Register(
      "MedianInterval", [](Values v) { Keep(MedianInterval(v)); }, true);
  Register("HodgesLehmann", [](Values v) { Keep(HodgesLehmann(v)); });
  Register("PairedT", [](Values v) { Keep(PairedT(v)); });
  Register("WelchT", [](Values v) { Keep(WelchT(Half(v, 0), Half(v, 1))); });
  Register("FitVariancePrior", [](Values v) { Keep(FitVariancePrior(v, 9)); });
  Register("SignedRank", [](Values v) { Keep(SignedRank(v)); });
  Register("BcaInterval100", [](Values v) { Keep(BcaInterval(v, Mean, {.resamples = 100})); });
  Register("BenjaminiHochberg", [](Values v) {
    std::vector<double> p(v.begin(), v.end());
    for (double& value : p) value *= 1e-7;
    Keep(BenjaminiHochberg(p));
  });
  Register(
      "ClassifyOutliers", [](Values v) { Keep(ClassifyOutliers(v)); }, true);
  Register("AssessSteadiness", [](Values v) { Keep(AssessSteadiness(v)); });
  Register(
      "AssessModality", [](Values v) { Keep(AssessModality(v)); }, true);
}

}  // namespace
}  // namespace assay::statistics

int main(int argc, char** argv) {
  assay::statistics::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 3;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
