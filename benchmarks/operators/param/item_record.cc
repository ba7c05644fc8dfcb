#include "benchmarks/operators/param/item_record.h"

#include "absl/strings/match.h"
#include "benchmarks/harness/record/measurement.h"
#include "defs/case/program_kinds.h"

namespace assay::param {
namespace {

// The step whose time stands for the item, as its kind has it.
std::string HeadlineOf(const BenchmarkCase& c) {
  ResolvedCase resolved;
  *resolved.mutable_benchmark_case() = c;
  for (const StepRow& step : KindOf(c).steps(resolved)) {
    if (step.headline) return std::string(step.name);
  }
  return "";
}

}  // namespace

Record NewItemRecord(const Settings& settings, const std::string& operator_name,
                     const std::string& run_id, absl::Time start) {
  constexpr int kSchemaVersion = 2;
  Record record;
  record.set_schema_version(kSchemaVersion);
  BenchmarkCase& c = *record.mutable_benchmark_case();
  c.set_name(run_id);
  c.mutable_operator_call()->set_name(operator_name);
  c.mutable_operator_call()->set_backward(settings.backward);
  c.set_seed(static_cast<uint64_t>(settings.seed));
  record.set_device(absl::StartsWith(settings.device, "cuda") ? CUDA : CPU);
  record.set_outcome(NOT_VERIFIED);
  record.mutable_verdict()->set_outcome(NOT_VERIFIED);
  record.mutable_verdict()->set_message("it was not compared: no call, or --verify=off");
  *record.mutable_flags() = {settings.as_given.begin(), settings.as_given.end()};
  record.set_started_utc(absl::FormatTime(absl::RFC3339_sec, start, absl::UTCTimeZone()));
  return record;
}

absl::Status AddMeasurements(const sampling::PresetResult& result, const Settings& settings,
                             Record& record) {
  const absl::StatusOr<sampling::Preset> preset = sampling::ParsePreset(settings.exec_mode);
  if (!preset.ok()) return preset.status();
  const auto add = [&](const sampling::PassResult& pass, const char* step) {
    if (pass.measured_ns.empty()) return absl::OkStatus();
    absl::StatusOr<Measurement> measurement = record::ToMeasurement(pass, *preset, step);
    if (!measurement.ok()) return measurement.status();
    measurement->set_warmup_calls(settings.warmup);
    measurement->set_headline(step == HeadlineOf(record.benchmark_case()));
    *record.add_measurements() = *std::move(measurement);
    return absl::OkStatus();
  };
  absl::Status added = add(result.forward, "forward");
  if (added.ok()) added = add(result.backward, "backward");
  return added;
}

bool SetOutcome(const std::string& error_class, const std::string& message, Record& record) {
  Outcome outcome;
  if (!Outcome_Parse(error_class, &outcome)) return false;
  record.set_outcome(outcome);
  record.set_error(message);
  return true;
}

}  // namespace assay::param
