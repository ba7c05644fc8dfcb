#include "benchmarks/harness/runner/case_run.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/environment/environment.h"
#include "benchmarks/harness/environment/torch_facts.h"
#include "benchmarks/harness/execution/seeded_model.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/given_tensors.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/presentation.h"
#include "benchmarks/harness/runner/subjects.h"
#include "benchmarks/harness/runner/verification.h"
#include "benchmarks/harness/runner/watchdog.h"
#include "benchmarks/harness/sampling/cuda/cuda_plugin.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"

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
  const Watchdog watchdog(settings_.timeout, [this] { OnTimeout(); });
  const Outcome outcome = Act();
  if (usage_error_) return 3;
  absl::MutexLock lock(&record_mutex_);
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
  environment::EnvironmentSources sources;
  sources.threads = at::get_num_threads();
  sources.gpu = settings_.device == CUDA && device_ != nullptr ? &device_->Facts() : nullptr;
  environment = environment::ReadEnvironment(sources);
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
  if (const absl::Status possible = CheckWays(); !possible.ok()) {
    return UsageError(possible);
  }
  if (const Outcome given = ReadGiven(); given != PASS) return given;
  const absl::Status built = BuildModel();
  // A clock's DataLoss is a lost device, a checkpoint's is the wrong file.
  const bool misfit = absl::IsInvalidArgument(built) || absl::IsDataLoss(built);
  if (misfit && given_.weights) return UsageError(built);
  if (!built.ok()) return Fail(built);
  given_.weights.reset();  // the model has its own copy
  const Outcome verdict = VerifyCase();
  if (settings_.action == Action::kVerify) return verdict;
  if (*interrupted_) return INTERRUPTED;
  out_ << MachineLine(record_.environment()) << std::flush;
  const Outcome measured = Measure();
  environment::AddFactsAfter(sources, environment);
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

// Seen only once the device is open and the files are read: nothing is recorded.
Outcome CaseRun::UsageError(const absl::Status& status) {
  std::cerr << "assay: " << status.message() << "\n";
  usage_error_ = true;
  return OUTCOME_UNSPECIFIED;
}

// PASS, or how the run ends because of a file that the user named.
Outcome CaseRun::ReadGiven() {
  if (!settings_.given.replaces_tensors()) return PASS;
  absl::StatusOr<GivenFiles> given = ReadGivenFiles(settings_.given, case_);
  if (given.ok()) {
    given_ = *std::move(given);
    return PASS;
  }
  const absl::Status& status = given.status();
  if (absl::IsResourceExhausted(status)) return Fail(status);
  if (!Unreadable(status)) return UsageError(status);
  Fail(status);
  return ARTIFACT_UNAVAILABLE;
}

absl::Status CaseRun::LoadWeights() {
  absl::StatusOr<LoadedModel> loaded = ModelWithWeights(*given_.weights, case_);
  if (!loaded.ok()) return loaded.status();
  model_ = std::move(loaded->model);
  *record_.mutable_weights() = std::move(loaded->weights);
  out_ << GivenLines("weights", record_.weights());
  return execution::Move(*model_, TorchDevice(), case_.benchmark_case().dtype());
}

absl::Status CaseRun::BuildModel() {
  if (given_.weights) return LoadWeights();
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
    verdict = Judge();
  }
  return PresentVerdict();
}

Verdict CaseRun::Judge() {
  if (!settings_.given.replaces_tensors()) {
    return Verify(case_, *model_, TorchDevice(), settings_.reference_path);
  }
  if (!given_.inputs.empty()) {
    *record_.mutable_inputs() = given_.inputs_identity;
    out_ << GivenLines("inputs", record_.inputs());
  }
  if (given_.reference) {
    Verdict verdict =
        VerifyAgainst(case_, *model_, TorchDevice(), given_.inputs, given_.reference->outputs);
    *verdict.mutable_reference() = given_.reference->artifact;
    return verdict;
  }
  return NotComparable(settings_.given.weights.empty() ? "inputs" : "weights",
                       settings_.given.weights.empty() ? record_.inputs() : record_.weights());
}

Outcome CaseRun::PresentVerdict() {
  const Verdict& verdict = record_.verdict();
  out_ << VerdictLines(verdict) << std::flush;
  if (verdict.outcome() != PASS && Explained(verdict.outcome())) {
    std::cerr << FailureText(
        case_, verdict, DeviceText(settings_.device, record_.environment()),
        settings_.given.replaces_tensors() ? CommandText(case_, line_.as_given) : "");
  }
  return verdict.outcome();
}

// A mode or a phase that the device cannot do is the command line's fault, and known before
// anything is built.
absl::Status CaseRun::CheckWays() const {
  for (const Way& way : settings_.ways) {
    const auto* mode = std::get_if<sampling::Mode>(&way);
    if (mode == nullptr) continue;
    const absl::Status possible = sampling::RecipeOf(*device_, *mode).status();
    if (!possible.ok()) return possible;
  }
  for (const execution::Phase phase : settings_.phases) {
    const absl::Status possible = execution::CheckPhase(phase, TorchDevice());
    if (!possible.ok()) return possible;
  }
  return absl::OkStatus();
}

void CaseRun::Keep(const Measurement& measurement) {
  absl::MutexLock lock(&record_mutex_);
  Measurement& kept = *record_.add_measurements();
  kept = measurement;
  kept.set_injected_share(settings_.injected_share);
}

void CaseRun::OnTimeout() {
  absl::MutexLock lock(&record_mutex_);  // never given back: nothing may change the record any more
  const std::string message =
      absl::StrCat("not done within ", absl::FormatDuration(settings_.timeout), " (--timeout)",
                   in_progress_.empty() ? "" : absl::StrCat(", in ", in_progress_));
  std::cerr << case_.benchmark_case().name() << ": TIMEOUT: " << message << "\n";
  record_.set_error(message);
  std::_Exit(Finish(TIMEOUT));
}

Outcome CaseRun::Measure() {
  MeasuringOptions options;
  options.case_name = case_.benchmark_case().name();
  options.filter = settings_.filter;
  options.preset = settings_.preset;
  std::vector<Way> ways = settings_.ways;
  if (ways.empty()) {
    for (const sampling::Mode mode : sampling::DefaultModes(*device_)) ways.push_back(mode);
  }
  options.parts = PartsOf(settings_.phases, ways);
  options.sampling.interrupted = interrupted_;
  options.sampling.precision.budget = settings_.budget;
  // A few milliseconds of a short case would say nothing about the second after them.
  options.sampling.precision.min_time = settings_.budget / 4;
  if (settings_.strict_budget) options.sampling.precision.min_samples_in_budget = 1;
  options.sampling.cpus = std::max(record_.environment().cpu_count(), 1);
  Subjects subjects(case_, settings_, record_.environment(), *model_, *device_, TorchDevice());
  const absl::Status measured =
      MeasureCase(options, line_, *device_,
                  {.subject = [&](execution::Phase phase) { return subjects.For(phase); },
                   .begun =
                       [this](const std::string& name) {
                         absl::MutexLock lock(&record_mutex_);
                         in_progress_ = name;
                       },
                   .done = [this](const Measurement& measurement) { Keep(measurement); }});
  out_ << WarmupLine(record_) << CheckLines(record_) << std::flush;
  if (*interrupted_) {
    std::cerr << case_.benchmark_case().name()
              << ": interrupted; what was measured until then is kept\n";
    return INTERRUPTED;
  }
  if (!measured.ok()) return Fail(measured);
  return PASS;
}

}  // namespace assay::runner
