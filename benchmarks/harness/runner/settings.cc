#include "benchmarks/harness/runner/settings.h"

#include <algorithm>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/runner/measure/dynamic_batch.h"
#include "benchmarks/harness/runner/measuring.h"

namespace assay::runner {

using configuration::FlagValues;
using configuration::IsGiven;
using configuration::ToRealNumber;
using configuration::ToWholeNumber;
using configuration::ValueOf;

namespace {

bool IsOn(const FlagValues& values, std::string_view name) {
  return ValueOf(values, name) == "true";
}

// Reads what the values of the flags say of themselves. None can be wrong: the table has read them.
absl::Status ReadValues(const FlagValues& values, Settings& settings) {
  settings.device = ValueOf(values, "device") == "cpu" ? CPU : CUDA;
  for (const Action action : {Action::kMeasure, Action::kVerify, Action::kSmoke}) {
    if (ValueOf(values, "action") == ActionName(action)) settings.action = action;
  }
  settings.verify = ValueOf(values, "verify") == "on";
  settings.retain_memory = ValueOf(values, "allocator") == "retain";
  settings.preset.flush = ValueOf(values, "cuda-l2-cache") == "off";
  settings.preset.warmup = ToWholeNumber(ValueOf(values, "warmup"));
  settings.preset.iterations = ToWholeNumber(ValueOf(values, "iterations"));
  settings.mistake = ValueOf(values, "mistake");
  settings.randomize_inputs = IsOn(values, "randomize-inputs");
  settings.threads = static_cast<int>(ToWholeNumber(ValueOf(values, "threads")));
  // More of them wait for each other, and a slip of the hand would start a million.
  constexpr int kMostForEachCpu = 4;
  const int most =
      kMostForEachCpu * std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (settings.threads > most) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--threads=", settings.threads, ": at most ", most, ", ", kMostForEachCpu, " for each of ",
        most / kMostForEachCpu, " CPUs; without the flag, a thread for each core"));
  }
  settings.call = configuration::CallFlagsOf(values);
  if (settings.verify || settings.action != Action::kVerify) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--action=verify --verify=off: nothing would be left to do; leave one of them out");
}

// Reads which steps are measured, and by which methods.
absl::Status ReadMethods(const FlagValues& values, Settings& settings) {
  for (const std::string_view name :
       absl::StrSplit(ValueOf(values, "modes"), ',', absl::SkipEmpty())) {
    const absl::StatusOr<sampling::Mode> mode = sampling::ParseMode(name);
    if (!mode.ok()) return mode.status();
    settings.methods.push_back(*mode);
  }
  if (IsGiven(values, "exec-mode")) {
    const absl::StatusOr<sampling::Preset> preset =
        sampling::ParsePreset(ValueOf(values, "exec-mode"));
    if (!preset.ok()) return preset.status();
    settings.methods.push_back(*preset);
  }
  settings.steps = absl::StrSplit(ValueOf(values, "steps"), ',', absl::SkipEmpty());
  return absl::OkStatus();
}

void ReadTimes(const CommandLine& line, Settings& settings) {
  const double budget_s =
      line.min_time_s > 0 ? line.min_time_s : ToRealNumber(ValueOf(line.values, "budget"));
  settings.strict_budget = budget_s > 0;
  settings.budget = absl::Seconds(settings.strict_budget ? budget_s : 1);
  settings.timeout = absl::Seconds(ToRealNumber(ValueOf(line.values, "timeout")));
  settings.injected_share =
      ToRealNumber(absl::StripSuffix(ValueOf(line.values, "inject"), "%")) / 100;
}

