#include "benchmarks/harness/runner/settings.h"

#include <cmath>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/runner/dynamic_batch.h"
#include "benchmarks/harness/runner/measuring.h"
#include "defs/case_steps.h"

ABSL_FLAG(std::string, case, "", "binary Registry; set by the case's target");
ABSL_FLAG(std::string, case_name, "", "label of the case, where --case holds several");
ABSL_FLAG(std::string, locked_reference, "", "reference blob; set by the case's target");
ABSL_FLAG(
    std::string, weights, "",
    "load this checkpoint: FILE.safetensors, an index FILE.json, or a folder with one of them");
ABSL_FLAG(std::string, weights_prefix, "",
          "what stands in front of the model's names in the file of --weights; empty: found");
ABSL_FLAG(std::vector<std::string>, weights_ignore, {},
          "leave out tensors of the file of --weights whose names begin with one of these");
ABSL_FLAG(
    std::string, inputs, "",
    "inputs of the verified call: FILE.safetensors, FILE.npz, or a folder of input_0.npy, ...");
ABSL_FLAG(std::string, reference, "",
          "outputs to compare with, for --weights and --inputs: FILE.safetensors, FILE.npz, or a "
          "folder of output_0.npy, ...; without those two, a file with the lock's digest");
ABSL_FLAG(std::string, cuda_plugin, "",
          "libassay_cuda.so; set by the case's target with --config=cuda");
ABSL_FLAG(std::string, device, "cpu", "cpu or cuda");
ABSL_FLAG(std::string, action, "measure", "measure, verify or smoke");
ABSL_FLAG(std::string, verify, "on",
          "on, or off: measure without comparing; recorded as NOT_VERIFIED");
ABSL_FLAG(
    std::string, modes, "",
    "comma-separated: wall, throughput, cold, graph, enqueue, hot; empty: the device's default");
ABSL_FLAG(
    std::string, exec_mode, "",
    "measure as another suite does: discrete, continuous, continuous_events (PARAM), do_bench "
    "(Triton)");
ABSL_FLAG(
    std::string, steps, "",
    "comma-separated: forward; of training cases backward, optimizer, train_step; of classifiers "
    "preprocess, postprocess; on a device h2d, d2h; empty: forward, and all of a training case");
ABSL_FLAG(std::optional<int64_t>, batch, std::nullopt,
          "rows of every input, in place of the case's; compared with the reference on the rows "
          "that both have");
ABSL_FLAG(std::string, backend, "", "eager, torchscript, or another that is linked");
ABSL_FLAG(std::string, memory_format, "", "contiguous or channels_last");
ABSL_FLAG(std::string, autocast, "", "bf16, fp16 or off: as torch.autocast, for fp32 cases");
ABSL_FLAG(std::string, matmul_precision, "",
          "highest, high or medium: as torch.set_float32_matmul_precision");
ABSL_FLAG(std::optional<bool>, deterministic, std::nullopt,
          "as torch.use_deterministic_algorithms");
ABSL_FLAG(std::optional<bool>, no_grad, std::nullopt,
          "torch.no_grad in place of torch.inference_mode");
ABSL_FLAG(std::string, optimizer, "",
          "of a training case: sgd, adam or adamw; empty: the first that the case has");
ABSL_FLAG(std::optional<int64_t>, accumulation, std::nullopt,
          "parts into which a training step cuts its batch, with one update after all of them");
ABSL_FLAG(std::optional<bool>, grad_scaler, std::nullopt,
          "as torch.amp.GradScaler; default: with --autocast=fp16");
ABSL_FLAG(std::optional<double>, clip_norm, std::nullopt,
          "as torch.nn.utils.clip_grad_norm_; 0: none; default: the case's");
ABSL_FLAG(std::string, mistake, "",
          "get the program wrong on purpose, to prove that the verdict finds it");
ABSL_FLAG(int64_t, warmup, 1, "iterations before those that count, with --exec_mode");
ABSL_FLAG(int64_t, iterations, 1, "iterations that count, with --exec_mode");
ABSL_FLAG(std::string, cuda_l2_cache, "on",
          "on, or off: flush the cache before each iteration of --exec_mode=discrete");
ABSL_FLAG(std::string, dynamic_batch, "",
          "a list like 1,2,4,8: each batch one after another in one process, with one program");
