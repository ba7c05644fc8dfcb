#include "benchmarks/harness/runner/case_run.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/environment/environment.h"
#include "benchmarks/harness/environment/process_age.h"
#include "benchmarks/harness/environment/torch_facts.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/kept_inputs.h"
#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/processes/watchdog.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/programs/timed_inputs.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/runner/after_measuring.h"
#include "benchmarks/harness/runner/benchmark_list.h"
#include "benchmarks/harness/runner/given/given_tensors.h"
#include "benchmarks/harness/runner/kept_record.h"
#include "benchmarks/harness/runner/measured_steps.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/output/generation_lines.h"
#include "benchmarks/harness/runner/output/plotting.h"
#include "benchmarks/harness/runner/output/presentation.h"
#include "benchmarks/harness/runner/profiling.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/vary/stale_size.h"
#include "benchmarks/harness/runner/vary/varied_case.h"
#include "benchmarks/harness/runner/verdict/mistake.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/timed_check.h"
#include "benchmarks/harness/runner/verdict/verdict_notes.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "benchmarks/harness/sampling/cuda/cuda_plugin.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/device/device_facts.h"
#include "defs/case/case_steps.h"
#include "defs/case/execution_names.h"
#include "defs/case/lowerings.h"
#include "defs/case/program_kinds.h"
#include "defs/case/written_inputs.h"

