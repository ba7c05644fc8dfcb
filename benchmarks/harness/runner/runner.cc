// The one program behind all cases of a family: reads the case, verifies it, measures it, writes one record, and exits
// with the outcome (0 right, 1 the product is wrong, 2 the surroundings are, 3 usage).
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/environment/environment.h"
#include "benchmarks/harness/environment/torch_facts.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/seeded_model.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/case_file.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/exporting.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/presentation.h"
#include "benchmarks/harness/runner/usage.h"
#include "benchmarks/harness/runner/verification.h"
#include "benchmarks/harness/sampling/cpu_device.h"
#include "benchmarks/harness/sampling/cuda_plugin.h"
#include "benchmarks/harness/sampling/modes.h"

ABSL_FLAG(std::string, case, "", "binary Registry; set by the case's target");
ABSL_FLAG(std::string, case_name, "", "label of the case, where --case holds several");
ABSL_FLAG(std::string, reference, "", "reference blob; set by the case's target");
ABSL_FLAG(std::string, cuda_plugin, "", "libassay_cuda.so; set by the case's target with --config=cuda");
ABSL_FLAG(std::string, device, "cpu", "cpu or cuda");
ABSL_FLAG(std::string, action, "measure", "measure, verify or smoke");
ABSL_FLAG(std::string, verify, "on", "on, or off: measure without comparing; recorded as NOT_VERIFIED");
ABSL_FLAG(std::string, modes, "", "comma-separated: wall, throughput, hot, cold; empty: the device's default");
ABSL_FLAG(double, budget, 1.0, "seconds of sampling for each mode, more than 0");
ABSL_FLAG(int, threads, 0, "threads of one operator; 0: LibTorch's default, the number of cores");
ABSL_FLAG(std::string, allocator, "retain", "retain: freed memory stays with the process; default: glibc's own policy");
ABSL_FLAG(std::string, record, "", "append the record of this run to this file, one JSON line");
ABSL_FLAG(std::string, export_state, "", "write the seeded weights to this safetensors file and exit");
ABSL_FLAG(std::string, export_inputs, "", "write the verified inputs to this safetensors file and exit");
ABSL_FLAG(std::string, export_reference, "", "write this suite's own float64 outputs as a reference blob and exit");

namespace assay::runner {
namespace {

std::atomic<bool> interrupted{false};

// The first Ctrl-C ends sampling and keeps what is done; the second ends the process.
void OnInterrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

struct Settings {
  DeviceType device = CPU;
  std::vector<sampling::Mode> modes;  // empty: the device's default
  std::string filter;
};

absl::StatusOr<Settings> ReadSettings(const CommandLine& line) {
  Settings settings;
  const std::string device = absl::GetFlag(FLAGS_device), action = absl::GetFlag(FLAGS_action), verify = absl::GetFlag(FLAGS_verify);
  if (device != "cpu" && device != "cuda") return absl::InvalidArgumentError(absl::StrCat("--device=", device, ": one of cpu, cuda"));
  if (action != "measure" && action != "verify" && action != "smoke") {
    return absl::InvalidArgumentError(absl::StrCat("--action=", action, ": one of measure, verify, smoke"));
  }
  if (verify != "on" && verify != "off") return absl::InvalidArgumentError(absl::StrCat("--verify=", verify, ": one of on, off"));
  const std::string allocator = absl::GetFlag(FLAGS_allocator);
  if (allocator != "retain" && allocator != "default") return absl::InvalidArgumentError(absl::StrCat("--allocator=", allocator, ": one of retain, default"));
  if (!(absl::GetFlag(FLAGS_budget) > 0)) {
    return absl::InvalidArgumentError(absl::StrCat("--budget=", absl::GetFlag(FLAGS_budget), ": seconds, more than 0"));
  }
  if (absl::GetFlag(FLAGS_threads) < 0) {
    return absl::InvalidArgumentError(absl::StrCat("--threads=", absl::GetFlag(FLAGS_threads), ": 0 or more"));
  }
  settings.device = device == "cuda" ? CUDA : CPU;
  for (const std::string_view name : absl::StrSplit(absl::GetFlag(FLAGS_modes), ',', absl::SkipEmpty())) {
    absl::StatusOr<sampling::Mode> mode = sampling::ParseMode(name);
    if (!mode.ok()) return mode.status();
    settings.modes.push_back(*mode);
  }
  for (std::string_view argument : line.benchmark_arguments) {
    if (absl::ConsumePrefix(&argument, "--benchmark_filter=")) settings.filter = std::string(argument);
  }
  const absl::StatusOr<bool> filter = MatchesFilter("", settings.filter);
  if (!filter.ok()) return filter.status();
  return settings;
}

// Left alone, glibc gives the large blocks of one call back to the kernel, and the next call faults every page in again:
// 73,000 faults and 121 ms of system time in each call of resnet50 at batch 8. CUDA's caching allocator does not do that
// either. All three settings are needed: the trim threshold alone switches glibc's adaptive mmap threshold off, which
// makes it worse.
void RetainMemory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 64 << 20);
}