ABSL_FLAG(bool, randomize_inputs, false,
          "each timed call reads another set of seeded inputs, of a ring made beforehand");
ABSL_FLAG(std::optional<double>, budget, std::nullopt,
          "seconds of sampling for each mode, more than 0; default 1; up to ten times as long for "
          "the first 6 samples");
ABSL_FLAG(double, timeout, 0, "seconds after which the run is given up as TIMEOUT; 0: never");
ABSL_FLAG(std::string, inject, "",
          "a share like 3%: spin for so much of each call's time after it, to prove that a "
          "comparison finds it");
ABSL_FLAG(int, threads, 0, "threads of one operator; 0: LibTorch's default, the number of cores");
ABSL_FLAG(std::string, allocator, "retain",
          "retain: freed memory stays with the process; default: glibc's own policy");
ABSL_FLAG(std::string, record, "", "append the record of this run to this file, one JSON line");
ABSL_FLAG(bool, peaks, false,
          "measure what this machine reaches, for //tools:roofline, after the case");
ABSL_FLAG(std::string, export_state, "",
          "write the seeded weights to this safetensors file and exit");
ABSL_FLAG(std::string, export_inputs, "",
          "write the verified inputs to this safetensors file and exit");
ABSL_FLAG(bool, export_referenced_rows, false,
          "with --export_inputs: as many rows as the case's reference holds, for its generator");
ABSL_FLAG(std::string, export_reference, "",
          "write this suite's own float64 outputs as a reference blob and exit");
ABSL_FLAG(std::string, export_layers, "",
          "write what each layer takes and gives, in float64, into this folder and exit");
ABSL_FLAG(bool, locate, false,
          "name the first layer whose output differs from the other implementation's, in float64, "
          "and exit");

