#include "benchmarks/harness/runner/kept_record.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/configuration/case_configuration.h"
#include "benchmarks/harness/record/line_file.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/verdict/run_status.h"

namespace assay::runner {

absl::Status KeptRecord::Begin() {
  start_ = base::SteadyNow();
  record_.set_schema_version(2);
  *record_.mutable_benchmark_case() = case_.benchmark_case();
  *record_.mutable_workload() = case_.measured();
  record_.set_device(settings_.device);
  record_.set_started_utc(absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone()));
  *record_.mutable_flags() = {line_.as_given.begin(), line_.as_given.end()};
  KeepConfiguration("seeded");
  if (settings_.trace_replay.operators() > 0)
    *record_.mutable_trace_replay() = settings_.trace_replay;
  if (settings_.shared) record_.mutable_launch()->set_shared(true);
  const std::string& path = settings_.record_path;
  return path.empty() ? absl::OkStatus() : record::CheckAppendable(path);
}

void KeptRecord::KeepConfiguration(const std::string& weights, const std::string& module) {
  configuration::OtherSettings others = {{"weights", weights}};
  if (!settings_.mistake.empty()) others["mistake"] = settings_.mistake;
  if (!module.empty()) others["module"] = module;
  for (const auto& [name, value] : line_.backend_flags) {
    others[absl::StrCat("backend.", name)] = value;
  }
  Configuration made = configuration::ConfigurationOf(case_, line_.values, others);
  Keep([&](Record& record) { *record.mutable_configuration() = std::move(made); });
}

void KeptRecord::KeepMeasurement(const Measurement& measurement) {
  Keep([&](Record& record) {
    Measurement& kept = *record.add_measurements();
    kept = measurement;
    kept.set_injected_share(settings_.injected_share);
  });
}

void KeptRecord::Doing(std::string what) {
  absl::MutexLock lock(&mutex_);
  doing_ = std::move(what);
}

int KeptRecord::Finish(const absl::Status& ended) {
  absl::MutexLock lock(&mutex_);
  return Write(ended);
}

void KeptRecord::GiveUp(Outcome outcome, std::string_view why) {
  absl::MutexLock lock(&mutex_);  // never unlocked: the record is final from here on
  std::_Exit(Write(
      Ended(outcome, absl::StrCat(why, doing_.empty() ? "" : absl::StrCat(", in ", doing_)))));
}

int KeptRecord::Write(const absl::Status& ended) {
  const Outcome outcome = OutcomeOf(ended);
  if (!ended.message().empty()) {
    std::cerr << case_.benchmark_case().name() << ": " << record::OutcomeName(outcome) << ": "
              << ended.message() << "\n";
    record_.set_error(std::string(ended.message()));
  }
  record_.set_outcome(outcome);
  record_.set_duration_s(absl::ToDoubleSeconds(base::SteadyNow() - start_));
  if (const absl::Status testified = Testify(outcome); !testified.ok()) {
    std::cerr << case_.benchmark_case().name() << ": " << testified.message() << "\n";
    return record::ExitCode(RECORD_FAILED);
  }
  const std::string& path = settings_.record_path;
  if (path.empty()) return record::ExitCode(outcome);
  const absl::Status appended = record::Append(path, record_);
  if (!appended.ok()) {
    std::cerr << case_.benchmark_case().name() << ": " << appended.message() << "\n";
    return std::max(record::ExitCode(RECORD_FAILED), record::ExitCode(outcome));
  }
  out_ << "record    appended to " << path << "\n";
  return record::ExitCode(outcome);
}

// Tells a test that this case, as declared, reached its verdict. An exit code of 0 alone does not
// prove that: a process that something ended early may have it, and so may one that was asked for
// something else.
absl::Status KeptRecord::Testify(Outcome outcome) const {
  const char* path = std::getenv("ASSAY_TESTIMONY");
  // A smoke run compares nothing: its good outcome is NOT_VERIFIED.
  const Outcome good = settings_.action == Action::kSmoke ? NOT_VERIFIED : PASS;
  if (path == nullptr || (outcome != good && outcome != SKIPPED_DECLARED)) return absl::OkStatus();
  if (settings_.call.any() || settings_.given.replaces_tensors() || !settings_.mistake.empty() ||
      !settings_.module_path.empty() || settings_.accuracy.changes_verdict())
    return absl::OkStatus();
  // One line per case: other cases of the process write to the same file.
  return record::AppendLine(
      {.path = path, .kind = "testimony"},
      absl::StrCat(ActionName(settings_.action), " ", case_.benchmark_case().label()));
}

}  // namespace assay::runner