// Google Benchmark's arguments without those that this program answers itself.
void InitializeBenchmark(const CommandLine& line) {
  static std::vector<std::string> kept;  // the library keeps pointers
  static std::vector<char*> pointers;
  for (const std::string& argument : line.benchmark_arguments) {
    if (argument.rfind("--benchmark_filter", 0) != 0 && argument.rfind("--benchmark_min_time", 0) != 0) kept.push_back(argument);
  }
  for (std::string& argument : kept) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
}

// The run of one case, from its device to its record.
class Run {
 public:
  Run(ResolvedCase c, CommandLine line, Settings settings)
      : case_(std::move(c)), line_(std::move(line)), settings_(std::move(settings)),
        // JSON and CSV must be all that there is on standard output.
        out_(line_.console_format ? std::cout : std::cerr) {}

  // Returns the exit code.
  int Execute();

 private:
  Outcome Act();
  Outcome OpenDevice();
  absl::Status BuildModel();
  Outcome VerifyCase();
  Outcome Measure();
  absl::StatusOr<execution::Executable*> MeasuredExecutable();
  std::string Skipped() const;
  Outcome Fail(const absl::Status& status);
  int Finish(Outcome outcome);

  at::Device TorchDevice() const { return at::Device(settings_.device == CUDA ? at::kCUDA : at::kCPU); }

  const ResolvedCase case_;
  const CommandLine line_;
  const Settings settings_;
  std::ostream& out_;
  Record record_;
  std::unique_ptr<sampling::Device> device_;
  std::unique_ptr<models::Model> model_;
  std::unique_ptr<execution::Executable> executable_;
};