namespace assay::runner {
namespace {

// The largest batch that a case's table allows.
constexpr int64_t kMostRows = int64_t{1} << 20;

// The index of the flag's value in `names`.
absl::StatusOr<int> Choice(std::string_view flag, const std::string& value,
                           std::initializer_list<std::string_view> names) {
  int index = 0;
  for (const std::string_view name : names) {
    if (value == name) return index;
    ++index;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, "=", value, ": one of ", absl::StrJoin(names, ", ")));
}

// Reads every flag whose value is one of a few words.
absl::Status ReadChoices(Settings& settings) {
  const absl::StatusOr<int> device = Choice("device", absl::GetFlag(FLAGS_device), {"cpu", "cuda"});
  if (!device.ok()) return device.status();
  settings.device = *device == 0 ? CPU : CUDA;
  const absl::StatusOr<int> action = Choice(
      "action", absl::GetFlag(FLAGS_action),
      {ActionName(Action::kMeasure), ActionName(Action::kVerify), ActionName(Action::kSmoke)});
  if (!action.ok()) return action.status();
  settings.action = static_cast<Action>(*action);
  const absl::StatusOr<int> verify = Choice("verify", absl::GetFlag(FLAGS_verify), {"on", "off"});
  if (!verify.ok()) return verify.status();
  settings.verify = *verify == 0;
  if (!settings.verify && settings.action == Action::kVerify) {
    return absl::InvalidArgumentError(
        "--action=verify --verify=off: nothing would be left to do; leave one of them out");
  }
  const absl::StatusOr<int> allocator =
      Choice("allocator", absl::GetFlag(FLAGS_allocator), {"retain", "default"});
  if (!allocator.ok()) return allocator.status();
  settings.retain_memory = *allocator == 0;
  const absl::StatusOr<int> cache =
      Choice("cuda_l2_cache", absl::GetFlag(FLAGS_cuda_l2_cache), {"on", "off"});
  if (!cache.ok()) return cache.status();
  settings.preset.flush = *cache == 1;
  return absl::OkStatus();
}

// Reads which steps are measured, and by which methods.
absl::Status ReadMethods(Settings& settings) {
  for (const std::string_view name :
       absl::StrSplit(absl::GetFlag(FLAGS_modes), ',', absl::SkipEmpty())) {
    const absl::StatusOr<sampling::Mode> mode = sampling::ParseMode(name);
    if (!mode.ok()) return mode.status();
    settings.methods.push_back(*mode);
  }
  const std::string preset_name = absl::GetFlag(FLAGS_exec_mode);
  if (!preset_name.empty()) {
    const absl::StatusOr<sampling::Preset> preset = sampling::ParsePreset(preset_name);
    if (!preset.ok()) return preset.status();
    settings.methods.push_back(*preset);
  }
  for (const std::string_view name :
       absl::StrSplit(absl::GetFlag(FLAGS_steps), ',', absl::SkipEmpty())) {
    if (absl::Status known = CheckStepName(name); !known.ok()) return known;
    settings.steps.emplace_back(name);
  }
  settings.preset.warmup = absl::GetFlag(FLAGS_warmup);
  settings.preset.iterations = absl::GetFlag(FLAGS_iterations);
  if (settings.preset.warmup < 0 || settings.preset.iterations < 1) {
    return absl::InvalidArgumentError(absl::StrCat("--warmup=", settings.preset.warmup,
                                                   " --iterations=", settings.preset.iterations,
                                                   ": at least 0 and at least 1"));
  }
  return absl::OkStatus();
}

// The one of `values` that the flag names; nothing where it is empty.
template <typename Enum>
absl::Status ReadOptional(std::string_view flag, const std::string& value,
                          std::initializer_list<std::string_view> names,
                          std::initializer_list<Enum> values, std::optional<Enum>& result) {
  if (value.empty()) return absl::OkStatus();
  const absl::StatusOr<int> index = Choice(flag, value, names);
  if (!index.ok()) return index.status();
  result = *(values.begin() + *index);
  return absl::OkStatus();
}

// Reads how the program is called.
absl::Status ReadCall(CallFlags& call) {
  call.backend = absl::GetFlag(FLAGS_backend);
  absl::Status status = ReadOptional<MemoryFormat>(
      "memory_format", absl::GetFlag(FLAGS_memory_format), {"contiguous", "channels_last"},
      {CONTIGUOUS, CHANNELS_LAST}, call.memory_format);
  if (status.ok()) {
    status = ReadOptional<Dtype>("autocast", absl::GetFlag(FLAGS_autocast), {"bf16", "fp16", "off"},
                                 {BF16, FP16, DTYPE_UNSPECIFIED}, call.autocast);
  }
  if (status.ok()) {
    status = ReadOptional<MatmulPrecision>(
        "matmul_precision", absl::GetFlag(FLAGS_matmul_precision), {"highest", "high", "medium"},
        {HIGHEST, HIGH, MEDIUM}, call.matmul_precision);
  }
  if (!status.ok()) return status;
  call.deterministic = absl::GetFlag(FLAGS_deterministic);
  call.no_grad = absl::GetFlag(FLAGS_no_grad);
  call.optimizer = absl::GetFlag(FLAGS_optimizer);
  call.accumulation = absl::GetFlag(FLAGS_accumulation);
  call.grad_scaler = absl::GetFlag(FLAGS_grad_scaler);
  call.clip_norm = absl::GetFlag(FLAGS_clip_norm);
  call.batch = absl::GetFlag(FLAGS_batch);
  if (call.batch && (*call.batch < 1 || *call.batch > kMostRows)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--batch=", *call.batch, ": rows, 1 to ", kMostRows));
  }
  return absl::OkStatus();
}

absl::Status ReadTimes(const CommandLine& line, Settings& settings) {
  const std::optional<double> budget_s =
      line.min_time_s > 0 ? std::optional<double>(line.min_time_s) : absl::GetFlag(FLAGS_budget);
  if (budget_s && !(*budget_s > 0 && std::isfinite(*budget_s))) {
    return absl::InvalidArgumentError(
        absl::StrCat("--budget=", *budget_s, ": seconds, more than 0"));
  }
  settings.strict_budget = budget_s.has_value();
  settings.budget = absl::Seconds(budget_s.value_or(1));
  const double timeout_s = absl::GetFlag(FLAGS_timeout);
  if (!(timeout_s >= 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--timeout=", timeout_s, ": seconds, 0 or more"));
  }
  settings.timeout = absl::Seconds(timeout_s);
  const std::string inject = absl::GetFlag(FLAGS_inject);
  if (inject.empty()) return absl::OkStatus();
  double percent = 0;
  if (!absl::SimpleAtod(absl::StripSuffix(inject, "%"), &percent) || !absl::EndsWith(inject, "%") ||
      !(percent > 0 && percent <= 1000)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--inject=", inject, ": a share like 3%, more than 0 and at most 1000%"));
  }
  settings.injected_share = percent / 100;
  return absl::OkStatus();
}

// Reads the flags that name a user's files.
absl::Status ReadGiven(Settings& settings) {
  const std::string reference = absl::GetFlag(FLAGS_reference);
  settings.reference_path = reference.empty() ? absl::GetFlag(FLAGS_locked_reference) : reference;
  settings.given = {.weights = absl::GetFlag(FLAGS_weights),
                    .weights_prefix = absl::GetFlag(FLAGS_weights_prefix),
                    .inputs = absl::GetFlag(FLAGS_inputs),
                    .weights_ignore = absl::GetFlag(FLAGS_weights_ignore)};
  if (settings.given.weights.empty() && !settings.given.weights_prefix.empty()) {
    return absl::InvalidArgumentError("--weights-prefix: it is of --weights, which is not given");
  }
  if (settings.given.weights.empty() && !settings.given.weights_ignore.empty()) {
    return absl::InvalidArgumentError("--weights-ignore: it is of --weights, which is not given");
  }
  if (!settings.given.replaces_tensors()) return absl::OkStatus();
  settings.given.reference = reference;
  const std::string_view flag = settings.given.weights.empty() ? "--inputs" : "--weights";
  if (settings.action == Action::kSmoke) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": not with --action=smoke, whose model is a small one"));
  }
  // The seeded inputs do not depend on the weights.
  const bool inputs_alone = settings.given.inputs.empty() && settings.exports.only_inputs();
  if (settings.exports.any() && !inputs_alone) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": not with --export_* and --locate, which are of the seeded tensors; ",
                     "--weights may stand beside --export_inputs alone"));
  }
  return absl::OkStatus();
}

