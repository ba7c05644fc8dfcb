#include "benchmarks/harness/runner/settings.h"

#include <algorithm>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/runner/measure/dynamic_batch.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/vary/mix.h"
#include "defs/case/case_steps.h"

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
  return absl::OkStatus();
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
void ReadGiven(const FlagValues& values, Settings& settings) {
  const std::string reference = ValueOf(values, "reference");
  settings.reference_path = reference.empty() ? ValueOf(values, "locked-reference") : reference;
  settings.given = {
      .weights = ValueOf(values, "weights"),
      .weights_prefix = ValueOf(values, "weights-prefix"),
      .inputs = ValueOf(values, "inputs"),
      .weights_ignore = absl::StrSplit(ValueOf(values, "weights-ignore"), ',', absl::SkipEmpty()),
      .prompt_ids = ValueOf(values, "prompt-ids"),
      .config_ignore = absl::StrSplit(ValueOf(values, "config-ignore"), ',', absl::SkipEmpty()),
      .by_python = ValueOf(values, "verify-with") == "python"};
  if (settings.given.replaces_tensors()) settings.given.reference = reference;
}

// Reads the flags whose values have a grammar of their own.
absl::Status ReadTexts(const FlagValues& values, Settings& settings) {
  absl::StatusOr<AccuracySettings> accuracy = ReadAccuracySettings(values);
  if (!accuracy.ok()) return accuracy.status();
  settings.accuracy = *std::move(accuracy);
  if (const std::string sizes = ValueOf(values, "vary"); !sizes.empty()) {
    absl::StatusOr<Mix> mix =
        ParseMix(sizes, static_cast<uint64_t>(ToWholeNumber(ValueOf(values, "vary-seed"))));
    if (!mix.ok()) return mix.status();
    settings.mix = *std::move(mix);
  }
  const std::string batches = ValueOf(values, "dynamic-batch");
  if (batches.empty()) return absl::OkStatus();
  absl::StatusOr<std::vector<int64_t>> read = ParseBatches(batches);
  if (!read.ok()) return read.status();
  settings.dynamic_batch = *std::move(read);
  return absl::OkStatus();
}

// Calls of a mix are timed one by one.
absl::Status CheckMethods(const Settings& settings) {
  if (!settings.mix) return absl::OkStatus();
  for (const Method& method : settings.methods) {
    if (MethodName(method) == "wall") continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--vary: its calls are timed one by one, as by --modes=wall; leave ",
                     MethodName(method), " out"));
  }
  for (const auto& [name, value] : settings.mix->sizes[0].values) {
    if (name == "batch" && settings.call.batch)
      return absl::InvalidArgumentError("--vary: its mix has batches; leave --batch out");
  }
  for (const std::string& step : settings.steps) {
    if (step != steps::kForward)
      return absl::InvalidArgumentError(
          absl::StrCat("--vary: it times forward; leave --steps=", step, " out"));
  }
  return absl::OkStatus();
}

// Checks which flags stand together, Google Benchmark's among them.
absl::Status CheckTogether(const CommandLine& line) {
  FlagValues all = line.values;
  for (std::string_view argument : line.benchmark_arguments) {
    if (!absl::ConsumePrefix(&argument, "--")) continue;
    const std::pair<std::string, std::string> flag =
        absl::StrSplit(argument, absl::MaxSplits('=', 1));
    all.insert_or_assign(flag.first, flag.second);
  }
  return configuration::CheckFlags(all);
}

}  // namespace

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
                      .resolved = ValueOf(values, "export-case"),
                      .locate = IsOn(values, "locate"),
                      .referenced_rows = IsOn(values, "export-referenced-rows"),
                      .mistake = ValueOf(values, "mistake")};
  settings.peaks = IsOn(values, "peaks");
  settings.energy = IsOn(values, "energy");
  settings.plot_path = ValueOf(values, "plot");
  settings.profile = ReadProfileFlags(values);
  ReadTimes(line, settings);
  ReadGiven(values, settings);
  absl::Status status = ReadValues(values, settings);
  if (status.ok()) status = ReadMethods(values, settings);
  if (status.ok()) status = ReadTexts(values, settings);
  if (status.ok()) status = CheckTogether(line);
  if (status.ok()) status = CheckMethods(settings);
  if (!status.ok()) return status;
  settings.serves = IsGiven(values, "scenario");
  for (std::string_view argument : line.benchmark_arguments) {
    if (absl::ConsumePrefix(&argument, "--benchmark_filter=")) settings.filter = argument;
  }
  const absl::StatusOr<bool> filter = MatchesFilter("", settings.filter);
  if (!filter.ok()) return filter.status();
  return settings;
}

}  // namespace assay::runner
