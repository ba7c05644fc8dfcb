#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_ENGINE_REPORTER_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_ENGINE_REPORTER_H_

// ---------------------------------------------------------------------------------------------
// engine_reporter.h: makes Google Benchmark's own columns true.
//
// The sampling engine takes all its samples inside one Google Benchmark iteration, so the library
// sees one call that lasted a second. Left alone it would print that second as CPU time and 1 as
// Iterations. This reporter stands before the stock console, JSON and CSV reporters and puts into
// each Run what the engine measured: Time = median wall time of a call, CPU = CPU time of a call,
// Iterations = samples taken, and the name without the library's /iterations:1/manual_time.
// Aggregate rows over repetitions are computed by the library before any reporter sees them; their
// CPU column is recomputed here.
//
// The console's own numbers of counters are "1.41443k" and "4.46258m"; with plain counters a row has
// "1414" and "0.004463" in their place.
//
// Not for: measuring, or formats of its own.
//
// Example:
//   FigureTable figures;                       // filled by the benchmarks while they run
//   EngineReporter display(&figures, benchmark::CreateDefaultDisplayReporter());
//   benchmark::RunSpecifiedBenchmarks(&display);
// ---------------------------------------------------------------------------------------------

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::runner {

// The engine's result for one repetition of one benchmark. Times are in seconds per call. A
// percentile is 0 where there were too few samples for it, and so is the mean where it is not
// shown.
struct Figures {
  double median_s = 0;
  double cpu_s = 0;
  double p10_s = 0;
  double p90_s = 0;
  double mean_s = 0;
  int64_t samples = 0;
};

// First key: benchmark name. The vector's index is the repetition.
using FigureTable = std::map<std::string, std::vector<Figures>>;

class EngineReporter : public benchmark::BenchmarkReporter {
 public:
  // Both must outlive the reporter. A run without figures (an error) passes through unchanged.
  // `plain_counters`: for a console's printer alone, whose rows end with them.
  EngineReporter(const FigureTable* figures, benchmark::BenchmarkReporter* printer,
                 bool plain_counters = false);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  Run WithEngineFigures(const Run& run) const;

  const FigureTable* const figures_;
  benchmark::BenchmarkReporter* const printer_;
  const bool plain_counters_;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_ENGINE_REPORTER_H_