absl::Status ReadProfile(Settings& settings) {
  absl::StatusOr<ProfileSettings> profile = ReadProfileFlags();
  if (!profile.ok()) return profile.status();
  settings.profile = *std::move(profile);
  if (!settings.profile.any()) return absl::OkStatus();
  if (settings.action != Action::kMeasure || settings.exports.any()) {
    return absl::InvalidArgumentError(
        "--profile, --nsys, --ncu: they come after measuring; leave --action, --export_* and "
        "--locate out");
  }
  if (settings.profile.tool == profile::Tool::kNcu && settings.device == CPU) {
    return absl::InvalidArgumentError(
        "--ncu: it profiles CUDA kernels; give --device=cuda, or --profile for the CPU");
  }
  return absl::OkStatus();
}

absl::Status ReadPeaks(Settings& settings) {
  settings.peaks = absl::GetFlag(FLAGS_peaks);
  if (!settings.peaks || (settings.action == Action::kMeasure && !settings.exports.any()))
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--peaks: they are measured after the case; leave --action, --export_* and --locate out");
}

// Reads the flags on accuracy, which need the comparison to be made.
absl::Status ReadAccuracy(Settings& settings) {
  absl::StatusOr<AccuracySettings> accuracy = ReadAccuracySettings();
  if (!accuracy.ok()) return accuracy.status();
  settings.accuracy = *std::move(accuracy);
  if (!settings.accuracy.any()) return absl::OkStatus();
  if (settings.accuracy.mutants && !settings.given.weights.empty()) {
    return absl::InvalidArgumentError(
        "--check=mutants: its mutants have the seeded weights; leave --weights out");
  }
  const std::string_view without = !settings.verify                    ? "--verify=off"
                                   : settings.action == Action::kSmoke ? "--action=smoke"
                                   : settings.exports.any()            ? "--export_* or --locate"
                                                                       : "";
  if (without.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--rule, --accuracy_runs, --check, --save_outputs, --compare_outputs: they are of the "
      "comparison, which ",
      without, " leaves out"));
}