namespace assay::runner {
namespace {

// Ends a run because of a file that the user named.
absl::Status EndedByFile(const absl::Status& status) {
  if (absl::IsResourceExhausted(status)) return status;
  if (Unreadable(status)) return Ended(ARTIFACT_UNAVAILABLE, status.message());
  return UsageError(status.message());
}

// Whether the GPU has a lower compute capability than `least`, "10.0". False if it does not say its own.
bool IsBelow(const sampling::DeviceFacts& gpu, std::string_view least) {
  double has = 0, needs = 0;
  return absl::SimpleAtod(gpu.compute_capability, &has) && absl::SimpleAtod(least, &needs) &&
         has < needs;
}

}  // namespace

CaseRun::CaseRun(ResolvedCase c, CommandLine line, Settings settings,
                 const std::atomic<bool>* interrupted, LoadedProgram loaded,
                 std::vector<ResolvedCase> sizes)
    : case_(std::move(c)),
      sizes_(std::move(sizes)),
      line_(std::move(line)),
      settings_(std::move(settings)),
      interrupted_(interrupted),
      // With JSON and CSV, standard output holds nothing else.
      out_(line_.console_format ? std::cout : std::cerr),
      kept_(case_, line_, settings_, out_),
      loaded_(std::move(loaded)) {}

int CaseRun::Execute() {
  const int code = RunToRecord();
  if (settings_.plot_path.empty() || record_.measurements().empty()) return code;
  if (const absl::Status drawn = Plot(record_, settings_.plot_path); !drawn.ok()) {
    std::cerr << case_.benchmark_case().name() << ": " << drawn.message() << "\n";
    return code == 1 ? code : record::ExitCode(RECORD_FAILED);
  }
  out_ << "plot      " << settings_.plot_path << "\n";
  return code;
}

bool CaseRun::SpentTheDevice() {
  if (settings_.device == CPU || device_ == nullptr) return false;
  const Outcome outcome = record_.outcome();
  return outcome == CRASH || outcome == DEVICE_LOST || !device_->Synchronize().ok();
}

int CaseRun::RunToRecord() {
  absl::Status possible = kept_.Begin();
  if (possible.ok()) possible = CheckProfile(case_, settings_);
  if (!possible.ok()) {
    std::cerr << case_.benchmark_case().name() << ": " << possible.message() << "\n";
    return record::ExitCode(RECORD_FAILED);
  }
  absl::Status ended = settings_.plot_path.empty()
                           ? absl::OkStatus()
                           : CheckPlot(case_.benchmark_case().label(), settings_.plot_path);
  const absl::Duration left =
      settings_.timeout > absl::ZeroDuration()
          ? std::max(settings_.timeout - settings_.spent, absl::Milliseconds(1))
          : absl::ZeroDuration();
  const processes::Watchdog watchdog(left, [this] {
    kept_.GiveUp(TIMEOUT, absl::StrCat("not done within ", absl::FormatDuration(settings_.timeout),
                                       " (--timeout)"));
  });
  if (ended.ok()) ended = Run();
  if (IsUsageError(ended)) {
    // A usage error that shows only once the device is open and files are read. Nothing is
    // recorded.
    std::cerr << "assay: " << ended.message() << "\n";
    return 3;
  }
  return kept_.Finish(ended);
}

absl::Status CaseRun::Run() {
  const absl::Status opened = OpenDevice();
  environment::EnvironmentSources sources;
  sources.threads = at::get_num_threads();
  sources.gpu = settings_.device == CUDA && device_ != nullptr ? &device_->Facts() : nullptr;
  Environment environment = environment::ReadEnvironment(sources);
  environment::AddTorchFacts(environment);
  (*environment.mutable_variables())["allocator"] = settings_.retain_memory ? "retain" : "default";
  const std::string kernels = execution::KernelsIdentity(execution::KernelsOverAten());
  if (!kernels.empty()) (*environment.mutable_variables())["kernels_over_aten"] = kernels;
  kept_.Keep([&](Record& record) { *record.mutable_environment() = std::move(environment); });
  out_ << HeadLine(case_.benchmark_case(), settings_.device, record_.environment());
  if (!opened.ok()) return opened;
  if (const std::string skipped = Skipped(); !skipped.empty()) {
    out_ << "verdict   SKIPPED    " << skipped << "\n";
    kept_.Keep([&](Record& record) { record.set_error(skipped); });
    return Ended(SKIPPED_DECLARED, "");
  }
  if (absl::Status possible = CheckLoweringOnDevice(); !possible.ok()) return possible;
  if (settings_.action == Action::kSmoke) {
    KeepVerdict(Smoke(case_, TorchDevice()));
    return Ended(record_.verdict().outcome(), "");
  }
  absl::Status status = ReadGiven();
  if (status.ok()) status = OpenAccuracy();
  if (status.ok()) status = CheckMemory();
  if (status.ok()) status = BuildProgram();
  if (status.ok()) status = CheckCall();
  if (status.ok()) status = LoadExecutable();
  if (status.ok() && settings_.mix) status = OpenSizes();
  if (!status.ok()) return status;
  given_.weights.reset();  // the program has its own copy
  const FinishedRun finished = {.c = case_,
                                .line = line_,
                                .settings = settings_,
                                .record = kept_,
                                .executable = *executable_,
                                .device = *device_,
                                .torch_device = TorchDevice(),
                                .as_given = timed_as_given_,
                                .interrupted = interrupted_,
                                .out = out_};
  if (settings_.profile.only_ranges) return RunProfilers(finished);
  Verdict verdict_of_case = Judge();
  if (varied_ != nullptr && settings_.verify && record::ExitCode(verdict_of_case.outcome()) != 1)
    varied_->Verify(verdict_of_case);
  if (varied_ != nullptr) verdict_of_case.clear_first_call_s();  // others were called before
  KeepVerdict(
      WithInputNotes(WithKernels(std::move(verdict_of_case)), case_.measured(), timed_as_given_));
  if (!given_.inputs.empty() && case_.benchmark_case().has_generation()) {
    if (const absl::Status shown = ShowGenerated(); !shown.ok()) return shown;
  }
  const Outcome verdict = record_.verdict().outcome();
  const absl::Status judged = verdict == PASS ? absl::OkStatus() : Ended(verdict, "");
  if (settings_.action == Action::kVerify) return judged;
  if (*interrupted_) return Ended(INTERRUPTED, "interrupted before anything was measured");
  out_ << MachineLine(record_.environment()) << std::flush;
  kept_.Keep([this](Record& record) {
    record.mutable_memory()->set_peak_host_bytes(device_->Memory().host_peak_bytes);
  });
  if (settings_.serves && record::ExitCode(OutcomeOf(judged)) == 1) return judged;
  absl::Status measured = settings_.serves ? Serve() : settings_.mix ? Vary() : Measure();
  kept_.Keep([&sources](Record& record) {
    environment::AddFactsAfter(sources, *record.mutable_environment());
  });
  if (measured.ok() && !settings_.serves) measured = LookAtMemory(finished);
  if (measured.ok() && settings_.energy) measured = TakeEnergy(finished);
  if (measured.ok() && settings_.peaks) measured = TakePeaks(finished);
  out_ << VariedLines(record_) << GenerationLines(record_) << WarmupLine(record_)
       << AttentionLine(record_) << ClockLine(record_) << MemoryLine(record_) << PeaksLine(record_)
       << CheckLines(record_) << std::flush;
  const bool looks = settings_.profile.any() || settings_.profile.capture ||
                     !settings_.profile.timeline_path.empty();
  if (!measured.ok() || !looks) return measured.ok() ? judged : measured;
  const absl::Status profiled = RunProfilers(finished);
  if (judged.ok() || profiled.ok()) return judged.ok() ? profiled : judged;
  std::cerr << case_.benchmark_case().name() << ": " << profiled.message() << "\n";
  return judged;
}

absl::Status CaseRun::OpenDevice() {
  if (settings_.device == CPU) {
    device_ = std::make_unique<sampling::CpuDevice>();
    return absl::OkStatus();
  }
  absl::StatusOr<std::unique_ptr<sampling::Device>> opened =
      sampling::OpenCudaDevice(settings_.cuda_plugin_path);
  if (!opened.ok()) return Ended(NO_DEVICE, opened.status().message());
  device_ = *std::move(opened);
  return absl::OkStatus();
}

std::string CaseRun::Skipped() const {
  for (const Skip& skip : case_.benchmark_case().skips()) {
    if (skip.device() != settings_.device) continue;
    const std::string& least = skip.below_capability();
    if (!least.empty() && !IsBelow(device_->Facts(), least)) continue;
    return absl::StrCat("on ", DeviceType_Name(skip.device()),
                        least.empty() ? "" : " below compute capability ", least, ": ",
                        skip.reason());
  }
  return "";
}

// A lowering that was asked for by its flag, which no Skip speaks of.
absl::Status CaseRun::CheckLoweringOnDevice() const {
  const lowerings::Row* const row = lowerings::Find(case_.benchmark_case().execution().lowering());
  if (row == nullptr || settings_.device != CUDA || !IsBelow(device_->Facts(), row->capability))
    return absl::OkStatus();
  const sampling::DeviceFacts& gpu = device_->Facts();
  return UsageError(absl::StrCat("--lowering=", row->name,
                                 ": its kernels need a GPU of compute capability ", row->capability,
                                 " or above; ", gpu.name, " has ", gpu.compute_capability,
                                 "; --lowering=", lowerings::kFp8Dynamic, " runs from 8.9 on"));
}

absl::Status CaseRun::ReadGiven() {
  if (!settings_.given.replaces_tensors()) return absl::OkStatus();
  const lowerings::Row* const row = lowerings::Find(case_.benchmark_case().execution().lowering());
  if (row != nullptr && row->calibrates && settings_.given.replaces_inputs()) {
    return UsageError(absl::StrCat("--inputs: the scales of --lowering=", row->name,
                                   " are those of the seeded inputs, and others may lie beyond "
                                   "their range; leave --inputs out, or give --lowering=none"));
  }
  absl::StatusOr<GivenFiles> given = ReadGivenFiles(settings_.given, case_);
  if (!given.ok()) return EndedByFile(given.status());
  given_ = *std::move(given);
  if (!given_.reference) given_.reference = std::move(loaded_.reference);
  // A case's own seeded inputs are what it measures.
  if (settings_.given.model.empty()) return absl::OkStatus();
  if (!FixedInputs(case_.measured()).empty()) {
    timed_as_given_ = given_.inputs;
    return absl::OkStatus();
  }
  return base::CatchTorch("looking for NaN in the inputs",
                          [this] { timed_as_given_ = execution::TimedAsGiven(given_.inputs); });
}

absl::Status CaseRun::OpenAccuracy() {
  absl::StatusOr<AccuracyChecks> accuracy = AccuracyChecks::Open(settings_.accuracy, case_);
  if (!accuracy.ok()) return EndedByFile(accuracy.status());
  accuracy_ = *std::move(accuracy);
  return absl::OkStatus();
}

// Inputs that do not fit into memory would have the kernel kill this process without a message.
absl::Status CaseRun::CheckMemory() const {
  const double available = static_cast<double>(record_.environment().memory_available_bytes());
  double bytes = execution::BytesOfInputs(case_.measured());
  for (const ResolvedCase& sized : sizes_)
    bytes += VariedCase::kSets * execution::BytesOfInputs(sized.measured());
  if (available <= 0 || bytes <= available) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "the inputs of batch ", case_.measured().batch(), sizes_.empty() ? "" : " and of --vary",
      " take ", static_cast<int64_t>(bytes / (1 << 20)), " MiB, of memory there are ",
      static_cast<int64_t>(available / (1 << 20)), " MiB; give a smaller ",
      sizes_.empty() ? "--batch" : "--vary"));
}

