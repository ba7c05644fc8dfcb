#include "benchmarks/harness/runner/measuring.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <regex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/numerics/torch_status.h"
#include "benchmarks/harness/record/measurement.h"
#include "benchmarks/harness/runner/engine_reporter.h"

namespace assay::runner {
namespace {

// One run of one benchmark: samples, then what the library and the record need of them.
class CaseBenchmark {
 public:
  CaseBenchmark(sampling::Mode mode, const sampling::SamplingOptions& options,
                sampling::Device& device, SubjectSource subject, std::vector<Figures>& figures,
                Measured& measured)
      : mode_(mode),
        options_(options),
        device_(device),
        subject_(subject),
        figures_(figures),
        measured_(measured) {}

  void operator()(benchmark::State& state) const {
    while (state.KeepRunning()) {
      absl::StatusOr<Measurement> measurement = Take();
      if (!measurement.ok()) {
        if (measured_.status.ok()) measured_.status = measurement.status();
        figures_.emplace_back();
        state.SkipWithError(std::string(measurement.status().message()).c_str());
        break;
      }
      Report(*measurement, state);
      measured_.measurements.push_back(*std::move(measurement));
    }
  }

 private:
  absl::StatusOr<Measurement> Take() const {
    const absl::StatusOr<Subject> subject = subject_();
    if (!subject.ok()) return subject.status();
    absl::StatusOr<sampling::SampleSet> samples;
    const absl::Status caught = numerics::CatchTorch("measuring", [&] {
      samples = sampling::Measure(
          device_, mode_, [&] { subject->executable->Call(); }, options_);
    });
    if (!caught.ok()) return caught;
    if (!samples.ok()) return samples.status();
    if (samples->samples_ns.empty())
      return absl::CancelledError("interrupted before the first sample");
    absl::StatusOr<Measurement> measurement = record::ToMeasurement(*samples, "forward");
    if (measurement.ok()) measurement->set_flops_per_call(subject->flops_per_call);
    return measurement;
  }

  void Report(const Measurement& m, benchmark::State& state) const {
    state.SetIterationTime(m.median_ns() * 1e-9);
    const int64_t samples = m.samples_ns_size();
    figures_.push_back({.median_s = m.median_ns() * 1e-9,
                        .cpu_s = m.cpu_ns() * 1e-9,
                        .p10_s = m.p10_ns() * 1e-9,
                        .p90_s = m.p90_ns() * 1e-9,
                        .samples = samples});
    if (m.flops_per_call() > 0) state.counters["GFLOP/s"] = m.flops_per_call() / m.median_ns();
    // Half the width of the median's 95 % interval, in percent of the median.
    if (m.ci_high_ns() > 0)
      state.counters["ci%"] = 50 * (m.ci_high_ns() - m.ci_low_ns()) / m.median_ns();
  }

  const sampling::Mode mode_;
  const sampling::SamplingOptions& options_;
  sampling::Device& device_;
  const SubjectSource subject_;
  std::vector<Figures>& figures_;
  Measured& measured_;
};

std::unique_ptr<benchmark::BenchmarkReporter> FilePrinter(const CommandLine& line) {
  for (const std::string& argument : line.benchmark_arguments) {
    if (argument == "--benchmark_out_format=console")
      return std::make_unique<benchmark::ConsoleReporter>();
  }
  return std::make_unique<benchmark::JSONReporter>();
}

bool WantsFile(const CommandLine& line) {
  for (const std::string& argument : line.benchmark_arguments) {
    if (argument.rfind("--benchmark_out=", 0) == 0) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> BenchmarkNames(const std::string& case_name,
                                        const std::vector<sampling::Mode>& modes) {
  std::vector<std::string> names;
  for (const sampling::Mode mode : modes)
    names.push_back(absl::StrCat(case_name, "/", sampling::ModeName(mode)));
  return names;
}

absl::StatusOr<bool> MatchesFilter(const std::string& name, const std::string& filter) {
  if (filter.empty() || filter == "all") return true;
  const bool negative = filter[0] == '-';
  try {
    return std::regex_search(
               name, std::regex(filter.substr(negative ? 1 : 0), std::regex::extended)) != negative;
  } catch (const std::regex_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("--benchmark_filter=", filter, " is no regular expression: ", error.what()));
  }
}

Measured MeasureCase(const std::string& case_name, const std::vector<sampling::Mode>& modes,
                     const std::string& filter, const sampling::SamplingOptions& options,
                     const CommandLine& line, sampling::Device& device, SubjectSource subject) {
  Measured measured;
  FigureTable figures;
  const std::vector<std::string> names = BenchmarkNames(case_name, modes);
  for (size_t i = 0; i < modes.size(); ++i) {
    const absl::StatusOr<bool> wanted = MatchesFilter(names[i], filter);
    if (!wanted.ok() || !*wanted) continue;
    // Never resized while the benchmarks run, and a map's values stay where they are.
    benchmark::RegisterBenchmark(names[i].c_str(), CaseBenchmark(modes[i], options, device, subject,
                                                                 figures[names[i]], measured))
        ->Iterations(1)
        ->UseManualTime();
  }
  EngineReporter display(&figures, std::unique_ptr<benchmark::BenchmarkReporter>(
                                       benchmark::CreateDefaultDisplayReporter()));
  EngineReporter file(&figures, FilePrinter(line));
  benchmark::RunSpecifiedBenchmarks(&display, WantsFile(line) ? &file : nullptr);
  return measured;
}

}  // namespace assay::runner
