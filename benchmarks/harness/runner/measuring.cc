#include "benchmarks/harness/runner/measuring.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <regex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/record/measurement.h"
#include "benchmarks/harness/runner/measure/engine_reporter.h"
#include "defs/case/case_steps.h"

namespace assay::runner {
namespace {

// Names of the checks of one status, "one_mode, steady".
std::string ChecksThatAre(CheckStatus status, const Measurement& m) {
  std::vector<std::string> names;
  for (const Check& check : m.checks()) {
    if (check.status() == status) names.push_back(check.name());
  }
  return absl::StrJoin(names, ", ");
}

// Runs one benchmark once: takes samples, then gives the library and the record their figures.
class CaseBenchmark {
 public:
  CaseBenchmark(std::string name, const BenchmarkSpec& spec, const MeasuringOptions& options,
                sampling::Device& device, const MeasuringHooks& hooks,
                std::vector<Figures>& figures, absl::Status& status)
      : name_(std::move(name)),
        spec_(spec),
        options_(options),
        device_(device),
        hooks_(hooks),
        figures_(figures),
        status_(status) {}

  void operator()(benchmark::State& state) const {
    while (state.KeepRunning()) {
      if (hooks_.begun) hooks_.begun(name_);
      const absl::StatusOr<Measurement> measurement = Take();
      if (!measurement.ok()) {
        // A measurement that is impossible here (a graph of work that cannot be captured) is no
        // failure of the case; the record has the reason in place of figures.
        if (absl::IsFailedPrecondition(measurement.status())) {
          hooks_.done(Unavailable(measurement.status()));
        } else {
          status_.Update(measurement.status());
        }
        figures_.emplace_back();
        state.SkipWithError(std::string(measurement.status().message()).c_str());
        break;
      }
      Report(*measurement, state);
      hooks_.done(*measurement);
    }
  }

 private:
  Measurement Unavailable(const absl::Status& reason) const {
    Measurement measurement;
    measurement.set_step(spec_.step);
    measurement.set_mode(MethodName(spec_.method));
    Check& check = *measurement.add_checks();
    check.set_name("available");
    check.set_status(CHECK_NOT_RUN);
    check.set_detail(std::string(reason.message()));
    return measurement;
  }

  absl::StatusOr<Measurement> Take() const {
    const absl::StatusOr<MeasuredStep> timed = hooks_.step(spec_.step);
    if (!timed.ok()) return timed.status();
    absl::StatusOr<Measurement> measurement;
    const absl::Status caught = base::CatchTorch(absl::StrCat("measuring step ", spec_.step),
                                                 [&] { measurement = TakeSamples(*timed); });
    if (!caught.ok()) return caught;
    if (!measurement.ok()) return measurement.status();
    costs::AddCost(timed->cost, *measurement);
    measurement->set_headline(timed->spec.headline());
    measurement->set_unit(timed->spec.unit());
    measurement->set_units_per_call(timed->spec.units_per_call());
    measurement->set_budget_s(absl::ToDoubleSeconds(options_.sampling.precision.budget));
    return measurement;
  }

  absl::StatusOr<Measurement> TakeSamples(const MeasuredStep& timed) const {
    if (const auto* preset = std::get_if<sampling::Preset>(&spec_.method))
      return TakePreset(*preset, timed);
    sampling::SamplingOptions sampling = options_.sampling;
    sampling.hardware_limits = timed.hardware_limits;
    const absl::StatusOr<sampling::SampleSet> samples = sampling::Measure(
        device_, std::get<sampling::Mode>(spec_.method), *timed.workload, sampling);
    if (!samples.ok()) return samples.status();
    if (samples->samples_ns.empty())
      return absl::CancelledError("interrupted before the first sample");
    return record::ToMeasurement(*samples, spec_.step);
  }

  // A preset keeps no checks: it measures as the other suite does, with that suite's faults.
  absl::StatusOr<Measurement> TakePreset(sampling::Preset preset, const MeasuredStep& timed) const {
    sampling::TimedWork& workload = *timed.workload;
    sampling::PresetCalls calls = {.forward = [&] { workload.Call(); }};
    if (workload.HasPreparation()) {
      calls = {.forward = [&] { workload.Prepare(); }, .backward = [&] { workload.Call(); }};
    }
    const bool rotate = options_.sampling.rotate_inputs && workload.InputSets() > 1;
    if (rotate) {
      calls.inputs = [&workload, set = 0]() mutable {
        workload.UseInputs(set++ % workload.InputSets());
      };
    }
    const absl::StatusOr<sampling::PresetResult> result =
        sampling::MeasurePreset(device_, preset, calls, options_.preset);
    if (rotate) workload.UseInputs(0);
    if (!result.ok()) return result.status();
    absl::StatusOr<Measurement> measurement = record::ToMeasurement(
        calls.backward ? result->backward : result->forward, preset, spec_.step);
    if (rotate && measurement.ok())
      measurement->set_bytes_touched(workload.InputBytes() * workload.InputSets());
    return measurement;
  }

