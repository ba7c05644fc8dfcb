#include "benchmarks/harness/runner/measure/engine_reporter.h"

#include <algorithm>
#include <ostream>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/statistics/describe/moments.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::runner {
namespace {

constexpr char kInterval[] = "ci%";  // half the width of the median's interval, in percent

// The library appends this to every name, and counts it in the width of its name column.
constexpr std::string_view kLibrarySuffix = "/iterations:1/manual_time";

benchmark::TimeUnit UnitFor(double seconds) {
  if (seconds < 1e-6) return benchmark::kNanosecond;
  if (seconds < 1e-3) return benchmark::kMicrosecond;
  if (seconds < 10) return benchmark::kMillisecond;
  return benchmark::kSecond;
}

// Computes the library's four aggregates for the CPU times of all repetitions.
double CpuAggregate(const std::string& name, const std::vector<Figures>& repetitions) {
  std::vector<double> cpu;
  cpu.reserve(repetitions.size());
  for (const Figures& figures : repetitions) cpu.push_back(figures.cpu_s);
  std::sort(cpu.begin(), cpu.end());
  const double mean = statistics::Mean(cpu);
  if (name == "median") return statistics::Median(cpu);
  if (name == "stddev") return statistics::StandardDeviation(cpu);
  if (name == "cv") return mean == 0 ? 0 : statistics::StandardDeviation(cpu) / mean;
  return mean;
}

// Puts the counters into the text at the end of the row, with the digits that ci% leaves.
void WriteCounters(benchmark::BenchmarkReporter::Run& run) {
  const bool percentage = run.run_type == benchmark::BenchmarkReporter::Run::RT_Aggregate &&
                          run.aggregate_unit == benchmark::kPercentage;
  const auto interval = run.counters.find(kInterval);
  const double half_width = interval == run.counters.end() ? 0 : interval->second.value / 100;
  std::vector<std::string> words;
  for (const auto& [name, counter] : run.counters) {
    const std::string text = percentage          ? absl::StrFormat("%.2f%%", 100 * counter.value)
                             : name == kInterval ? absl::StrFormat("%.2g", counter.value)
                                                 : output::FigureText(counter, half_width);
    words.push_back(absl::StrCat(name, "=", text));
  }
  if (!run.report_label.empty()) words.push_back(run.report_label);
  run.report_label = absl::StrJoin(words, " ");
  run.counters.clear();
}

}  // namespace

EngineReporter::EngineReporter(const FigureTable* figures, benchmark::BenchmarkReporter* printer,
                               bool plain_counters)
    : figures_(figures), printer_(printer), plain_counters_(plain_counters) {}

bool EngineReporter::ReportContext(const Context& context) {
  printer_->SetOutputStream(&GetOutputStream());
  // Google Benchmark's console printer would print the machine's caches and load here; the runner's
  // own lines above have said what matters.
  std::ostream nowhere(nullptr);
  printer_->SetErrorStream(&nowhere);
  Context narrower = context;
  narrower.name_field_width -= std::min(narrower.name_field_width, kLibrarySuffix.size());
  const bool go_on = printer_->ReportContext(narrower);
  printer_->SetErrorStream(&GetErrorStream());
  return go_on;
}

void EngineReporter::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> corrected;
  corrected.reserve(runs.size());
  for (const Run& run : runs) {
    corrected.push_back(WithEngineFigures(run));
    if (plain_counters_) WriteCounters(corrected.back());
  }
  printer_->ReportRuns(corrected);
}

void EngineReporter::Finalize() { printer_->Finalize(); }

EngineReporter::Run EngineReporter::WithEngineFigures(const Run& run) const {
  Run result = run;
  result.run_name.iterations.clear();
  result.run_name.repetitions.clear();
  result.run_name.time_type.clear();
  const auto found = figures_->find(run.run_name.function_name);
  if (found == figures_->end() || found->second.empty() || run.error_occurred) return result;
  const std::vector<Figures>& repetitions = found->second;
  const bool percentage =
      run.run_type == Run::RT_Aggregate && run.aggregate_unit == benchmark::kPercentage;

  // All rows of a benchmark get one unit: 999 us beside 1.001 ms would mislead.
  result.time_unit = UnitFor(repetitions.front().median_s);
  if (run.run_type == Run::RT_Aggregate) {
    const double cpu = CpuAggregate(run.aggregate_name, repetitions);
    result.cpu_accumulated_time = percentage ? cpu : cpu * static_cast<double>(run.iterations);
    return result;
  }
  if (run.repetition_index >= static_cast<int64_t>(repetitions.size())) return result;
  const Figures& figures = repetitions[std::max<int64_t>(run.repetition_index, 0)];
  result.iterations = figures.samples;
  result.real_accumulated_time = figures.median_s * static_cast<double>(figures.samples);
  result.cpu_accumulated_time = figures.cpu_s * static_cast<double>(figures.samples);
  const double units = benchmark::GetTimeUnitMultiplier(result.time_unit);
  // With too few samples for a percentile, none is shown.
  if (figures.p10_s > 0) result.counters["p10"] = figures.p10_s * units;
  if (figures.p90_s > 0) result.counters["p90"] = figures.p90_s * units;
  if (figures.mean_s > 0) result.counters["mean"] = figures.mean_s * units;
  return result;
}

}  // namespace assay::runner
