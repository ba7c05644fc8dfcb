#include "benchmarks/operators/param/child_run.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/costs/call_cost.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/environment/environment.h"
#include "benchmarks/harness/environment/machine/machine.h"
#include "benchmarks/harness/environment/torch_facts.h"
#include "benchmarks/harness/record/line_file.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/measure/peak_probes.h"
#include "benchmarks/harness/sampling/cuda/cuda_plugin.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/param/data_generator.h"
#include "benchmarks/operators/param/error_class.h"
#include "benchmarks/operators/param/item_record.h"
#include "benchmarks/operators/param/tool_batches.h"

namespace assay::param {
namespace {

constexpr size_t kLongestName = 200;
constexpr size_t kLongestMessage = 2000;

absl::Status OfOperator(absl::Status status) {
  switch (status.code()) {
    case absl::StatusCode::kNotFound:
      return Classed("UNKNOWN_OPERATOR", std::move(status));
    case absl::StatusCode::kInvalidArgument:
      return Classed("INVALID_ARGUMENTS", std::move(status));
    default:
      return status;
  }
}

absl::Status OfConfig(absl::Status status) {
  return absl::IsInvalidArgument(status) ? Classed("INVALID_CONFIG", std::move(status)) : status;
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// The dtype of the first tensor that holds floating-point numbers.
Dtype FloatsOf(const execution::OperatorArguments& inputs) {
  std::vector<c10::IValue> values = inputs.positional;
  for (const auto& [name, value] : inputs.named) values.push_back(value);
  for (size_t i = 0; i < values.size(); ++i) {
    const c10::IValue value = values[i];
    if (value.isList()) {
      for (const c10::IValue& element : value.toListRef()) values.push_back(element);
    }
    if (!value.isTensor()) continue;
    const Dtype dtype = base::FromScalarType(value.toTensor().scalar_type());
    if (base::IsFloatingPoint(dtype)) return dtype;
  }
  return DTYPE_UNSPECIFIED;
}

SystemInfo SystemOf(const sampling::DeviceFacts* gpu) {
  Environment torch;
  environment::AddTorchFacts(torch);
  SystemInfo system = {.torch_version = torch.torch_version(), .torch_build = at::show_config()};
  if (gpu == nullptr) return system;
  system.cuda = true;
  system.cuda_version = gpu->cuda_runtime;
  system.cuda_driver = gpu->driver;
  system.gpu_name = gpu->name;
  system.compute_capability = gpu->compute_capability;
  system.cudnn_version = gpu->cudnn_version;
  return system;
}

}  // namespace

absl::Status ChildRun::Write(const Json& line) const {
  return record::AppendLine({.path = settings_.output, .kind = "output"}, LineText(line));
}

// Ends the run for a reason that concerns no single item.
void ChildRun::Fail(const absl::Status& status) {
  const std::string error_class = ClassOf(status);
  std::cerr << "param: " << error_class << ": "
            << base::Printable(status.message(), kLongestMessage) << "\n";
  worst_code_ = base::WorseCode(worst_code_, ExitCodeOf(error_class));
  const absl::Status written =
      Write(ErrorLine(Json::object(), error_class, std::string(status.message())));
  if (!written.ok()) std::cerr << "param: " << written.message() << "\n";
}

absl::Status ChildRun::OpenDevice() {
  at::set_num_threads(settings_.threads);
  Environment machine;
  environment::AddMachine("/", machine);
  memory_bytes_ = static_cast<double>(machine.memory_available_bytes());
  if (settings_.device == "cpu") {
    device_ = std::make_unique<sampling::CpuDevice>();
    return absl::OkStatus();
  }
  torch_device_ = at::Device(settings_.device);
  absl::StatusOr<std::unique_ptr<sampling::Device>> opened = sampling::OpenCudaDevice(
      settings_.cuda_plugin, torch_device_.has_index() ? torch_device_.index() : 0);
  if (!opened.ok()) return Classed("NO_DEVICE", opened.status());
  device_ = *std::move(opened);
  return absl::OkStatus();
}

int ChildRun::Execute() {
  if (!settings_.batch_report.empty()) {
    absl::Status ended = OpenDevice();
    if (ended.ok()) ended = RunBatch();
    if (!ended.ok()) Fail(ended);
    return worst_code_;
  }
  absl::StatusOr<processes::Journal> journal = processes::Journal::Open(
      settings_.journal,
      settings_.timeout_s > 0 ? absl::Seconds(settings_.timeout_s) : absl::InfiniteDuration());
  if (!journal.ok()) {
    std::cerr << "param: " << journal.status().message() << "\n";
    return 2;
  }
  const absl::Status opened = OpenDevice();
  absl::Status ended;
  const bool on_gpu = device_ != nullptr && settings_.device != "cpu";
  const sampling::DeviceFacts* const gpu = on_gpu ? &device_->Facts() : nullptr;
  if (settings_.first_item == 0) ended = Write(HeaderLine(settings_, SystemOf(gpu), absl::Now()));
  if (ended.ok()) ended = opened;
  if (ended.ok() && !settings_.record.empty()) {
    environment::EnvironmentSources sources;
    sources.threads = at::get_num_threads();
    sources.gpu = gpu;
    environment_ = environment::ReadEnvironment(sources);
    environment::AddTorchFacts(environment_);
    const std::string kernels = execution::KernelsIdentity(execution::KernelsOverAten());
    if (!kernels.empty()) (*environment_.mutable_variables())["kernels_over_aten"] = kernels;
  }
  if (ended.ok()) ended = RunAll(*journal);
  if (!ended.ok()) Fail(ended);
  if (ended.ok() && spent_) return worst_code_;  // the parent starts another at the next item
  journal->Finish(worst_code_).IgnoreError();
  return worst_code_;
}

bool ChildRun::SpentTheDevice() { return torch_device_.is_cuda() && !device_->Synchronize().ok(); }

absl::Status ChildRun::RunAll(processes::Journal& journal) {
  absl::StatusOr<std::unique_ptr<ConfigFile>> file = ConfigFile::Open(settings_.config_path);
  if (!file.ok()) return Classed("MALFORMED_FILE", file.status());
  RunItems items(**file, settings_.selection);
  int64_t index = 0;
  for (; std::optional<RunItem> item = items.Next(); ++index) {
    if (index < settings_.first_item) continue;
    // If this process dies of the item, the parent writes the item's line.
    absl::Status noted =
        journal.Begin(index, absl::StrCat(worst_code_, " ", LineText(ItemLine(*item))));
    if (!noted.ok()) return noted;
    const absl::Time start = absl::Now();
    Profile profile;
    absl::StatusOr<MeasuredCall> result = Measure(*item, profile);
    spent_ = !result.ok() && SpentTheDevice();
    if (spent_ && !absl::IsUnavailable(result.status()))
      result = Classed("CRASH", absl::InternalError(result.status().message()));
    if (absl::Status kept = Keep(*item, result, profile, start); !kept.ok()) return kept;
    if (absl::Status done = journal.End(); !done.ok()) return done;
    // The device can no longer be used; each further line of the file would only say so again.
    if (absl::IsUnavailable(result.status())) return result.status();
    if (spent_) return absl::OkStatus();
  }
  return items.Missed();
}

absl::StatusOr<Operator> ChildRun::Build(const RunItem& item) const {
  std::optional<execution::OperatorArguments> build;
  if (item.build) {
    const absl::StatusOr<DataGenerator> generate =
        FindDataGenerator(item.entry->build_data_generator);
    if (!generate.ok()) return generate.status();
    absl::StatusOr<execution::OperatorArguments> values =
        (*generate)(*item.build, {.place = item.entry->name + "/build",
                                  .seed = static_cast<uint64_t>(settings_.seed),
                                  .device = torch_device_,
                                  .memory_bytes = memory_bytes_});
    if (!values.ok()) return OfConfig(values.status());
    build = *std::move(values);
  }
  absl::StatusOr<Operator> built;
  const absl::Status caught = base::CatchTorch("building the operator", [&] {
    built = BuildOperator(item.entry->name, build, torch_device_, settings_.trust);
  });
  if (!caught.ok()) return caught;
  if (!built.ok()) return OfOperator(built.status());
  return built;
}

absl::StatusOr<BoundCall> ChildRun::Bind(const RunItem& item) {
  if (!item.problem.ok()) return item.problem;
  if (built_for_ != item.entry || built_id_ != item.build_id) {
    operator_.reset();  // its memory first
    operator_ = Build(item);
    built_for_ = item.entry;
    built_id_ = item.build_id;
  }
  if (!operator_->ok()) return operator_->status();
  const absl::StatusOr<DataGenerator> generate =
      FindDataGenerator(item.entry->input_data_generator);
  if (!generate.ok()) return generate.status();
  absl::StatusOr<execution::OperatorArguments> inputs =
      (*generate)(item.input, {.place = item.entry->name,
                               .seed = static_cast<uint64_t>(settings_.seed),
                               .device = torch_device_,
                               .memory_bytes = memory_bytes_});
  if (!inputs.ok()) return OfConfig(inputs.status());
  dtype_ = FloatsOf(*inputs);
  absl::StatusOr<BoundCall> call;
  const absl::Status caught =
      base::CatchTorch("the arguments", [&] { call = (**operator_)(*std::move(inputs)); });
  if (!caught.ok()) return caught;
  if (!call.ok()) return OfOperator(call.status());
  return call;
}

absl::StatusOr<MeasuredCall> ChildRun::Measure(const RunItem& item, Profile& profile) {
  if (settings_.iteration == 0)
    return item.problem.ok() ? MeasuredCall() : absl::StatusOr<MeasuredCall>(item.problem);
  const absl::StatusOr<BoundCall> call = Bind(item);
  if (!call.ok()) return call.status();
  const absl::StatusOr<sampling::Preset> preset = sampling::ParsePreset(settings_.exec_mode);
  if (!preset.ok()) return preset.status();
  absl::StatusOr<MeasuredCall> result =
      MeasureCall(*device_, *call,
                  {.preset = *preset,
                   .counts = {.warmup = settings_.warmup,
                              .iterations = settings_.iteration,
                              .flush = settings_.cuda_l2_cache == "off"},
                   .backward = settings_.backward,
                   .graph = settings_.cuda_graph,
                   .count_cost = !settings_.record.empty(),
                   .verify = settings_.verify == "on",
                   .memory_bytes = memory_bytes_});
  note_ = call->note;
  if (!result.ok() || !settings_.profile) return result;
  absl::StatusOr<Profile> taken = TakeProfile(item, *call);
  if (!taken.ok()) return taken.status();
  profile = *std::move(taken);
  return result;
}

absl::StatusOr<Profile> ChildRun::TakeProfile(const RunItem& item, const BoundCall& call) {
  const RangeOptions options = {
      .name = item.RunId(), .backward = settings_.backward, .cuda = torch_device_.is_cuda()};
  const absl::StatusOr<std::unique_ptr<profile::Profiled>> profiled =
      ProfileCall(*device_, call, options);
  if (!profiled.ok()) return profiled.status();
  Profile profile;
  profile.set_trace(TracePath(settings_.output, item.RunId()));
  profile.set_calls(options.calls);
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(profile.trace()).parent_path();
  std::filesystem::create_directories(folder, error);
  if (error) {
    return Classed("RECORD_FAILED", absl::UnavailableError(absl::StrCat(
                                        "cannot make ", folder.string(), ": ", error.message())));
  }
  const absl::Status saved = (*profiled)->SaveTrace(profile.trace());
  if (!saved.ok()) return Classed("RECORD_FAILED", saved);
  return profile;
}

// Calls a batch of items, from the one whose number is first_item on, and tells the parent in a
// report which they were. An item that cannot be called had its line when it was measured.
absl::Status ChildRun::RunBatch() {
  const absl::StatusOr<std::unique_ptr<ConfigFile>> file = ConfigFile::Open(settings_.config_path);
  if (!file.ok()) return Classed("MALFORMED_FILE", file.status());
  RunItems items(**file, settings_.selection);
  const ToolSettings& tool = settings_.ncu.asked ? settings_.ncu : settings_.nsys;
  const uint64_t all = device_->StartRange(kBatchRange);
  const absl::Cleanup end = [&] { device_->EndRange(all); };
  BatchReport report;
  for (int64_t i = 0; report.items < settings_.run_batch_size; ++i) {
    const std::optional<RunItem> item = items.Next();
    if (!item) break;
    if (i < settings_.first_item) continue;
    if (report.items++ == 0) report.start_run_id = item->RunId();
    report.end_run_id = item->RunId();
    const absl::StatusOr<BoundCall> call = Bind(*item);
    if (!call.ok()) continue;
    const uint64_t range = device_->StartRange(item->RunId());
    const absl::Status called = CallInRanges(*device_, *call,
                                             {.name = kCallRange,
                                              .warmup = tool.warmup,
                                              .calls = tool.iteration,
                                              .backward = settings_.backward,
                                              .cuda = torch_device_.is_cuda()});
    device_->EndRange(range);
    if (absl::IsUnavailable(called) || (!called.ok() && SpentTheDevice())) return called;
  }
  return tensor_files::WriteFileAtomically(settings_.batch_report, ReportText(report));
}

absl::Status ChildRun::AddFigures(const MeasuredCall& measured, Record& record) {
  if (absl::Status added = AddMeasurements(measured.times, settings_, record); !added.ok())
    return added;
  for (Measurement& m : *record.mutable_measurements())
    costs::AddCost(m.step() == "forward" ? measured.forward_cost : measured.backward_cost, m);
  record.mutable_benchmark_case()->set_dtype(dtype_);
  if (!settings_.peaks) return absl::OkStatus();
  const std::vector<Peak>& peaks = PeaksOf(dtype_);
  *record.mutable_peaks() = {peaks.begin(), peaks.end()};
  return absl::OkStatus();
}

// Measured at the first input of a dtype; empty if that failed.
const std::vector<Peak>& ChildRun::PeaksOf(Dtype dtype) {
  const auto [found, is_new] = peaks_.try_emplace(dtype);
  if (!is_new) return found->second;
  absl::StatusOr<std::vector<Peak>> peaks =
      runner::MeasurePeaks(*device_, torch_device_, dtype, {});
  if (peaks.ok()) {
    found->second = *std::move(peaks);
    return found->second;
  }
  worst_code_ = base::WorseCode(worst_code_, ExitCodeOf(ClassOf(peaks.status())));
  std::cerr << "param: " << peaks.status().message() << "\n";
  return found->second;
}

absl::Status ChildRun::Keep(const RunItem& item, const absl::StatusOr<MeasuredCall>& result,
                            const Profile& profile, absl::Time start) {
  const std::string message(result.status().message());
  const std::string error_class = result.ok() ? "" : ClassOf(result.status());
  const std::string name = base::Printable(item.RunId(), kLongestName);
  const Verdict* const verdict = result.ok() && result->verdict ? &*result->verdict : nullptr;
  const bool wrong = verdict != nullptr && record::ExitCode(verdict->outcome()) != 0;
  if (wrong) worst_code_ = base::WorseCode(worst_code_, record::ExitCode(verdict->outcome()));
  if (!result.ok()) {
    worst_code_ = base::WorseCode(worst_code_, ExitCodeOf(error_class));
    std::cerr << name << ": " << error_class << ": " << base::Printable(message, kLongestMessage)
              << "\n";
  } else if (wrong || settings_.log_level == "info" || settings_.log_level == "debug") {
    constexpr double kNsPerMs = 1e6;
    std::cerr << name;
    if (settings_.iteration > 0)
      std::cerr << absl::StrFormat("  forward %.4g ms",
                                   Mean(result->times.forward.measured_ns) / kNsPerMs);
    if (!result->times.backward.measured_ns.empty())
      std::cerr << absl::StrFormat("  backward %.4g ms",
                                   Mean(result->times.backward.measured_ns) / kNsPerMs);
    if (verdict != nullptr) {
      std::cerr << "  " << Outcome_Name(verdict->outcome())
                << (verdict->message().empty() ? "" : ": ")
                << base::Printable(verdict->message(), kLongestMessage);
    }
    std::cerr << "\n";
  }
  absl::Status written = Write(
      result.ok() ? ResultLine(item, result->times,
                               {.verdict = verdict, .note = note_, .host = torch_device_.is_cpu()},
                               settings_)
                  : ErrorLine(ItemLine(item), error_class, message));
  if (written.ok() && !profile.trace().empty()) written = Write(TraceLine(item, profile.trace()));
  if (!written.ok()) return Classed("RECORD_FAILED", written);
  if (settings_.record.empty() || settings_.iteration == 0) return absl::OkStatus();
  Record record = NewItemRecord(settings_, item.entry->name, item.RunId(), start);
  *record.mutable_environment() = environment_;
  record.set_duration_s(absl::ToDoubleSeconds(absl::Now() - start));
  if (!profile.trace().empty()) *record.mutable_profile() = profile;
  if (verdict != nullptr) {
    record.set_outcome(verdict->outcome());
    *record.mutable_verdict() = *verdict;
  }
  if (result.ok()) {
    if (absl::Status added = AddFigures(*result, record); !added.ok()) return added;
  } else if (!SetOutcome(error_class, message, record)) {
    return absl::OkStatus();  // nothing was run
  }
  return Classed("RECORD_FAILED", record::Append(settings_.record, record));
}

}  // namespace assay::param