  void Report(const Measurement& m, benchmark::State& state) const {
    state.SetIterationTime(m.median_ns() * 1e-9);
    const int64_t samples = m.samples_ns_size();
    figures_.push_back({.median_s = m.median_ns() * 1e-9,
                        .cpu_s = m.cpu_ns() * 1e-9,
                        .p10_s = m.p10_ns() * 1e-9,
                        .p90_s = m.p90_ns() * 1e-9,
                        .mean_s = m.preset() == "do_bench" ? m.mean_ns() * 1e-9 : 0,
                        .samples = samples});
    if (m.units_per_call() > 0)
      state.counters[absl::StrCat(m.unit(), "s/s")] = 1e9 * m.units_per_call() / m.median_ns();
    if (m.flops_per_call() > 0) state.counters["GFLOP/s"] = m.flops_per_call() / m.median_ns();
    if ((options_.show_bandwidth || m.step() == steps::kDecode) && m.bytes_per_call() > 0)
      state.counters["GB/s"] = m.bytes_per_call() / m.median_ns();
    // ci%: half the width of the median's 95 % interval, in percent of the median.
    if (m.ci_high_ns() > 0)
      state.counters["ci%"] = 50 * (m.ci_high_ns() - m.ci_low_ns()) / m.median_ns();
    const std::string flagged = ChecksThatAre(CHECK_FLAGGED, m);
    if (!flagged.empty()) state.SetLabel(absl::StrCat("FLAGGED: ", flagged));
  }

  const std::string name_;
  const BenchmarkSpec spec_;
  const MeasuringOptions& options_;
  sampling::Device& device_;
  const MeasuringHooks& hooks_;
  std::vector<Figures>& figures_;
  absl::Status& status_;
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

// The library keeps a context for the whole process, and complains of a key that it has already.
void AddContextOnce(const MeasuringOptions& options) {
  static bool added = false;
  if (std::exchange(added, true)) return;
  for (const auto& [key, value] : options.context) benchmark::AddCustomContext(key, value);
}

}  // namespace

std::string MethodName(const Method& method) {
  if (const auto* mode = std::get_if<sampling::Mode>(&method))
    return std::string(sampling::ModeName(*mode));
  return std::string(sampling::PresetName(std::get<sampling::Preset>(method)));
}

std::string BenchmarkSpec::Name(const std::string& case_name) const {
  const std::string name = absl::StrCat(case_name, "/", MethodName(method));
  if (step == steps::kForward) return name;
  return absl::StrCat(name, "/", step);
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

absl::Status MeasureCase(const MeasuringOptions& options, const CommandLine& line,
                         sampling::Device& device, const MeasuringHooks& hooks) {
  absl::Status status;
  FigureTable figures;
  benchmark::ClearRegisteredBenchmarks();  // left by an earlier case of this process
  AddContextOnce(options);
  for (const BenchmarkSpec& spec : options.benchmarks) {
    const std::string name = spec.Name(options.case_name);
    const absl::StatusOr<bool> wanted = MatchesFilter(name, options.filter);
    if (!wanted.ok() || !*wanted) continue;
    // Pointers into the map stay valid: it is not changed while the benchmarks run.
    benchmark::RegisterBenchmark(
        name.c_str(), CaseBenchmark(name, spec, options, device, hooks, figures[name], status))
        ->Iterations(1)
        ->UseManualTime();
  }
  // The library owns the reporter that it makes here, and returns the same one again.
  const bool plain = line.console_format && !line.tabular_counters;
  EngineReporter display(&figures, benchmark::CreateDefaultDisplayReporter(), plain);
  const std::unique_ptr<benchmark::BenchmarkReporter> printer = FilePrinter(line);
  EngineReporter file(&figures, printer.get());
  benchmark::RunSpecifiedBenchmarks(&display, WantsFile(line) ? &file : nullptr);
  return status;
}

}  // namespace assay::runner