// Checks the flags for several batches: the second run would overwrite a file that the first wrote.
absl::Status ReadDynamicBatch(const CommandLine& line, Settings& settings) {
  const std::string text = absl::GetFlag(FLAGS_dynamic_batch);
  if (text.empty()) return absl::OkStatus();
  absl::StatusOr<std::vector<int64_t>> batches = ParseBatches(text);
  if (!batches.ok()) return batches.status();
  settings.dynamic_batch = *std::move(batches);
  bool file = !line.console_format;
  for (const std::string_view argument : line.benchmark_arguments)
    file |= absl::StartsWith(argument, "--benchmark_out=");
  const std::string_view with =
      settings.call.batch      ? "--batch"
      : settings.exports.any() ? "--export_* and --locate"
      : settings.profile.any() ? "--profile, --nsys, --ncu"
      : !settings.accuracy.save_outputs.empty() || !settings.accuracy.compare_outputs.empty()
          ? "--save_outputs, --compare_outputs"
      : !settings.given.inputs.empty()    ? "--inputs"
      : settings.action == Action::kSmoke ? "--action=smoke"
      : file                              ? "--benchmark_out, --benchmark_format"
                                          : "";
  if (with.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--dynamic-batch=", text, ": not with ", with,
                                                 ", which is of one batch; give --batch=N"));
}

}  // namespace

Comparison ComparisonOf(const Settings& settings) {
  if (!settings.verify || settings.action == Action::kSmoke) return Comparison::kNone;
  // A test compares everything, and so does the export of a reference. For a training case's layers
  // one step is enough.
  const bool all = settings.action == Action::kVerify || settings.exports.any();
  if (settings.exports.layered()) return Comparison::kMeasured;
  return all ? Comparison::kAllOptimizers : Comparison::kMeasured;
}

std::string_view ActionName(Action action) {
  switch (action) {
    case Action::kMeasure:
      return "measure";
    case Action::kVerify:
      return "verify";
    case Action::kSmoke:
      return "smoke";
  }
  return "";
}

absl::StatusOr<Settings> ReadSettings(const CommandLine& line) {
  Settings settings;
  settings.case_path = absl::GetFlag(FLAGS_case);
  settings.case_name = absl::GetFlag(FLAGS_case_name);
  settings.cuda_plugin_path = absl::GetFlag(FLAGS_cuda_plugin);
  settings.record_path = absl::GetFlag(FLAGS_record);
  settings.exports = {.state = absl::GetFlag(FLAGS_export_state),
                      .inputs = absl::GetFlag(FLAGS_export_inputs),
                      .reference = absl::GetFlag(FLAGS_export_reference),
                      .layers = absl::GetFlag(FLAGS_export_layers),
                      .locate = absl::GetFlag(FLAGS_locate),
                      .referenced_rows = absl::GetFlag(FLAGS_export_referenced_rows),
                      .mistake = absl::GetFlag(FLAGS_mistake)};
  absl::Status status = ReadChoices(settings);
  if (status.ok()) status = ReadMethods(settings);
  if (status.ok()) status = ReadCall(settings.call);
  if (status.ok()) status = ReadTimes(line, settings);
  if (status.ok()) status = ReadGiven(settings);
  if (status.ok()) status = ReadProfile(settings);
  if (status.ok()) status = ReadPeaks(settings);
  if (status.ok()) status = ReadAccuracy(settings);
  if (status.ok()) status = ReadDynamicBatch(line, settings);
  if (!status.ok()) return status;

  settings.mistake = absl::GetFlag(FLAGS_mistake);
  settings.randomize_inputs = absl::GetFlag(FLAGS_randomize_inputs);
  settings.threads = absl::GetFlag(FLAGS_threads);
  if (settings.threads < 0) {
    return absl::InvalidArgumentError(absl::StrCat("--threads=", settings.threads, ": 0 or more"));
  }
  for (std::string_view argument : line.benchmark_arguments) {
    if (absl::ConsumePrefix(&argument, "--benchmark_filter=")) settings.filter = argument;
  }
  const absl::StatusOr<bool> filter = MatchesFilter("", settings.filter);
  if (!filter.ok()) return filter.status();
  if (settings.exports.any() && (settings.call.batch || settings.call.autocast)) {
    return absl::InvalidArgumentError(
        "--export_*, --locate: they are of the case's own tensors; leave --batch and --autocast "
        "out");
  }
  return settings;
}

}  // namespace assay::runner
