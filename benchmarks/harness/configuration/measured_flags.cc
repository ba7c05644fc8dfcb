#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/configuration/flag_sections.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/presets.h"
#include "defs/case/case_steps.h"
#include "defs/case/training_steps.h"

namespace assay::configuration {
namespace {

constexpr int64_t kMostCalls = 1000000000, kMostThreads = 4096;

absl::StatusOr<std::string> ReadShare(const std::string& value) {
  double percent = 0;
  if (absl::EndsWith(value, "%") && absl::SimpleAtod(absl::StripSuffix(value, "%"), &percent) &&
      percent > 0 && percent <= 1000) {
    return value;
  }
  return absl::InvalidArgumentError("a share like 3%, more than 0 and at most 1000%");
}

absl::StatusOr<std::string> ReadPreset(const std::string& value) {
  const absl::StatusOr<sampling::Preset> preset = sampling::ParsePreset(value);
  if (!preset.ok()) return preset.status();
  return value;
}

absl::Status CheckMode(std::string_view word) { return sampling::ParseMode(word).status(); }

}  // namespace

FlagSection MeasuredFlags() {
  return {
      .title = "What is measured",
      .flags = {
          {.name = "modes",
           .value = "LIST",
           .use = FlagUse::kLook,
           .text = R"(wall        one call until its result is there: the latency that a user sees
throughput  many calls in a row: calls a second
cold        one call after the cache was flushed
hot         many calls in a row, cache warm; on CUDA by the device's own timer
graph       many calls recorded once and replayed: device time without launches (CUDA)
enqueue     host time until a call returns (CUDA)
default: wall and throughput on the CPU; wall, cold and hot on CUDA)",
           .read = ListOf(CheckMode),
           .example = "wall"},
          {.name = "steps",
           .value = "LIST",
           .use = FlagUse::kLook,
           .text =
               R"(the steps of the case's program that are timed, each apart: forward; in training cases also backward,
optimizer, train_step; in operators' _backward cases backward; of image classifiers preprocess,
postprocess; of generation cases prefill, decode, generate; on CUDA h2d, d2h. Default: forward; in
training and generation cases all; in operators' _backward cases backward. While it is timed, the
optimizer's learning rate is 1e-12, so that the weights stay those that were verified; the arithmetic
is the same)",
           .read = ListOf(CheckStepName),
           .example = "forward"},
          {.name = "exec-mode",
           .value = "NAME",
           .use = FlagUse::kTiming,
           .text =
               R"(as another suite measures: discrete, continuous, continuous_events (PARAM), do_bench (Triton))",
           .read = ReadPreset,
           .example = "discrete"},
          {.name = "warmup",
           .value = "N",
           .use = FlagUse::kTiming,
           .text = "calls before those that count, with --exec-mode of PARAM; default 1",
           .read = WholeNumber(0, kMostCalls),
           .fallback = "1",
           .example = "2"},
          {.name = "iterations",
           .value = "N",
           .use = FlagUse::kTiming,
           .text = "calls that count, with --exec-mode of PARAM; default 1",
           .read = WholeNumber(1, kMostCalls),
           .fallback = "1",
           .example = "2"},
          {.name = "cuda-l2-cache",
           .value = "on|off",
           .use = FlagUse::kTiming,
           .text = "off: flush the cache before each call of --exec-mode=discrete; default on",
           .read = OneOf({"on", "off"}),
           .fallback = "on",
           .example = "off"},
          {.name = "budget",
           .value = "SECONDS",
           .use = FlagUse::kLook,
           .text =
               R"(sampling time of each mode, kept within a tenth; only for the first six samples up to ten times as
long. Sampling ends earlier when half the width of the median's 95 % interval is at most 0.25 % of the median.
Default 1. --benchmark_min_time means the same)",
           .read = RealNumber(/*zero=*/false, "seconds, more than 0"),
           .example = "0.5"},
          {.name = "randomize-inputs",
           .use = FlagUse::kTiming,
           .text =
               R"(each timed call reads other inputs than the one before, so that no answer can be remembered. 4 to 64
sets of inputs are used in turn, as many as 64 MiB hold. They are drawn from the case's distributions with
the seeds S, S+1, ..., before the clock runs. Within a sample of many calls (throughput, hot) changing sets
is timed, about a tenth of a microsecond. The compared call keeps the inputs of seed S)",
           .read = OnOrOff(),
           .fallback = "false",
           .example = "true"},
          {.name = "vary",
           .value = "MIX",
           .use = FlagUse::kTiming,
           .text =
               R"(sequence_length=32,64:3,128: sizes that change from call to call, with one program. Sizes may have
weights: of five calls three have 64. A second parameter follows a semicolon, and "batch" is one as well.
Each size is compared with outputs in float64. Its row shows what it costs between others and alone, its
first call, and how long the back end compiled for it. The order follows from --vary-seed)",
           .read = AnyText(),
           .example = "batch=1,3",
           .excludes =
               {{.with = {"dynamic-batch", "exec-mode",       "randomize-inputs", "inject",
                          "module",        "weights",         "inputs",           "prompt-ids",
                          "action=smoke",  "energy",          "profile",          "nsys",
                          "ncu",           "capture-trace",   "memory-timeline",  "plot",
                          "export-*",      "locate",          "accuracy-runs",    "check",
                          "save-outputs",  "compare-outputs", "benchmark_*"},
                 .why = "not with $, which is of calls of one size with the seeded tensors"}}},
          {.name = "vary-seed",
           .value = "N",
           .use = FlagUse::kTiming,
           .text = "of the order of sizes; default 0",
           .read = WholeNumber(0, int64_t{1} << 62),
           .fallback = "0",
           .example = "7",
           .needs = {"vary"}},
          {.name = "timeout",
           .value = "SECONDS",
           .text = "gives the run up as TIMEOUT, keeping what was measured; default 0: never",
           .read = RealNumber(/*zero=*/true, "seconds, 0 or more"),
           .fallback = "0",
           .example = "60"},
          {.name = "inject",
           .value = "SHARE",
           .use = FlagUse::kTiming,
           .text =
               R"(3%: makes each call so much slower by spinning, to prove that a comparison finds it; marked in the
record)",
           .read = ReadShare,
           .example = "3%"},
          {.name = "threads",
           .value = "N",
           .use = FlagUse::kTiming,
           .text = "threads of one operator; default 0: the number of cores",
           .read = WholeNumber(0, kMostThreads),
           .fallback = "0",
           .example = "1"},
          {.name = "allocator",
           .value = "NAME",
           .use = FlagUse::kTiming,
           .text =
               R"(retain (default): memory that a call frees stays with the process, as with CUDA's caching
allocator; default: glibc's policy, whose page faults are then part of each call)",
           .read = OneOf({"retain", "default"}),
           .fallback = "retain",
           .example = "default"},
          {.name = "device",
           .value = "NAME",
           .use = FlagUse::kTiming,
           .text = "cpu or cuda; default: cuda in a build with --config=cuda, cpu in any other",
           .read = OneOf({"cpu", "cuda"}),
           .example = "cuda",
           .default_is_known = false},
      }};
}

}  // namespace assay::configuration
