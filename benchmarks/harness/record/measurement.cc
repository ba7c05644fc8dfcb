#include "benchmarks/harness/record/measurement.h"

#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/statistics/summary.h"

namespace assay::record {
namespace {

void SetFigures(const statistics::Summary& summary, Measurement& measurement) {
  measurement.set_median_ns(summary.median);
  measurement.set_minimum_ns(summary.minimum);
  measurement.set_mean_ns(summary.mean);
  if (summary.median_interval) {
    measurement.set_ci_low_ns(summary.median_interval->low);
    measurement.set_ci_high_ns(summary.median_interval->high);
  }
  if (summary.p10) measurement.set_p10_ns(*summary.p10);
  if (summary.p90) measurement.set_p90_ns(*summary.p90);
}

void SetWarmup(const sampling::WarmupReport& warmup, Measurement& measurement) {
  measurement.set_first_call_ns(static_cast<double>(warmup.first_call_ns));
  measurement.set_warmup_ns(static_cast<double>(warmup.total_ns));
  measurement.set_warmup_calls(warmup.calls);
  measurement.set_steady(warmup.steady);
}

}  // namespace

absl::StatusOr<Measurement> ToMeasurement(const sampling::SampleSet& set, std::string_view phase) {
  Measurement measurement;
  measurement.set_mode(std::string(sampling::ModeName(set.mode)));
  measurement.set_phase(std::string(phase));
  measurement.set_stop_reason(std::string(sampling::StopReasonName(set.stop_reason)));
  measurement.set_calls_per_sample(set.calls_per_sample);
  measurement.set_cpu_ns(set.cpu_ns);
  measurement.mutable_samples_ns()->Add(set.samples_ns.begin(), set.samples_ns.end());
  measurement.mutable_flags()->Add(set.flags.begin(), set.flags.end());
  if (set.warmup) SetWarmup(*set.warmup, measurement);
  if (!set.samples_ns.empty()) {
    const absl::StatusOr<statistics::Summary> summary = statistics::Summarize(set.samples_ns);
    if (!summary.ok()) return summary.status();
    SetFigures(*summary, measurement);
  }
  return measurement;
}

}  // namespace assay::record