int Run::Execute() {
  const absl::Time start = absl::Now();
  record_.set_schema_version(1);
  *record_.mutable_benchmark_case() = case_.benchmark_case();
  *record_.mutable_workload() = case_.measured();
  record_.set_device(settings_.device);
  record_.set_started_utc(absl::FormatTime(absl::RFC3339_sec, start, absl::UTCTimeZone()));
  record_.mutable_flags()->Assign(line_.as_given.begin(), line_.as_given.end());
  const std::string path = absl::GetFlag(FLAGS_record);
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

int Run::Finish(Outcome outcome) {
  record_.set_outcome(outcome);
  const std::string path = absl::GetFlag(FLAGS_record);
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

Outcome Run::Act() {
  const Outcome opened = OpenDevice();
  Environment& environment = *record_.mutable_environment();
  environment = environment::ReadEnvironment(
      {.threads = at::get_num_threads(), .gpu = settings_.device == CUDA && device_ != nullptr ? &device_->Facts() : nullptr});
  environment::AddTorchFacts(environment);
  (*environment.mutable_variables())["allocator"] = absl::GetFlag(FLAGS_allocator);
  out_ << HeadLine(case_, settings_.device, record_.environment());
  if (opened != OUTCOME_UNSPECIFIED) return opened;
  const std::string skipped = Skipped();
  if (!skipped.empty()) {
    out_ << "verdict   SKIPPED    " << skipped << "\n";
    record_.set_error(skipped);
    return SKIPPED_DECLARED;
  }
  if (absl::GetFlag(FLAGS_action) == "smoke") {
    *record_.mutable_verdict() = Smoke(case_, TorchDevice());
    const Outcome outcome = record_.verdict().outcome();
    out_ << VerdictLines(record_.verdict());
    if (Explained(outcome)) std::cerr << FailureText(case_, record_.verdict(), DeviceText(settings_.device, environment));
    return outcome;
  }
  const absl::Status built = BuildModel();
  if (!built.ok()) return Fail(built);
  const Outcome verdict = VerifyCase();
  if (absl::GetFlag(FLAGS_action) == "verify" || interrupted) return verdict;
  out_ << MachineLine(record_.environment()) << std::flush;
  const Outcome measured = Measure();
  return measured == PASS ? verdict : measured;
}

Outcome Run::OpenDevice() {
  if (settings_.device == CPU) {
    device_ = std::make_unique<sampling::CpuDevice>();
    return OUTCOME_UNSPECIFIED;
  }
  absl::StatusOr<std::unique_ptr<sampling::Device>> opened = sampling::OpenCudaDevice(absl::GetFlag(FLAGS_cuda_plugin));
  if (opened.ok()) {
    device_ = *std::move(opened);
    return OUTCOME_UNSPECIFIED;
  }
  std::cerr << case_.benchmark_case().name() << ": NO_DEVICE: " << opened.status().message() << "\n";
  record_.set_error(std::string(opened.status().message()));
  return NO_DEVICE;
}

std::string Run::Skipped() const {
  for (const Skip& skip : case_.benchmark_case().skips()) {
    if (skip.device() == settings_.device) return absl::StrCat("on ", DeviceType_Name(skip.device()), ": ", skip.reason());
  }
  return "";
}

Outcome Run::Fail(const absl::Status& status) {
  std::cerr << case_.benchmark_case().name() << ": " << status.message() << "\n";
  record_.set_error(std::string(status.message()));
  return OutcomeOf(status);
}

absl::Status Run::BuildModel() {
  absl::StatusOr<std::unique_ptr<models::Model>> model =
      execution::SeededModel(case_.implementation(), case_.measured(), case_.benchmark_case().seed());
  if (!model.ok()) return model.status();
  model_ = *std::move(model);
  return execution::Move(*model_, TorchDevice(), case_.benchmark_case().dtype());
}

Outcome Run::VerifyCase() {
  Verdict& verdict = *record_.mutable_verdict();
  if (absl::GetFlag(FLAGS_verify) == "off") {
    verdict.set_outcome(NOT_VERIFIED);
    verdict.set_message("--verify=off: nothing was compared");
  } else {
    verdict = Verify(case_, *model_, TorchDevice(), absl::GetFlag(FLAGS_reference));
  }
  out_ << VerdictLines(verdict) << std::flush;
  if (verdict.outcome() != PASS && Explained(verdict.outcome())) {
    std::cerr << FailureText(case_, verdict, DeviceText(settings_.device, record_.environment()));
  }
  return verdict.outcome();
}

absl::StatusOr<execution::Executable*> Run::MeasuredExecutable() {
  if (executable_ == nullptr) {
    const BenchmarkCase& b = case_.benchmark_case();
    absl::StatusOr<std::vector<at::Tensor>> inputs = execution::SeededInputs(case_.measured(), b.dtype(), b.seed(), TorchDevice());
    if (!inputs.ok()) return inputs.status();
    absl::StatusOr<std::unique_ptr<execution::Executable>> executable = execution::Prepare(b.backend(), *model_, *std::move(inputs));
    if (!executable.ok()) return executable.status();
    executable_ = *std::move(executable);
  }
  return executable_.get();
}

Outcome Run::Measure() {
  sampling::SamplingOptions options;
  options.interrupted = &interrupted;
  const double seconds = line_.min_time_s > 0 ? line_.min_time_s : absl::GetFlag(FLAGS_budget);
  options.precision.budget = absl::Seconds(seconds);
  const std::vector<sampling::Mode> modes = settings_.modes.empty() ? sampling::DefaultModes(*device_) : settings_.modes;
  Measured measured = MeasureCase(case_.benchmark_case().name(), modes, settings_.filter, options, line_, *device_,
                                  [this] { return MeasuredExecutable(); });
  record_.mutable_measurements()->Assign(measured.measurements.begin(), measured.measurements.end());
  if (interrupted) {
    std::cerr << case_.benchmark_case().name() << ": interrupted; what was measured until then is kept\n";
    return INTERRUPTED;
  }
  if (!measured.status.ok()) return Fail(measured.status);
  return PASS;
}

int Usage(std::string_view problem) {
  std::cerr << "assay: " << problem << "\n";
  return 3;
}

int ListBenchmarks(const ResolvedCase& c, const Settings& settings) {
  const sampling::CpuDevice cpu;  // names do not depend on a GPU being there
  const std::vector<sampling::Mode> modes = settings.modes.empty() ? sampling::DefaultModes(cpu) : settings.modes;
  for (const std::string& name : BenchmarkNames(c.benchmark_case().name(), modes)) {
    if (*MatchesFilter(name, settings.filter)) std::cout << name << "\n";
  }
  return 0;
}

int Main(int argc, char** argv) {
  const absl::StatusOr<CommandLine> line = ParseCommandLine(argc, argv);
  if (!line.ok()) return Usage(line.status().message());
  if (line->help) {
    std::cout << UsageText();
    return 0;
  }
  const absl::StatusOr<ResolvedCase> c = ReadCase(absl::GetFlag(FLAGS_case), absl::GetFlag(FLAGS_case_name));
  if (!c.ok()) return Usage(c.status().message());
  const absl::StatusOr<Settings> settings = ReadSettings(*line);
  if (!settings.ok()) return Usage(settings.status().message());
  if (line->list_tests) return ListBenchmarks(*c, *settings);
  // `bazel run` starts programs in the runfiles; the user's relative paths mean where they stand.
  const char* directory = std::getenv("BUILD_WORKING_DIRECTORY");
  if (directory != nullptr && chdir(directory) != 0) return Usage(absl::StrCat("cannot enter ", directory));
  if (absl::GetFlag(FLAGS_allocator) == "retain") RetainMemory();
  if (absl::GetFlag(FLAGS_threads) > 0) at::set_num_threads(absl::GetFlag(FLAGS_threads));
  std::signal(SIGINT, OnInterrupt);
  std::signal(SIGTERM, OnInterrupt);

  const ExportPaths paths = {.state = absl::GetFlag(FLAGS_export_state),
                             .inputs = absl::GetFlag(FLAGS_export_inputs),
                             .reference = absl::GetFlag(FLAGS_export_reference)};
  if (paths.any()) {
    const absl::Status exported = Export(*c, paths);
    if (exported.ok()) return 0;
    std::cerr << c->benchmark_case().name() << ": " << exported.message() << "\n";
    return record::ExitCode(OutcomeOf(exported));
  }
  InitializeBenchmark(*line);
  return Run(*c, *line, *settings).Execute();
}

}  // namespace
}  // namespace assay::runner

int main(int argc, char** argv) {
  const int code = assay::runner::Main(argc, argv);
  std::cout.flush();
  std::cerr.flush();
  // LibTorch's static objects take a tenth of a second to die, and on a GPU may outlive the driver.
  std::_Exit(code);
}