// Reads the flags that name a user's files.
absl::Status ReadGiven(const FlagValues& values, Settings& settings) {
  const std::string reference = ValueOf(values, "reference");
  settings.reference_path = reference.empty() ? ValueOf(values, "locked-reference") : reference;
  settings.given = {
      .weights = ValueOf(values, "weights"),
      .weights_prefix = ValueOf(values, "weights-prefix"),
      .inputs = ValueOf(values, "inputs"),
      .weights_ignore = absl::StrSplit(ValueOf(values, "weights-ignore"), ',', absl::SkipEmpty()),
      .prompt_ids = ValueOf(values, "prompt-ids")};
  if (settings.given.weights.empty() && !settings.given.weights_prefix.empty()) {
    return absl::InvalidArgumentError("--weights-prefix: it is of --weights, which is not given");
  }
  if (settings.given.weights.empty() && !settings.given.weights_ignore.empty()) {
    return absl::InvalidArgumentError("--weights-ignore: it is of --weights, which is not given");
  }
  if (!settings.given.inputs.empty() && !settings.given.prompt_ids.empty()) {
    return absl::InvalidArgumentError("--prompt-ids: not with --inputs, which holds the prompt");
  }
  if (!settings.given.replaces_tensors()) return absl::OkStatus();
  settings.given.reference = reference;
  const std::string_view flag = !settings.given.weights.empty()  ? "--weights"
                                : !settings.given.inputs.empty() ? "--inputs"
                                                                 : "--prompt-ids";
  if (settings.action == Action::kSmoke) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": not with --action=smoke, whose model is a small one"));
  }
  // The seeded inputs do not depend on the weights.
  const bool inputs_alone = !settings.given.replaces_inputs() && settings.exports.only_inputs();
  if (settings.exports.any() && !inputs_alone) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": not with --export-* and --locate, which are of the seeded tensors; ",
                     "--weights may stand beside --export-inputs alone"));
  }
  return absl::OkStatus();
}

absl::Status ReadProfile(const FlagValues& values, Settings& settings) {
  absl::StatusOr<ProfileSettings> profile = ReadProfileFlags(values);
  if (!profile.ok()) return profile.status();
  settings.profile = *std::move(profile);
  if (!settings.profile.any()) return absl::OkStatus();
  if (settings.action != Action::kMeasure || settings.exports.any()) {
    return absl::InvalidArgumentError(
        "--profile, --nsys, --ncu: they come after measuring; leave --action, --export-* and "
        "--locate out");
  }
  if (settings.profile.tool == profile::Tool::kNcu && settings.device == CPU) {
    return absl::InvalidArgumentError(
        "--ncu: it profiles CUDA kernels; give --device=cuda, or --profile for the CPU");
  }
  return absl::OkStatus();
}

// Checks the flags of what comes after measuring.
absl::Status ReadAfter(const FlagValues& values, Settings& settings) {
  settings.peaks = IsOn(values, "peaks");
  settings.plot_path = ValueOf(values, "plot");
  if (settings.action == Action::kMeasure && !settings.exports.any()) return absl::OkStatus();
  if (!settings.peaks && settings.plot_path.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(settings.peaks ? "--peaks: they are measured" : "--plot: the samples are drawn",
                   " after the case; leave --action, --export-* and --locate out"));
}

// Reads the flags on accuracy, which need the comparison to be made.
absl::Status ReadAccuracy(const FlagValues& values, Settings& settings) {
  absl::StatusOr<AccuracySettings> accuracy = ReadAccuracySettings(values);
  if (!accuracy.ok()) return accuracy.status();
  settings.accuracy = *std::move(accuracy);
  if (!settings.accuracy.any()) return absl::OkStatus();
  if (settings.accuracy.mutants && !settings.given.weights.empty()) {
    return absl::InvalidArgumentError(
        "--check=mutants: its mutants have the seeded weights; leave --weights out");
  }
  const std::string_view without = !settings.verify                    ? "--verify=off"
                                   : settings.action == Action::kSmoke ? "--action=smoke"
                                   : settings.exports.any()            ? "--export-* or --locate"
                                                                       : "";
  if (without.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--rule, --accuracy-runs, --check, --save-outputs, --compare-outputs: they are of the "
      "comparison, which ",
      without, " leaves out"));
}