absl::Status CaseRun::LoadWeights() {
  absl::StatusOr<LoadedProgram> loaded =
      ProgramWithWeights(*given_.weights, settings_.given, case_);
  // DataLoss of a clock means a lost device; DataLoss of a checkpoint means a wrong file.
  if (absl::IsInvalidArgument(loaded.status()) || absl::IsDataLoss(loaded.status()))
    return UsageError(loaded.status().message());
  if (!loaded.ok()) return loaded.status();
  loaded_ = *std::move(loaded);
  return absl::OkStatus();
}

absl::Status CaseRun::BuildProgram() {
  if (loaded_.program == nullptr) {
    const absl::Duration start = base::SteadyNow();
    if (absl::Status made = MakeProgram(); !made.ok()) return made;
    kept_.Keep([taken = base::SteadyNow() - start](Record& record) {
      record.set_weights_s(absl::ToDoubleSeconds(taken));
    });
  }
  if (!given_.weights) return absl::OkStatus();
  kept_.Keep([this](Record& record) { *record.mutable_weights() = loaded_.weights; });
  kept_.KeepConfiguration(loaded_.weights.sha256());
  out_ << GivenLines("weights", record_.weights());
  return absl::OkStatus();
}

absl::Status CaseRun::MakeProgram() {
  if (given_.weights) {
    if (absl::Status loaded = LoadWeights(); !loaded.ok()) return loaded;
  } else {
    absl::StatusOr<std::unique_ptr<execution::Program>> program =
        execution::SeededProgram(case_, case_.measured(), case_.benchmark_case().dtype());
    if (!program.ok()) return program.status();
    loaded_.program = *std::move(program);
  }
  const absl::Status mistaken = MakeMistake(
      *loaded_.program, WorkerMistake().empty() && !MakesStaleSize() ? settings_.mistake : "");
  if (!mistaken.ok()) {
    return UsageError(absl::StrCat(
        mistaken.message(),
        settings_.serves ? "; its workers know " + absl::StrJoin(FindServing()->mistakes, ", ")
                         : ""));
  }
  absl::Status placed =
      execution::Place(*loaded_.program, TorchDevice(), case_.benchmark_case(), case_.referenced());
  return absl::IsInvalidArgument(placed) ? UsageError(placed.message()) : placed;
}

