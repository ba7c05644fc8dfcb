#include "tools/suite/plan/runner_flags.h"

#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/presets.h"
#include "defs/backend_names.h"
#include "defs/case_resolution.h"
#include "defs/case_steps.h"

namespace assay::suite {
namespace {

using Read = std::function<absl::StatusOr<std::string>(const std::string&)>;
using runner::CallFlags;

Read OneOf(std::vector<std::string> choices) {
  return [choices = std::move(choices)](const std::string& value) -> absl::StatusOr<std::string> {
    if (absl::c_linear_search(choices, value)) return value;
    return absl::InvalidArgumentError(absl::StrCat("one of ", absl::StrJoin(choices, ", ")));
  };
}

Read Whole(int64_t low, int64_t high) {
  return [low, high](const std::string& value) -> absl::StatusOr<std::string> {
    int64_t number = 0;
    if (absl::SimpleAtoi(value, &number) && number >= low && number <= high) {
      return absl::StrCat(number);
    }
    return absl::InvalidArgumentError(absl::StrCat("a whole number from ", low, " to ", high));
  };
}

Read Real(bool zero, std::string allowed) {
  return [zero,
          allowed = std::move(allowed)](const std::string& value) -> absl::StatusOr<std::string> {
    double number = 0;
    if (absl::SimpleAtod(value, &number) && std::isfinite(number) &&
        (number > 0 || (zero && number == 0))) {
      return absl::StrCat(number);
    }
    return absl::InvalidArgumentError(allowed);
  };
}

// A list of words for one run, "wall,cold"; `parse` checks each.
template <typename Parse>
Read ListOf(Parse parse) {
  return [parse](const std::string& value) -> absl::StatusOr<std::string> {
    const std::vector<std::string> words = absl::StrSplit(value, ',');
    for (const std::string& word : words) {
      const auto parsed = parse(word);
      if (!parsed.ok()) return parsed.status();
    }
    return absl::StrJoin(words, ",");
  };
}

absl::StatusOr<std::string> ReadShare(const std::string& value) {
  double percent = 0;
  if (absl::EndsWith(value, "%") && absl::SimpleAtod(absl::StripSuffix(value, "%"), &percent) &&
      percent > 0 && percent <= 1000) {
    return value;
  }
  return absl::InvalidArgumentError("a share like 3%, more than 0 and at most 1000%");
}

absl::StatusOr<std::string> ReadOdd(const std::string& value) {
  int number = 0;
  if (absl::SimpleAtoi(value, &number) && number > 0 && number % 2 == 1) {
    return absl::StrCat(number);
  }
  return absl::InvalidArgumentError("an odd number");
}

// The runner's own help says what is allowed, and the runner checks it.
absl::StatusOr<std::string> ReadText(const std::string& value) {
  if (!value.empty()) return value;
  return absl::InvalidArgumentError("is empty; the help of a case says what it may be");
}

std::string SwitchText(bool on) { return on ? "true" : "false"; }

int64_t ToNumber(const std::string& value) {
  int64_t number = 0;
  return absl::SimpleAtoi(value, &number) ? number : 0;
}

absl::StatusOr<std::string> ReadBackend(const std::string& value) {
  const absl::StatusOr<std::string> read =
      OneOf({std::begin(kBackends), std::end(kBackends)})(value);
  if (read.ok()) return read;
  return absl::InvalidArgumentError(
      absl::StrCat(read.status().message(), "; another one that a library registers runs case by ",
                   "case: LABEL -- --backend=", value));
}

// The flags that say how a case is called (as_called.h).
std::vector<RunnerFlag> CallFlagTable() {
  return {
      {.name = "batch",
       .read = Whole(1, kMaximumBatch),
       .own = [](const BenchmarkCase& c) { return absl::StrCat(c.batch()); },
       .call = [](const std::string& v, CallFlags& flags) { flags.batch = ToNumber(v); }},
      {.name = "backend",
       .read = ReadBackend,
       .own = [](const BenchmarkCase& c) { return BackendName(c.execution()); },
       .call = [](const std::string& v, CallFlags& flags) { flags.backend = v; }},
      {.name = "memory-format",
       .read = OneOf({"contiguous", "channels_last"}),
       .own =
           [](const BenchmarkCase& c) {
             return c.execution().memory_format() == CHANNELS_LAST ? "channels_last" : "contiguous";
           },
       .call =
           [](const std::string& v, CallFlags& flags) {
             flags.memory_format = v == "channels_last" ? CHANNELS_LAST : CONTIGUOUS;
           }},
      {.name = "autocast",
       .read = OneOf({"bf16", "fp16", "off"}),
       .own =
           [](const BenchmarkCase& c) {
             const Dtype dtype = c.execution().autocast();
             return dtype == DTYPE_UNSPECIFIED ? "off" : DtypeText(dtype);
           },
       .call =
           [](const std::string& v, CallFlags& flags) {
             flags.autocast = v == "bf16" ? BF16 : v == "fp16" ? FP16 : DTYPE_UNSPECIFIED;
           }},
      {.name = "matmul-precision",
       .read = OneOf({"highest", "high", "medium"}),
       .own =
           [](const BenchmarkCase& c) {
             const MatmulPrecision precision = c.execution().matmul_precision();
             return absl::AsciiStrToLower(MatmulPrecision_Name(
                 precision == MATMUL_PRECISION_UNSPECIFIED ? HIGHEST : precision));
           },
       .call =
           [](const std::string& v, CallFlags& flags) {
             flags.matmul_precision = v == "high" ? HIGH : v == "medium" ? MEDIUM : HIGHEST;
           }},
      {.name = "deterministic",
       .read = OneOf({"true", "false"}),
       .is_switch = true,
       .own = [](const BenchmarkCase& c) { return SwitchText(c.execution().deterministic()); },
       .call = [](const std::string& v, CallFlags& flags) { flags.deterministic = v == "true"; }},
      {.name = "no-grad",
       .read = OneOf({"true", "false"}),
       .is_switch = true,
       .own = [](const BenchmarkCase& c) { return SwitchText(c.execution().no_grad()); },
       .call = [](const std::string& v, CallFlags& flags) { flags.no_grad = v == "true"; }},
      // Without it a measurement takes the case's first optimizer, and --action=verify all.
      {.name = "optimizer",
       .read = OneOf({"sgd", "adam", "adamw"}),
       .call = [](const std::string& v, CallFlags& flags) { flags.optimizer = v; }},
      {.name = "accumulation",
       .read = Whole(1, kMaximumBatch),
       .own =
           [](const BenchmarkCase& c) {
             return absl::StrCat(std::max<int64_t>(c.execution().accumulation(), 1));
           },
       .call = [](const std::string& v, CallFlags& flags) { flags.accumulation = ToNumber(v); }},
      // Without it, autocast decides.
      {.name = "grad-scaler",
       .read = OneOf({"true", "false"}),
       .is_switch = true,
       .call = [](const std::string& v, CallFlags& flags) { flags.grad_scaler = v == "true"; }},
      {.name = "clip-norm",
       .read = Real(/*zero=*/true, "a norm, or 0 for none"),
       .own = [](const BenchmarkCase& c) { return absl::StrCat(c.training().clip_norm()); },
       .call =
           [](const std::string& v, CallFlags& flags) {
             double norm = 0;
             if (absl::SimpleAtod(v, &norm)) flags.clip_norm = norm;
           }},
  };
}

// The runner's default for every case.
std::function<std::string(const BenchmarkCase&)> Always(std::string value) {
  return [value = std::move(value)](const BenchmarkCase&) { return value; };
}

std::vector<RunnerFlag> MeasuringFlagTable() {
  const Read one_or_more = Whole(1, 1000000), zero_or_more = Whole(0, 1000000);
  return {
      {.name = "device", .read = OneOf({"cpu", "cuda"})},
      {.name = "threads", .read = Whole(0, 4096), .own = Always("0")},
      {.name = "allocator", .read = OneOf({"retain", "default"}), .own = Always("retain")},
      {.name = "steps",
       .read = ListOf([](std::string_view word) -> absl::StatusOr<std::string_view> {
         if (absl::Status known = CheckStepName(word); !known.ok()) return known;
         return word;
       })},
      {.name = "modes",
       .read = ListOf([](std::string_view word) { return sampling::ParseMode(word); })},
      {.name = "exec-mode",
       .read = [](const std::string& value) -> absl::StatusOr<std::string> {
         const absl::StatusOr<sampling::Preset> preset = sampling::ParsePreset(value);
         if (!preset.ok()) return preset.status();
         return value;
       }},
      {.name = "warmup", .read = zero_or_more},
      {.name = "iterations", .read = one_or_more},
      {.name = "cuda-l2-cache", .read = OneOf({"on", "off"}), .own = Always("on")},
      {.name = "randomize-inputs",
       .read = OneOf({"true", "false"}),
       .is_switch = true,
       .own = Always("false")},
      {.name = "budget", .read = Real(/*zero=*/false, "seconds, more than 0")},
      {.name = "action", .read = OneOf({"measure", "verify", "smoke"}), .own = Always("measure")},
      {.name = "verify", .read = OneOf({"on", "off"}), .own = Always("on")},
      {.name = "rule", .read = ReadText},
      {.name = "check", .read = ReadText},
      {.name = "accuracy-runs", .read = ReadOdd, .own = Always("1")},
      {.name = "inject", .read = ReadShare},
  };
}

}  // namespace

const std::vector<RunnerFlag>& RunnerFlags() {
  static const std::vector<RunnerFlag>& flags = *[] {
    auto* all = new std::vector<RunnerFlag>(CallFlagTable());
    for (RunnerFlag& flag : MeasuringFlagTable()) all->push_back(std::move(flag));
    return all;
  }();
  return flags;
}

const RunnerFlag* FindRunnerFlag(std::string_view name) {
  const auto found =
      absl::c_find_if(RunnerFlags(), [&](const RunnerFlag& flag) { return flag.name == name; });
  return found == RunnerFlags().end() ? nullptr : &*found;
}

std::vector<std::string> FlagWords(const FlagValues& values) {
  std::vector<std::string> words;
  for (const RunnerFlag& flag : RunnerFlags()) {
    const auto found = values.find(flag.name);
    if (found != values.end()) words.push_back(absl::StrCat("--", flag.name, "=", found->second));
  }
  return words;
}

std::string DtypeText(Dtype dtype) { return absl::AsciiStrToLower(Dtype_Name(dtype)); }

}  // namespace assay::suite
