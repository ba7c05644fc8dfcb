#include "benchmarks/harness/record/measurement.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/statistics/intervals/series_interval.h"
#include "benchmarks/harness/statistics/intervals/summary.h"

namespace assay::record {
namespace {

void SetFigures(const statistics::Summary& summary, Measurement& measurement) {
  measurement.set_median_ns(summary.median);
  measurement.set_minimum_ns(summary.minimum);
  measurement.set_mean_ns(summary.mean);
  if (summary.p10) measurement.set_p10_ns(*summary.p10);
  if (summary.p90) measurement.set_p90_ns(*summary.p90);
  if (summary.p99) measurement.set_p99_ns(*summary.p99);
  measurement.set_outliers_mild(summary.outliers.low_mild + summary.outliers.high_mild);
  measurement.set_outliers_severe(summary.outliers.low_severe + summary.outliers.high_severe);
}

CheckStatus StatusOf(sampling::CheckStatus status) {
  switch (status) {
    case sampling::CheckStatus::kOk:
      return CHECK_OK;
    case sampling::CheckStatus::kNoted:
      return CHECK_NOTED;
    case sampling::CheckStatus::kFlagged:
      return CHECK_FLAGGED;
    case sampling::CheckStatus::kNotRun:
      return CHECK_NOT_RUN;
  }
  return CHECK_STATUS_UNSPECIFIED;
}

void SetEvidence(const sampling::SampleSet& set, Measurement& measurement) {
  for (const sampling::Check& check : set.checks) {
    Check& kept = *measurement.add_checks();
    kept.set_name(std::string(check.name));
    kept.set_status(StatusOf(check.status));
    kept.set_detail(check.detail);
  }
  measurement.set_elapsed_s(static_cast<double>(set.elapsed_ns) * 1e-9);
  double timed_ns = 0;
  for (const double sample_ns : set.samples_ns)
    timed_ns += sample_ns * static_cast<double>(set.calls_per_sample);
  if (set.elapsed_ns > 0)
    measurement.set_timed_share(timed_ns / static_cast<double>(set.elapsed_ns));
  measurement.set_enqueue_ns(set.enqueue_ns);
  if (set.null_ns) measurement.set_null_ns(static_cast<double>(*set.null_ns));
  measurement.mutable_clock_mhz()->Add(set.clock_mhz.begin(), set.clock_mhz.end());
  measurement.set_bytes_touched(set.bytes_touched);
  measurement.set_peak_device_bytes(set.peak_device_bytes);
  measurement.set_peak_host_bytes(set.peak_host_bytes);
  measurement.set_leaked_bytes(set.leaked_bytes);
}

void SetWarmup(const sampling::WarmupReport& warmup, Measurement& measurement) {
  measurement.set_first_call_ns(static_cast<double>(warmup.first_call_ns));
  measurement.set_warmup_ns(static_cast<double>(warmup.total_ns));
  measurement.set_warmup_calls(warmup.calls);
  measurement.set_steady(warmup.steady);
}

}  // namespace

absl::StatusOr<Measurement> ToMeasurement(const sampling::SampleSet& set, std::string_view step) {
  Measurement measurement;
  measurement.set_mode(std::string(sampling::ModeName(set.mode)));
  measurement.set_step(std::string(step));
  measurement.set_stop_reason(std::string(sampling::StopReasonName(set.stop_reason)));
  measurement.set_calls_per_sample(set.calls_per_sample);
  measurement.set_cpu_ns(set.cpu_ns);
  if (set.instructions) measurement.set_instructions_per_call(*set.instructions);
  measurement.set_instructions_missing(set.instructions_missing);
  measurement.mutable_samples_ns()->Add(set.samples_ns.begin(), set.samples_ns.end());

  SetEvidence(set, measurement);
  if (set.warmup) SetWarmup(*set.warmup, measurement);
  if (!set.samples_ns.empty()) {
    const absl::StatusOr<statistics::Summary> summary = statistics::Summarize(set.samples_ns);
    if (!summary.ok()) return summary.status();
    SetFigures(*summary, measurement);
    // Wider than the summary's where samples resemble their predecessors.
    const absl::StatusOr<statistics::Interval> interval =
        statistics::SeriesMedianInterval(set.samples_ns);
    if (interval.ok()) {
      measurement.set_ci_low_ns(interval->low);
      measurement.set_ci_high_ns(interval->high);
    }
  }
  return measurement;
}

absl::StatusOr<Measurement> ToMeasurement(const sampling::PassResult& pass, sampling::Preset preset,
                                          std::string_view step) {
  sampling::SampleSet set = {.mode = sampling::Mode::kWall};
  set.stop_reason = sampling::StopReason::kSampleCount;
  set.samples_ns = pass.measured_ns;
  set.cpu_ns = pass.cpu_ns;
  for (const int64_t peak : pass.peak_device_bytes)
    set.peak_device_bytes = std::max(set.peak_device_bytes, peak);
  absl::StatusOr<Measurement> measurement = ToMeasurement(set, step);
  if (measurement.ok()) measurement->set_preset(std::string(sampling::PresetName(preset)));
  return measurement;
}

}  // namespace assay::record