// A mode that the device does not have, and an execution or step that the back end does not have,
// are usage errors.
absl::Status CaseRun::CheckCall() const {
  const BenchmarkCase& b = case_.benchmark_case();
  const absl::StatusOr<const execution::Backend*> backend = execution::FindBackend(b.execution());
  if (!backend.ok()) return UsageError(backend.status().message());
  const absl::Status possible = (*backend)->Check(Request(), *loaded_.program);
  if (!possible.ok()) return UsageError(possible.message());
  const std::string name = BackendName(b.execution());
  if (!settings_.module_path.empty() && name == "eager") {
    return UsageError(absl::StrCat("--module: the back end eager reads no file; give --backend=",
                                   LinkableText(" or ")));
  }
  for (const Method& method : settings_.methods) {
    const auto* mode = std::get_if<sampling::Mode>(&method);
    if (mode == nullptr) continue;
    const absl::Status mode_possible = sampling::ProtocolOf(*device_, *mode).status();
    if (!mode_possible.ok()) return UsageError(mode_possible.message());
  }
  for (const StepSpec& step : case_.steps()) {
    if (step.copies() || (*backend)->Has(step) ||
        !absl::c_linear_search(settings_.steps, step.name()))
      continue;
    return UsageError(absl::StrCat("--steps=", step.name(), ": the back end ",
                                   BackendName(b.execution()), " does not have it"));
  }
  const absl::Status filtered =
      CheckFilter(settings_.filter, BenchmarksOf(settings_, case_, *device_), b.name());
  return filtered.ok() ? filtered : UsageError(filtered.message());
}