// Checks the flags for several batches: the second run would overwrite a file that the first wrote.
absl::Status ReadDynamicBatch(const CommandLine& line, Settings& settings) {
  const std::string text = ValueOf(line.values, "dynamic-batch");
  if (text.empty()) return absl::OkStatus();
  absl::StatusOr<std::vector<int64_t>> batches = ParseBatches(text);
  if (!batches.ok()) return batches.status();
  settings.dynamic_batch = *std::move(batches);
  bool file = !line.console_format;
  for (const std::string_view argument : line.benchmark_arguments)
    file |= absl::StartsWith(argument, "--benchmark_out=");
  const std::string_view with =
      settings.call.batch      ? "--batch"
      : settings.exports.any() ? "--export-* and --locate"
      : settings.profile.any() ? "--profile, --nsys, --ncu"
      : !settings.accuracy.save_outputs.empty() || !settings.accuracy.compare_outputs.empty()
          ? "--save-outputs, --compare-outputs"
      : settings.given.replaces_inputs()  ? "--inputs, --prompt-ids"
      : settings.action == Action::kSmoke ? "--action=smoke"
      : !settings.plot_path.empty()       ? "--plot"
      : file                              ? "--benchmark_out, --benchmark_format"
                                          : "";
  if (with.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--dynamic-batch=", text, ": not with ", with,
                                                 ", which is of one batch; give --batch=N"));
}

}  // namespace

configuration::Comparison ComparisonOf(const Settings& settings) {
  if (!settings.verify || settings.action == Action::kSmoke)
    return configuration::Comparison::kNone;
  // A test compares everything, and so does the export of a reference. For a training case's layers
  // one step is enough.
  const bool all = settings.action == Action::kVerify || settings.exports.any();
  if (settings.exports.layered()) return configuration::Comparison::kMeasured;
  return all ? configuration::Comparison::kAllOptimizers : configuration::Comparison::kMeasured;
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
  const FlagValues& values = line.values;
  Settings settings;
  settings.case_path = ValueOf(values, "case");
  settings.case_name = ValueOf(values, "case-name");
  settings.cuda_plugin_path = ValueOf(values, "cuda-plugin");
  settings.module_path = ValueOf(values, "module");
  settings.record_path = ValueOf(values, "record");
  settings.exports = {.state = ValueOf(values, "export-state"),
                      .inputs = ValueOf(values, "export-inputs"),
                      .reference = ValueOf(values, "export-reference"),
                      .module = ValueOf(values, "export-module"),
                      .layers = ValueOf(values, "export-layers"),
                      .locate = IsOn(values, "locate"),
                      .referenced_rows = IsOn(values, "export-referenced-rows"),
                      .mistake = ValueOf(values, "mistake")};
  ReadTimes(line, settings);
  absl::Status status = ReadValues(values, settings);
  if (status.ok()) status = ReadMethods(values, settings);
  if (status.ok()) status = ReadGiven(values, settings);
  if (status.ok()) status = ReadProfile(values, settings);
  if (status.ok()) status = ReadAfter(values, settings);
  if (status.ok()) status = ReadAccuracy(values, settings);
  if (status.ok()) status = ReadDynamicBatch(line, settings);
  if (!status.ok()) return status;
  for (std::string_view argument : line.benchmark_arguments) {
    if (absl::ConsumePrefix(&argument, "--benchmark_filter=")) settings.filter = argument;
  }
  const absl::StatusOr<bool> filter = MatchesFilter("", settings.filter);
  if (!filter.ok()) return filter.status();
  if (settings.exports.any() &&
      (settings.call.batch || settings.call.autocast || settings.call.lowering)) {
    return absl::InvalidArgumentError(
        "--export-*, --locate: they are of the case's own tensors; leave --batch, --autocast and "
        "--lowering out");
  }
  return settings;
}

}  // namespace assay::runner
