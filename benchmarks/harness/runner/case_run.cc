#include "benchmarks/harness/runner/case_run.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/environment/environment.h"
#include "benchmarks/harness/environment/torch_facts.h"
#include "benchmarks/harness/execution/flop_count.h"
#include "benchmarks/harness/execution/seeded_executable.h"
#include "benchmarks/harness/execution/seeded_model.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/presentation.h"
#include "benchmarks/harness/runner/verification.h"
#include "benchmarks/harness/sampling/cpu_device.h"
#include "benchmarks/harness/sampling/cuda_plugin.h"

namespace assay::runner {

CaseRun::CaseRun(ResolvedCase c, CommandLine line, Settings settings,
                 const std::atomic<bool>* interrupted)
    : case_(std::move(c)),
      line_(std::move(line)),
      settings_(std::move(settings)),
      interrupted_(interrupted),
      // JSON and CSV must be all that there is on standard output.
      out_(line_.console_format ? std::cout : std::cerr) {}

int CaseRun::Execute() {
  const absl::Time start = absl::Now();
  record_.set_schema_version(1);
  *record_.mutable_benchmark_case() = case_.benchmark_case();
  *record_.mutable_workload() = case_.measured();
  record_.set_device(settings_.device);
  record_.set_started_utc(absl::FormatTime(absl::RFC3339_sec, start, absl::UTCTimeZone()));
  record_.mutable_flags()->Assign(line_.as_given.begin(), line_.as_given.end());
  const std::string path = settings_.record_path;
  if (!path.empty()) {
    // Before a minute of measuring, not after it.
    const absl::Status writable = record::CheckAppendable(path);
    if (!writable.ok()) {
      std::cerr << case_.benchmark_case().name() << ": " << writable.message() << "\n";
      return record::ExitCode(RECORD_FAILED);
    }
  }
  const Outcome outcome = Act();
  record_.set_duration_s(absl::ToDoubleSeconds(absl::Now() - start));
  return Finish(outcome);
}

int CaseRun::Finish(Outcome outcome) {
  record_.set_outcome(outcome);
  const std::string path = settings_.record_path;
  if (!path.empty()) {
    const absl::Status appended = record::Append(path, record_);
    if (!appended.ok()) {
      std::cerr << case_.benchmark_case().name() << ": " << appended.message() << "\n";
      return std::max(record::ExitCode(RECORD_FAILED), record::ExitCode(outcome));
    }
    out_ << "record    appended to " << path << "\n";
  }
  return record::ExitCode(outcome);
}

Outcome CaseRun::Act() {
  const Outcome opened = OpenDevice();
  Environment& environment = *record_.mutable_environment();
  environment = environment::ReadEnvironment(
      {.threads = at::get_num_threads(),
       .gpu = settings_.device == CUDA && device_ != nullptr ? &device_->Facts() : nullptr});
  environment::AddTorchFacts(environment);
  (*environment.mutable_variables())["allocator"] = settings_.retain_memory ? "retain" : "default";
  out_ << HeadLine(case_, settings_.device, record_.environment());
  if (opened != OUTCOME_UNSPECIFIED) return opened;
  const std::string skipped = Skipped();
  if (!skipped.empty()) {
    out_ << "verdict   SKIPPED    " << skipped << "\n";
    record_.set_error(skipped);
    return SKIPPED_DECLARED;
  }
  if (settings_.action == Action::kSmoke) {
    *record_.mutable_verdict() = Smoke(case_, TorchDevice());
    return PresentVerdict();
  }
  const absl::Status built = BuildModel();
  if (!built.ok()) return Fail(built);
  const Outcome verdict = VerifyCase();
  if (settings_.action == Action::kVerify) return verdict;
  if (*interrupted_) return INTERRUPTED;
  out_ << MachineLine(record_.environment()) << std::flush;
  const Outcome measured = Measure();
  return measured == PASS ? verdict : measured;
}

Outcome CaseRun::OpenDevice() {
  if (settings_.device == CPU) {
    device_ = std::make_unique<sampling::CpuDevice>();
    return OUTCOME_UNSPECIFIED;
  }
  absl::StatusOr<std::unique_ptr<sampling::Device>> opened =
      sampling::OpenCudaDevice(settings_.cuda_plugin_path);
  if (opened.ok()) {
    device_ = *std::move(opened);
    return OUTCOME_UNSPECIFIED;
  }
  std::cerr << case_.benchmark_case().name() << ": NO_DEVICE: " << opened.status().message()
            << "\n";
  record_.set_error(std::string(opened.status().message()));
  return NO_DEVICE;
}

std::string CaseRun::Skipped() const {
  for (const Skip& skip : case_.benchmark_case().skips()) {
    if (skip.device() == settings_.device)
      return absl::StrCat("on ", DeviceType_Name(skip.device()), ": ", skip.reason());
  }
  return "";
}

Outcome CaseRun::Fail(const absl::Status& status) {
  std::cerr << case_.benchmark_case().name() << ": " << status.message() << "\n";
  record_.set_error(std::string(status.message()));
  return OutcomeOf(status);
}

absl::Status CaseRun::BuildModel() {
  absl::StatusOr<std::unique_ptr<models::Model>> model = execution::SeededModel(
      case_.implementation(), case_.measured(), case_.benchmark_case().seed());
  if (!model.ok()) return model.status();
  model_ = *std::move(model);
  return execution::Move(*model_, TorchDevice(), case_.benchmark_case().dtype());
}

Outcome CaseRun::VerifyCase() {
  Verdict& verdict = *record_.mutable_verdict();
  if (!settings_.verify) {
    verdict.set_outcome(NOT_VERIFIED);
    verdict.set_message("--verify=off: nothing was compared");
  } else {
    verdict = Verify(case_, *model_, TorchDevice(), settings_.reference_path);
  }
  return PresentVerdict();
}

Outcome CaseRun::PresentVerdict() {
  const Verdict& verdict = record_.verdict();
  out_ << VerdictLines(verdict) << std::flush;
  if (verdict.outcome() != PASS && Explained(verdict.outcome())) {
    std::cerr << FailureText(case_, verdict, DeviceText(settings_.device, record_.environment()));
  }
  return verdict.outcome();
}

absl::StatusOr<Subject> CaseRun::MeasuredSubject() {
  if (executable_ == nullptr) {
    // Counted on the few rows that are verified: every operator that is counted works row by row.
    const BenchmarkCase& b = case_.benchmark_case();
    const auto few_rows = execution::PrepareSeeded(b, case_.verified(), *model_, TorchDevice());
    if (!few_rows.ok()) return few_rows.status();
    const absl::StatusOr<double> flops = execution::CountFlops(**few_rows);
    if (!flops.ok()) return flops.status();
    const double rows = static_cast<double>(case_.measured().batch());
    flops_per_call_ = *flops * rows / static_cast<double>(case_.verified().batch());
    absl::StatusOr<std::unique_ptr<execution::Executable>> all_rows =
        execution::PrepareSeeded(b, case_.measured(), *model_, TorchDevice());
    if (!all_rows.ok()) return all_rows.status();
    executable_ = *std::move(all_rows);
  }
  return Subject{.executable = executable_.get(), .flops_per_call = flops_per_call_};
}

Outcome CaseRun::Measure() {
  sampling::SamplingOptions options;
  options.interrupted = interrupted_;
  options.precision.budget = settings_.budget;
  const std::vector<sampling::Mode> modes =
      settings_.modes.empty() ? sampling::DefaultModes(*device_) : settings_.modes;
  Measured measured = MeasureCase(case_.benchmark_case().name(), modes, settings_.filter, options,
                                  line_, *device_, [this] { return MeasuredSubject(); });
  record_.mutable_measurements()->Assign(measured.measurements.begin(),
                                         measured.measurements.end());
  if (*interrupted_) {
    std::cerr << case_.benchmark_case().name()
              << ": interrupted; what was measured until then is kept\n";
    return INTERRUPTED;
  }
  if (!measured.status.ok()) return Fail(measured.status);
  return PASS;
}

}  // namespace assay::runner