absl::Status CaseRun::LoadExecutable() {
  const absl::Duration start = base::SteadyNow();
  auto executable = execution::Load(Request(), *loaded_.program);
  const absl::Duration taken = base::SteadyNow() - start;
  // A back end reads a file, given or made.
  const bool of_file =
      !settings_.module_path.empty() || IsLinkable(BackendName(case_.benchmark_case().execution()));
  if (of_file && !executable.ok() && !absl::IsInternal(executable.status())) {
    // A file that was made of the case is no file of the user's.
    if (settings_.module_path.empty() && !absl::IsResourceExhausted(executable.status()))
      return Ended(ARTIFACT_UNAVAILABLE, executable.status().message());
    return EndedByFile(executable.status());
  }
  if (!executable.ok()) return executable.status();
  executable_ = *std::move(executable);
  if (!WrittenInputs(case_.measured()).empty())
    executable_ = execution::WithKeptInputs(std::move(executable_));
  kept_.Keep([&](Record& record) {
    record.set_export_s(absl::ToDoubleSeconds(executable_->ExportTime()));
    record.set_load_s(absl::ToDoubleSeconds(taken - executable_->ExportTime()));
    record.set_runtime(executable_->Runtime());
  });
  if (settings_.module_path.empty()) return absl::OkStatus();
  const auto backend = execution::FindBackend(case_.benchmark_case().execution());
  std::vector<std::string> others = (*backend)->FilesBeside(settings_.module_path);
  others.insert(others.end(), settings_.module_libraries.begin(), settings_.module_libraries.end());
  const absl::StatusOr<GivenFile> identity = IdentityOf(settings_.module_path, others);
  if (!identity.ok()) return EndedByFile(identity.status());
  const std::string& weights = loaded_.weights.sha256();
  kept_.KeepConfiguration(weights.empty() ? "seeded" : weights, identity->sha256());
  return absl::OkStatus();
}

void CaseRun::NoteStart() {
  // Before a file was run, another process was.
  if (settings_.shared || !settings_.given.model.empty() || record_.starts_s_size() > 0) return;
  device_->Synchronize().IgnoreError();  // the workload sees it at its next call
  const std::optional<absl::Duration> age = environment::ProcessAge();
  if (age) kept_.Keep([&age](Record& record) { record.add_starts_s(absl::ToDoubleSeconds(*age)); });
}

Verdict CaseRun::Judge() {
  if (!settings_.verify) {
    Verdict verdict;
    verdict.set_outcome(NOT_VERIFIED);
    verdict.set_message("--verify=off: nothing was compared");
    return verdict;
  }
  VerifyOptions options = accuracy_.Options(case_, *executable_, TorchDevice(),
                                            !given_.inputs.empty(), record_.environment(), out_);
  options.called = [this] { NoteStart(); };
  options.truth = &truth_;
  options.as_given = timed_as_given_;
  if (!settings_.given.replaces_tensors()) {
    return Verify(case_, *executable_, TorchDevice(), settings_.reference_path, options);
  }
  if (!given_.inputs.empty()) {
    kept_.Keep([this](Record& record) { *record.mutable_inputs() = given_.inputs_identity; });
    out_ << GivenLines("inputs", record_.inputs());
  }
  if (given_.reference) {
    Verdict verdict = VerifyAgainst(case_, *executable_, TorchDevice(), given_.inputs,
                                    given_.reference->outputs, options);
    *verdict.mutable_reference() = given_.reference->artifact;
    return verdict;
  }
  const GivenPaths& given = settings_.given;
  const bool by_python =
      !given.replaces_inputs() && !case_.implementation().reference_script().empty();
  Verdict uncompared = !given.model.empty() ? NotComparable("the outputs of", given_.model)
                       : given.weights.empty()
                           ? NotComparable("inputs from", record_.inputs())
                           : NotComparable("weights from", record_.weights(), by_python);
  // Nobody knows whether a call of a file succeeds, so a file is called.
  if (!settings_.accuracy.needs_call() && given.model.empty()) return uncompared;
  return CallUncompared(case_, *executable_, TorchDevice(), given_.inputs, uncompared, options);
}

