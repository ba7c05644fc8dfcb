#include "benchmarks/harness/runner/measure/engine_reporter.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "gtest/gtest.h"

namespace assay::runner {
namespace {

// Runs a benchmark that claims to have sampled, as the engine does, and returns Google Benchmark's
// JSON.
nlohmann::json Report(const std::string& name, int repetitions, double cpu_step_s) {
  FigureTable figures;
  std::vector<Figures>& mine = figures[name];
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark(
      name.c_str(),
      [&](benchmark::State& state) {
        for (auto _ : state) {
          mine.push_back({.median_s = 2e-3,
                          .cpu_s = 4e-3 + cpu_step_s * static_cast<double>(mine.size()),
                          .p10_s = 1e-3,
                          .p90_s = 3e-3,
                          .samples = 500});
          state.SetIterationTime(2e-3);
        }
      })
      ->Iterations(1)
      ->UseManualTime()
      ->Repetitions(repetitions);
  std::ostringstream out, err;
  benchmark::JSONReporter printer;
  EngineReporter reporter(&figures, &printer);
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&err);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return nlohmann::json::parse(out.str());
}

TEST(EngineReporter, PutsTheEnginesFiguresIntoTheLibrarysColumns) {
  const nlohmann::json run = Report("case/wall", 1, 0)["benchmarks"][0];
  EXPECT_EQ(run["name"], "case/wall");
  EXPECT_EQ(run["time_unit"], "ms");
  EXPECT_EQ(run["iterations"], 500);
  EXPECT_NEAR(run["real_time"], 2.0, 1e-9);
  EXPECT_NEAR(run["cpu_time"], 4.0, 1e-9);
  EXPECT_NEAR(run["p10"], 1.0, 1e-9);
  EXPECT_NEAR(run["p90"], 3.0, 1e-9);
}

TEST(EngineReporter, RecomputesTheCpuColumnOfAggregates) {
  const nlohmann::json runs = Report("case/wall", 3, 1e-3)["benchmarks"];  // CPU 4, 5, 6 ms
  std::map<std::string, nlohmann::json> aggregate;
  for (const nlohmann::json& run : runs) {
    if (run["run_type"] == "aggregate") aggregate[run["aggregate_name"]] = run;
  }
  ASSERT_EQ(aggregate.size(), 4u);
  EXPECT_NEAR(aggregate["mean"]["cpu_time"], 5.0, 1e-9);
  EXPECT_NEAR(aggregate["median"]["cpu_time"], 5.0, 1e-9);
  EXPECT_NEAR(aggregate["stddev"]["cpu_time"], 1.0, 1e-9);
  EXPECT_NEAR(aggregate["cv"]["cpu_time"], 0.2, 1e-9);
  EXPECT_NEAR(aggregate["mean"]["real_time"], 2.0, 1e-9);
  EXPECT_EQ(aggregate["mean"]["name"], "case/wall_mean");
}

TEST(EngineReporter, ClaimsNoPercentileOfTooFewSamples) {
  FigureTable figures;
  figures["few"].push_back({.median_s = 1, .cpu_s = 1, .p10_s = 0, .p90_s = 0, .samples = 6});
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("few",
                               [](benchmark::State& state) {
                                 for (auto _ : state) state.SetIterationTime(1);
                               })
      ->Iterations(1)
      ->UseManualTime();
  std::ostringstream out;
  benchmark::JSONReporter printer;
  EngineReporter reporter(&figures, &printer);
  reporter.SetOutputStream(&out);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  const nlohmann::json run = nlohmann::json::parse(out.str())["benchmarks"][0];
  EXPECT_EQ(run["iterations"], 6);
  EXPECT_FALSE(run.contains("p10"));
  EXPECT_FALSE(run.contains("p90"));
}

TEST(EngineReporter, WritesCountersAsAPersonReadsThem) {
  FigureTable figures;
  figures["c"].push_back({.median_s = 1e-3, .cpu_s = 1e-3, .p90_s = 94.0444, .samples = 40});
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("c",
                               [](benchmark::State& state) {
                                 for (auto _ : state) state.SetIterationTime(1e-3);
                                 state.counters["GB/s"] = 0.00446258;
                                 state.counters["ci%"] = 0.541635;
                                 state.counters["tokens/s"] = 1414.43;
                                 state.SetLabel("FLAGGED: samples");
                               })
      ->Iterations(1)
      ->UseManualTime();
  std::ostringstream out;
  benchmark::ConsoleReporter printer(benchmark::ConsoleReporter::OO_None);
  EngineReporter reporter(&figures, &printer, /*plain_counters=*/true);
  reporter.SetOutputStream(&out);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  EXPECT_NE(out.str().find(" 40 GB/s=0.00446 ci%=0.54 p90=94000 tokens/s=1414 "
                           "FLAGGED: samples\n"),
            std::string::npos)
      << out.str();
}

TEST(EngineReporter, LetsARunWithoutFiguresPass) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("broken",
                               [](benchmark::State& state) {
                                 state.SkipWithError("no device");
                                 for (auto _ : state) {
                                 }
                               })
      ->Iterations(1)
      ->UseManualTime();
  const FigureTable none;
  std::ostringstream out;
  benchmark::JSONReporter printer;
  EngineReporter reporter(&none, &printer);
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&out);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  EXPECT_NE(out.str().find("no device"), std::string::npos);
}

}  // namespace
}  // namespace assay::runner