// Shows what follows the given prompts. The verdict's call was fed the continuation.
absl::Status CaseRun::ShowGenerated() {
  at::Tensor tokens;
  absl::Status status = base::CatchTorch("generating tokens", [&] {
    execution::Tensors inputs;
    for (const at::Tensor& input : given_.inputs) inputs.push_back(input.to(TorchDevice()));
    executable_->SetInputs(std::move(inputs));
    executable_->Begin(steps::kGenerate);
    tokens = executable_->Call(steps::kGenerate)[0].cpu();
  });
  if (!status.ok()) return status;
  kept_.Keep([&](Record& record) {
    for (int64_t row = 0; row < tokens.size(0); ++row) {
      const at::Tensor ids = tokens[row].contiguous();
      const auto* first = ids.const_data_ptr<int64_t>();
      *record.add_generated()->mutable_ids() = {first, first + ids.numel()};
    }
  });
  out_ << GeneratedLines(record_) << std::flush;
  return absl::OkStatus();
}

void CaseRun::KeepVerdict(Verdict verdict) {
  kept_.Keep([&verdict](Record& record) { *record.mutable_verdict() = std::move(verdict); });
  const Verdict& kept = record_.verdict();
  out_ << VerdictLines(kept) << std::flush;
  if (kept.outcome() == PASS || !Explained(kept.outcome())) return;
  const bool as_declared = !settings_.given.replaces_tensors() && !settings_.call.any() &&
                           settings_.mistake.empty() && !settings_.accuracy.any() && !settings_.mix;
  std::cerr << FailureText(
      case_, kept, DeviceText(settings_.device, record_.environment()),
      as_declared ? "" : CommandText(case_.benchmark_case().label(), line_.as_given));
}

std::string CaseRun::WorkerMistake() const {
  return settings_.serves && absl::c_linear_search(FindServing()->mistakes, settings_.mistake)
             ? settings_.mistake
             : "";
}

bool CaseRun::MakesStaleSize() const { return settings_.mix && settings_.mistake == kStaleSize; }

// Each size is called for the first time here, before the verdict's calls.
absl::Status CaseRun::OpenSizes() {
  kept_.Doing("--vary");
  if (MakesStaleSize()) executable_ = WithStaleSize(std::move(executable_));
  varied_ = std::make_unique<VariedCase>(VariedParts{.mix = *settings_.mix,
                                                     .declared = case_,
                                                     .sizes = sizes_,
                                                     .executable = *executable_,
                                                     .device = *device_,
                                                     .torch_device = TorchDevice()});
  absl::Status status = varied_->Open();
  if (status.ok()) status = varied_->CallFirst([this] { NoteStart(); });
  kept_.Keep([this](Record& record) {
    record.set_export_s(absl::ToDoubleSeconds(executable_->ExportTime()));
    record.set_runtime(executable_->Runtime());
  });
  if (status.ok() && settings_.verify) status = varied_->ComputeTruths();
  return status;
}

absl::Status CaseRun::Vary() {
  absl::StatusOr<std::vector<Measurement>> measured =
      varied_->Measure({.budget = settings_.budget,
                        .interrupted = interrupted_,
                        .cpus = std::max(record_.environment().cpu_count(), 1),
                        .threads = record_.environment().threads()});
  if (!measured.ok()) return measured.status();
  for (const Measurement& measurement : *measured) kept_.KeepMeasurement(measurement);
  if (*interrupted_) return Ended(INTERRUPTED, "what was measured until then is kept");
  return absl::OkStatus();
}

absl::Status CaseRun::Serve() {
  const execution::BackendRequest request = Request();
  // A rate that --find-peak has chosen comes a second time, in the place of the first.
  const auto keep = [this](const Served& served) {
    kept_.Keep([&served](Record& record) {
      if (served.peak()) {
        auto& all = *record.mutable_served();
        // The last of two tries at this rate kept the bound.
        *std::find_if(all.rbegin(), all.rend(), [&](const Served& kept) {
          return kept.asked_qps() == served.asked_qps();
        }) = served;
      } else {
        *record.add_served() = served;
      }
    });
  };
  return FindServing()->serve(
      {.c = case_,
       .settings = *settings_.serving,
       .request = request,
       .executable = *executable_,
       .threads = settings_.threads,
       .cpus = std::max(record_.environment().cpu_count(), 1),
       .memory_bytes = record_.environment().memory_available_bytes(),
       .mistake = WorkerMistake(),
       .interrupted = *interrupted_,
       .out = out_,
       .doing = [this](const std::string& text) { kept_.Doing(text); },
       .give_up = [this](Outcome outcome, const std::string& why) { kept_.GiveUp(outcome, why); },
       .done = keep});
}

absl::Status CaseRun::Measure() {
  MeasuringOptions options;
  options.case_name = case_.benchmark_case().name();
  options.filter = settings_.filter;
  options.preset = settings_.preset;
  options.benchmarks = BenchmarksOf(settings_, case_, *device_);
  options.show_bandwidth = KindOf(case_).shows_bandwidth;
  if (settings_.device == CUDA)
    options.context = {{"device", "cuda"},
                       {"gpu_name", record_.environment().gpu_name()},
                       {"gpu_driver", record_.environment().gpu_driver()}};
  options.sampling.interrupted = interrupted_;
  options.sampling.rotate_inputs = settings_.randomize_inputs;
  options.sampling.precision.budget = settings_.budget;
  // A short case is sampled for a quarter of the budget at least: a few milliseconds of samples
  // would not show what the rest of a second does.
  options.sampling.precision.min_time = settings_.budget / 4;
  options.sampling.strict_budget = settings_.strict_budget;
  options.sampling.cpus = std::max(record_.environment().cpu_count(), 1);
  options.sampling.threads = record_.environment().threads();
  MeasuredSteps steps(case_, settings_, record_.environment(), *executable_, *device_,
                      TorchDevice(), timed_as_given_);
  std::optional<std::string> last;
  absl::Status verified;
  absl::Status measured = MeasureCase(
      options, line_, *device_,
      {.step =
           [&](const std::string& step) {
             if (last && *last != step) verified.Update(VerifyTimed(*last, steps));
             last = step;
             absl::StatusOr<MeasuredStep> measured_step = steps.For(step);
             if (measured_step.ok()) NoteStart();  // where nothing was verified
             return measured_step;
           },
       .begun = [this](const std::string& name) { kept_.Doing(name); },
       .done = [this](const Measurement& measurement) { kept_.KeepMeasurement(measurement); }});
  if (*interrupted_) return Ended(INTERRUPTED, "what was measured until then is kept");
  if (last && measured.ok()) verified.Update(VerifyTimed(*last, steps));
  measured.Update(verified);
  return measured;
}

// Checks the timed call once for all modes of a step. If it differs from what was verified, the
// product is wrong.
absl::Status CaseRun::VerifyTimed(const std::string& step, MeasuredSteps& steps) {
  if (steps.timed() == nullptr) return absl::OkStatus();
  const std::optional<Check> weights = CheckWeights(*steps.timed());
  TimedVerdict timed;
  timed.check.set_name(std::string(kTimedCheck));
  timed.check.set_status(CHECK_NOT_RUN);
  timed.check.set_detail("the verdict is not PASS");
  double call_ns = 0;
  for (const Measurement& m : record_.measurements()) {
    if (m.step() == step) call_ns = std::max(call_ns, m.median_ns());
  }
  // Makes more calls if one costs less than 2 % of the time that the samples took.
  const bool repeat = call_ns < 0.02 * absl::ToDoubleNanoseconds(settings_.budget);
  if (truth_ && record_.verdict().outcome() == PASS) {
    timed = CheckTimed(case_, step, *steps.timed(), *truth_, TorchDevice(),
                       {.repeat = repeat, .cost = steps.timed_cost(), .as_given = timed_as_given_});
  }
  kept_.Keep([&](Record& record) {
    for (Measurement& m : *record.mutable_measurements()) {
      if (m.step() != step) continue;
      *m.add_checks() = timed.check;
      if (weights) *m.add_checks() = *weights;
    }
  });
  if (timed.outcome == PASS) return absl::OkStatus();
  return Ended(timed.outcome, absl::StrCat("step ", step, ": ", timed.check.detail()));
}

}  // namespace assay::runner
