#include "benchmarks/harness/configuration/case_flags.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/flag_rules.h"
#include "benchmarks/harness/configuration/load_flags.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/presets.h"
#include "defs/case/case_steps.h"
#include "defs/case/execution_names.h"
#include "defs/case/training_steps.h"
#include "defs/compiler/case_resolution.h"

namespace assay::configuration {
namespace {

constexpr FlagUse kCall = FlagUse::kCall, kTiming = FlagUse::kTiming, kLook = FlagUse::kLook,
                  kProgram = FlagUse::kProgram;
constexpr int64_t kMostCalls = 1000000000, kMostThreads = 4096, kMostRuns = 999;

absl::StatusOr<std::string> ReadShare(const std::string& value) {
  double percent = 0;
  if (absl::EndsWith(value, "%") && absl::SimpleAtod(absl::StripSuffix(value, "%"), &percent) &&
      percent > 0 && percent <= 1000) {
    return value;
  }
  return absl::InvalidArgumentError("a share like 3%, more than 0 and at most 1000%");
}

absl::StatusOr<std::string> ReadOdd(const std::string& value) {
  int64_t number = 0;
  if (absl::SimpleAtoi(value, &number) && number > 0 && number <= kMostRuns && number % 2 == 1) {
    return absl::StrCat(number);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("an odd number, 1 to ", kMostRuns, ", so that there is a majority"));
}

absl::StatusOr<std::string> ReadPreset(const std::string& value) {
  const absl::StatusOr<sampling::Preset> preset = sampling::ParsePreset(value);
  if (!preset.ok()) return preset.status();
  return value;
}

absl::StatusOr<std::string> ReadPicture(const std::string& value) {
  for (const std::string_view ending : {".svg", ".png", ".html"}) {
    if (absl::EndsWith(value, ending)) return value;
  }
  return absl::InvalidArgumentError("a picture is FILE.svg, FILE.png or FILE.html");
}

absl::StatusOr<std::string> ReadTimeline(const std::string& value) {
  for (const std::string_view ending : {".svg", ".csv", ".pickle"}) {
    if (absl::EndsWith(value, ending)) return value;
  }
  return absl::InvalidArgumentError("a timeline is FILE.svg, FILE.csv or FILE.pickle");
}

absl::Status CheckMode(std::string_view word) { return sampling::ParseMode(word).status(); }

absl::Status CheckName(std::string_view word) {
  if (word == "batch_invariance" || word == "bitwise" || word == "mutants") return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("'", word, "': one of batch_invariance, bitwise, mutants"));
}

absl::Status CheckAnything(std::string_view) { return absl::OkStatus(); }

// Flags of a comparison that is not made.
Exclusion OfTheComparison() {
  return {.with = {"verify=off", "action=smoke", "export-*", "locate"},
          .why = "it is of the comparison, which $ leaves out"};
}

Exclusion OfALargeModel() {
  return {.with = {"action=smoke"}, .why = "not with $, whose model is a small one"};
}

Exclusion OfGivenTensors() {
  return {.with = {"export-*", "locate"}, .why = "not with $, which is of the seeded tensors"};
}

Exclusion OfTheCaseItself() {
  return {.with = {"export-*", "locate"},
          .why = "not with $, which is of the case's own tensors; leave one of them out"};
}

// `what`: "the samples are drawn".
Exclusion AfterTheCase(std::string_view what) {
  return {.with = {"action=verify", "action=smoke", "export-*", "locate"},
          .why = absl::StrCat(what, " after the case; leave $ out")};
}

Exclusion AfterMeasuring() {
  return {.with = {"action=verify", "action=smoke", "export-*", "locate"},
          .why = "it comes after measuring; leave $ out"};
}

Exclusion OneTool(std::vector<std::string> others) {
  return {.with = std::move(others),
          .why = "not with $: one at a time, since each would see the others at work"};
}

// "eager (default); torchscript (forward alone); aoti, exported (they run …".
std::string BackendText() {
  std::string described;
  std::vector<std::string_view> others;
  for (const BackendRow& row : kBackendTable) {
    if (row.says.empty()) {
      others.push_back(row.name);
    } else {
      absl::StrAppend(&described, " ", row.name, " (", row.says, ");");
    }
  }
  return absl::StrCat(kEager, " (default);", described, "\n", absl::StrJoin(others, ", "),
                      R"( (they run exported files; docs/backends.md): a runner
started by tools/bazel run builds itself again with the one that it has not; a library of your own registers
another (execution/backend.h): tools/bazel run --//benchmarks/backends=//my:lib)");
}

std::string SwitchText(bool on) { return on ? "true" : "false"; }

FlagSection Measured() {
  return {
      .title = "What is measured",
      .flags = {
          {.name = "modes",
           .value = "LIST",
           .use = kLook,
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
           .use = kLook,
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
           .use = kTiming,
           .text =
               R"(as another suite measures: discrete, continuous, continuous_events (PARAM), do_bench (Triton))",
           .read = ReadPreset,
           .example = "discrete"},
          {.name = "warmup",
           .value = "N",
           .use = kTiming,
           .text = "calls before those that count, with --exec-mode of PARAM; default 1",
           .read = WholeNumber(0, kMostCalls),
           .fallback = "1",
           .example = "2"},
          {.name = "iterations",
           .value = "N",
           .use = kTiming,
           .text = "calls that count, with --exec-mode of PARAM; default 1",
           .read = WholeNumber(1, kMostCalls),
           .fallback = "1",
           .example = "2"},
          {.name = "cuda-l2-cache",
           .value = "on|off",
           .use = kTiming,
           .text = "off: flush the cache before each call of --exec-mode=discrete; default on",
           .read = OneOf({"on", "off"}),
           .fallback = "on",
           .example = "off"},
          {.name = "budget",
           .value = "SECONDS",
           .use = kLook,
           .text =
               R"(sampling time of each mode, kept within a tenth; only for the first six samples up to ten times as
long. Sampling ends earlier when half the width of the median's 95 % interval is at most 0.25 % of the median.
Default 1. --benchmark_min_time means the same)",
           .read = RealNumber(/*zero=*/false, "seconds, more than 0"),
           .example = "0.5"},
          {.name = "randomize-inputs",
           .use = kTiming,
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
           .use = kTiming,
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
           .use = kTiming,
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
           .use = kTiming,
           .text =
               R"(3%: makes each call so much slower by spinning, to prove that a comparison finds it; marked in the
record)",
           .read = ReadShare,
           .example = "3%"},
          {.name = "threads",
           .value = "N",
           .use = kTiming,
           .text = "threads of one operator; default 0: the number of cores",
           .read = WholeNumber(0, kMostThreads),
           .fallback = "0",
           .example = "1"},
          {.name = "allocator",
           .value = "NAME",
           .use = kTiming,
           .text =
               R"(retain (default): memory that a call frees stays with the process, as with CUDA's caching
allocator; default: glibc's policy, whose page faults are then part of each call)",
           .read = OneOf({"retain", "default"}),
           .fallback = "retain",
           .example = "default"},
          {.name = "device",
           .value = "NAME",
           .use = kTiming,
           .text = "cpu or cuda; default: cuda in a build with --config=cuda, cpu in any other",
           .read = OneOf({"cpu", "cuda"}),
           .example = "cuda",
           .default_is_known = false},
      }};
}

FlagSection Called() {
  return {
      .title = "How it is called (the same reference judges all of it; verdict and record say it)",
      .flags = {
          {.name = "batch",
           .value = "N",
           .use = kCall,
           .text = "rows of every input; compared with the reference on the rows that both have",
           .read = WholeNumber(1, kMaximumBatch),
           .example = "7",
           .of_case = [](const BenchmarkCase& c) { return absl::StrCat(c.batch()); },
           .enter = [](const std::string& v, CallFlags& flags) { flags.batch = ToWholeNumber(v); },
           .excludes = {OfTheCaseItself()}},
          {.name = "dynamic-batch",
           .value = "LIST",
           .text =
               R"(1,2,4,8: several batches in one process, one after another, with one program. Each is a run with a record
as if --batch=N had been given. From the second on the record says launch.shared)",
           .read = AnyText(),
           .excludes = {{.with = {"batch", "export-*", "locate", "profile", "nsys", "ncu",
                                  "capture-trace", "memory-timeline", "save-outputs",
                                  "compare-outputs", "inputs", "prompt-ids", "action=smoke", "plot",
                                  "benchmark_out", "benchmark_format=json", "benchmark_format=csv"},
                         .why = "not with $, which is of one batch; give --batch=N"}}},
          {.name = "backend",
           .value = "NAME",
           .use = kCall,
           .text = BackendText(),
           .read = AnyText(),
           .example = "torchscript",
           .of_case = [](const BenchmarkCase& c) { return BackendName(c.execution()); },
           .enter = [](const std::string& v, CallFlags& flags) { flags.backend = v; }},
          {.name = "module",
           .value = "FILE",
           .text = absl::StrCat("with --backend=", LinkableText(" or "), R"(:
the file that it runs, made by tools/bazel run //tools:export_model. Default: one is made of the case; all but
torchscript keep it in ~/.cache/assay/modules)"),
           .read = AnyText()},
          {.name = "lowering",
           .value = "NAME",
           .use = kCall,
           .text =
               R"(changes the model once its weights are in place: merged_branches (repvgg); of linear layers
int8_dynamic (fp32, CPU), int8_weights (bf16, CPU), int4_weights (bf16, fp16, fp32, CPU), fp8_dynamic (bf16).
int8_static (fp32, CPU) takes all layers of mlp, mobilenet_v2 and the resnets without group norms. none: no
lowering. The same reference judges it. Each layer with rounded weights is also compared with its result in float64)",
           .read = OneOf(absl::StrSplit(absl::StrCat("none, ", lowerings::Names()), ", ")),
           .example = "merged_branches",
           .of_case =
               [](const BenchmarkCase& c) {
                 return c.execution().lowering().empty() ? "none" : c.execution().lowering();
               },
           .enter = [](const std::string& v,
                       CallFlags& flags) { flags.lowering = v == "none" ? "" : v; },
           .excludes = {OfTheCaseItself()}},
          {.name = "memory-format",
           .value = "NAME",
           .use = kCall,
           .text = "contiguous (default) or channels_last",
           .read = OneOf({"contiguous", "channels_last"}),
           .example = "channels_last",
           .of_case =
               [](const BenchmarkCase& c) {
                 return c.execution().memory_format() == CHANNELS_LAST ? "channels_last"
                                                                       : "contiguous";
               },
           .enter =
               [](const std::string& v, CallFlags& flags) {
                 flags.memory_format = v == "channels_last" ? CHANNELS_LAST : CONTIGUOUS;
               }},
          {.name = "autocast",
           .value = "DTYPE",
           .use = kCall,
           .text = "bf16, fp16 or off, as torch.autocast, for fp32 cases; judged by the limits of "
                   "that dtype",
           .read = OneOf({"bf16", "fp16", "off"}),
           .example = "bf16",
           .of_case =
               [](const BenchmarkCase& c) {
                 const Dtype dtype = c.execution().autocast();
                 return dtype == DTYPE_UNSPECIFIED ? "off" : DtypeText(dtype);
               },
           .enter =
               [](const std::string& v, CallFlags& flags) {
                 flags.autocast = v == "bf16" ? BF16 : v == "fp16" ? FP16 : DTYPE_UNSPECIFIED;
               },
           .excludes = {OfTheCaseItself()}},
          {.name = "matmul-precision",
           .value = "NAME",
           .use = kCall,
           .text =
               R"(highest (default), high or medium, as torch.set_float32_matmul_precision, of fp32 cases. On CUDA high and medium
let products, convolutions and recurrent layers round to TF32, as torch.backends.cudnn.allow_tf32 does of the
last two, where PyTorch's own default is True. On the CPU high changes nothing (but with AMX-FP16), and medium
lets products round to bf16. Rounded results are judged by limits of their own)",
           .read = OneOf({"highest", "high", "medium"}),
           .example = "medium",
           .of_case =
               [](const BenchmarkCase& c) {
                 const MatmulPrecision precision = c.execution().matmul_precision();
                 return absl::AsciiStrToLower(MatmulPrecision_Name(
                     precision == MATMUL_PRECISION_UNSPECIFIED ? HIGHEST : precision));
               },
           .enter =
               [](const std::string& v, CallFlags& flags) {
                 flags.matmul_precision = v == "high" ? HIGH : v == "medium" ? MEDIUM : HIGHEST;
               }},
          {.name = "deterministic",
           .use = kCall,
           .text = "as torch.use_deterministic_algorithms; on CUDA also "
                   "CUBLAS_WORKSPACE_CONFIG=:4096:8, "
                   "unless you have set one",
           .read = OnOrOff(),
           .example = "true",
           .of_case =
               [](const BenchmarkCase& c) { return SwitchText(c.execution().deterministic()); },
           .enter = [](const std::string& v,
                       CallFlags& flags) { flags.deterministic = v == "true"; }},
          {.name = "no-grad",
           .use = kCall,
           .text = "torch.no_grad in place of torch.inference_mode",
           .read = OnOrOff(),
           .example = "true",
           .of_case = [](const BenchmarkCase& c) { return SwitchText(c.execution().no_grad()); },
           .enter = [](const std::string& v, CallFlags& flags) { flags.no_grad = v == "true"; }},
      }};
}

FlagSection Trained() {
  return {
      .title = "Training cases",
      .flags =
          {
              {.name = "optimizer",
               .value = "NAME",
               .use = kCall,
               .text = "sgd, adam or adamw, as the case lists them; default: the first. Tests "
                       "compare all of them",
               .read = OneOf({"sgd", "adam", "adamw"}),
               .example = "adamw",
               .of_case =
                   [](const BenchmarkCase& c) {
                     return absl::StrJoin(c.training().optimizers(), ",",
                                          [](std::string* out, const Optimizer& optimizer) {
                                            out->append(OptimizerName(optimizer));
                                          });
                   },
               .default_is_known = false,
               .enter = [](const std::string& v, CallFlags& flags) { flags.optimizer = v; }},
              {.name = "accumulation",
               .value = "N",
               .use = kCall,
               .text = "cuts the batch of a step into N parts, with one update after the last",
               .read = WholeNumber(1, kMaximumBatch),
               .example = "2",
               .of_case =
                   [](const BenchmarkCase& c) {
                     return absl::StrCat(std::max<int64_t>(c.execution().accumulation(), 1));
                   },
               .enter = [](const std::string& v,
                           CallFlags& flags) { flags.accumulation = ToWholeNumber(v); }},
              {.name = "grad-scaler",
               .use = kCall,
               .text = "as torch.amp.GradScaler, from 2^16; default: with --autocast=fp16",
               .read = OnOrOff(),
               .example = "true",
               .of_case =
                   [](const BenchmarkCase& c) { return SwitchText(c.execution().grad_scaler()); },
               .default_is_known = false,
               .enter = [](const std::string& v,
                           CallFlags& flags) { flags.grad_scaler = v == "true"; }},
              {.name = "clip-norm",
               .value = "X",
               .use = kCall,
               .text = "as torch.nn.utils.clip_grad_norm_, 0: none; another than the case's needs "
                       "--verify=off",
               .read = RealNumber(/*zero=*/true, "a norm, or 0 for none"),
               .example = "7",
               .of_case =
                   [](const BenchmarkCase& c) { return absl::StrCat(c.training().clip_norm()); },
               .enter = [](const std::string& v,
                           CallFlags& flags) { flags.clip_norm = ToRealNumber(v); }},
              {.name = "mistake",
               .value = "NAME",
               .text =
                   R"(missing_gradient, stale_gradient, bias_correction (adam, adamw), scaled_gradient (with a scaler): gets
the step wrong on purpose, to prove that the verdict finds it. Other cases: what --check=mutants tries. With
--vary: stale_size, which keeps a part of a call of another size)",
               .read = AnyText()},
          },
      .after = R"(Whether to believe it
  Every sample set is checked for the known ways to mis-measure (work left on another stream, two clocks apart, a cache that
  was not cold, contention, throttling, two modes, a drift, leaks, outputs that do not follow the inputs, times faster than
  the hardware, and more). What a check finds is printed below the table as FLAGGED or NOTED and kept in the record;
  comparisons refuse what is FLAGGED. docs/data/checks.md lists all checks, and what to do.)"};
}

FlagSection Compared() {
  return {
      .title = "What is compared",
      .flags = {
          {.name = "verify",
           .value = "on|off",
           .use = kLook,
           .text = "off: measure only; recorded as NOT_VERIFIED",
           .read = OneOf({"on", "off"}),
           .fallback = "on",
           .example = "off"},
          {.name = "action",
           .value = "NAME",
           .use = kLook,
           .text = "measure (default), verify (only compare), smoke (small model, one "
                   "call: shapes, finiteness, 16 bits against float64)",
           .read = OneOf({"measure", "verify", "smoke"}),
           .fallback = "measure",
           .example = "smoke",
           .excludes = {{.with = {"verify=off"},
                         .why = "not with $: nothing would be left to do; leave one of them out",
                         .value = "verify"}}},
          {.name = "rule",
           .value = "RULE",
           .use = kLook,
           .text =
               R"(compare by another rule than the case's: dynamo_same[:TOL], cosine[:MIN], allclose:atol=A,rtol=R,
mean_relative[:2%], iou[:MIN] (boolean outputs), relative_to_std:rms=A,max=B. Without numbers: those of
the suite that the rule is from. dynamo_same also takes multiplier=N, larger_multiplier, cosine[=MIN])",
           .read = AnyText(),
           .example = "cosine",
           .excludes = {OfTheComparison()}},
          {.name = "accuracy-runs",
           .value = "N",
           .use = kLook,
           .text = "an odd number of verified runs, of which the majority decides",
           .read = ReadOdd,
           .fallback = "1",
           .example = "3",
           .excludes = {OfTheComparison()}},
          {.name = "check",
           .value = "LIST",
           .use = kLook,
           .text =
               R"(batch_invariance  the last row and a drawn one, computed alone, equal those of the whole batch, within the
                  limits
bitwise           this execution's outputs equal plain eager's to the bit
mutants           the program with one fault must fail: a model's first, middle or last block times 1.01,
                  an operator's output, a mistake of --mistake; each is a line
If a check fails, the outcome is FAIL_ACCURACY)",
           .read = ListOf(CheckName),
           .example = "bitwise",
           .excludes = {OfTheComparison(),
                        {.with = {"weights"},
                         .why = "its mutants have the seeded weights; leave $ out",
                         .value = "mutants"}}},
          {.name = "save-outputs",
           .value = "PATH",
           .text = "writes the verified call's outputs, bit for bit: FILE.safetensors, or a folder "
                   "for <case>.safetensors",
           .read = AnyText(),
           .excludes = {OfTheComparison()}},
          {.name = "compare-outputs",
           .value = "PATH",
           .text = "compares them with those that another build saved, within the limits, and says "
                   "whether to the bit",
           .read = AnyText(),
           .excludes = {OfTheComparison()}},
          {.name = "locate",
           .text =
               R"(in place of measuring: names the first layer whose output differs from the other implementation's
although its input is right; of a training case also the first gradient. In float64 on the CPU, with the
seeded weights. Exit code 1 where there is one. Has //tools:locate built, with 0.6 GB of Python packages
the first time (docs/accuracy.md))",
           .read = OnOrOff(),
           .fallback = "false"},
      }};
}

FlagSection Given() {
  return {
      .title = "Your own tensors",
      .flags =
          {
              {.name = "weights",
               .value = "PATH",
               .text =
                   R"(a checkpoint in place of the seeded weights: FILE.safetensors, FILE.safetensors.index.json, or a folder
with one of them. Names, shapes and kinds must be the model's (others are listed); floating-point
weights are rounded to the case's dtype. These differences are accepted and reported: a prefix, the base's
name that files of the bare model lack, gamma and beta for weight and bias, no num_batches_tracked. Also
older names that the family declares. Heads and unread buffers that the family declares are left out and
reported. If the folder has a config.json of transformers, its sizes take the place of the case's, and a
setting that the family does not compute is an error. Verdict: against --reference or --verify-with, else
NOT_VERIFIED. May stand beside --export-inputs)",
               .read = AnyText(),
               .excludes = {OfALargeModel(),
                            {.with = {"export-state", "export-reference", "export-module",
                                      "export-layers", "locate"},
                             .why = "not with $, which is of the seeded tensors; --weights may "
                                    "stand beside --export-inputs alone"}}},
              {.name = "weights-prefix",
               .value = "P",
               .text =
                   R"(what stands in front of the model's names in that file, e.g. bert.; other names are left out. Default:
found)",
               .read = AnyText(),
               .needs = {"weights"}},
              {.name = "weights-ignore",
               .value = "P,...",
               .text = "tensors of that file whose names begin with P., behind the prefix or not, "
                       "are left out, and said",
               .read = ListOf(CheckAnything),
               .needs = {"weights"}},
              {.name = "config-ignore",
               .value = "KEY,...",
               .text = "keys of the config.json beside the weights that are not read, and said",
               .read = ListOf(CheckAnything),
               .needs = {"weights"}},
              {.name = "verify-with",
               .value = "python",
               .text =
                   R"(has the family's implementation in Python load the same weights and compute the reference, in float64,
before anything is measured. Has //tools:reference_of_weights built, with 0.6 GB of Python packages the first
time. The reference is kept, and a line says where)",
               .read = OneOf({"python"}),
               .excludes = {OfTheComparison(),
                            {.with = {"reference"}, .why = "not with $, which is a reference"},
                            {.with = {"inputs", "prompt-ids"},
                             .why = "not with $: it computes the outputs of the seeded inputs"},
                            {.with = {"weights-prefix", "weights-ignore"},
                             .why = "not with $: Python reads the names as its library does"}},
               .needs = {"weights"}},
              {.name = "inputs",
               .value = "PATH",
               .text =
                   R"(inputs of the call that is compared: FILE.safetensors or FILE.npz by name, or a folder of input_0.npy,
input_1.npy, ... by position. Timed calls keep their seeded inputs)",
               .read = AnyText(),
               .excludes = {OfALargeModel(), OfGivenTensors()}},
              {.name = "prompt-ids",
               .value = "FILE",
               .text =
                   R"(prompts of a generation case in place of --inputs: a text with the token ids of a row in each line, as
many rows as are verified, or one for all. The tokens that follow are printed and kept in the record)",
               .read = AnyText(),
               .excludes = {{.with = {"inputs"}, .why = "not with $, which holds the prompt"},
                            OfALargeModel(),
                            OfGivenTensors()}},
              {.name = "reference",
               .value = "PATH",
               .text =
                   R"(outputs that another implementation computed from these: FILE.safetensors or FILE.npz by name, a folder
of output_0.npy, ..., or a reference blob. Without --weights and --inputs: a file with the lock's digest)",
               .read = AnyText()},
          },
      .after =
          R"(  tools/bazel run //benchmarks/resnet:resnet18_fp32_b1 -- --export-inputs=inputs.safetensors
  tools/bazel run //benchmarks/resnet:resnet18_fp32_b1 -- --weights=model.safetensors --reference=logits.npz)"};
}

FlagSection Kept() {
  return {
      .title = "What is kept",
      .flags =
          {
              {.name = "record",
               .value = "FILE",
               .text = "appends one JSON line: every sample, the verdict, the machine, versions "
                       "and flags",
               .read = AnyText()},
              {.name = "plot",
               .value = "FILE",
               .text =
                   R"(FILE.svg or FILE.png: the samples, drawn by //tools:report, which is built first; FILE.html: its page
of this run, which opens without a network (docs/report.md))",
               .read = ReadPicture,
               .excludes = {AfterTheCase("the samples are drawn")}},
              {.name = "peaks",
               .text =
                   R"(after measuring it takes two to five seconds to find the machine's peaks with these threads. They are
operations a second in the case's dtype, of the fastest of products, convolutions and multiply-adds; and
bytes a second of copying and of reading from memory. Kept in the record; then tools/bazel run //tools:roofline -- FILE says each
case's share of them (docs/roofline.md))",
               .read = OnOrOff(),
               .fallback = "false",
               .excludes = {AfterTheCase("they are measured")}},
              {.name = "energy",
               .text =
                   R"(after measuring, counts the idle machine's energy for 5 s, and then that of each step's calls for 5 s or more: joules
a call, image or token. The counters are those of processors and memory (RAPL) and of the GPU (NVML). Why one cannot be
read is said)",
               .read = OnOrOff(),
               .fallback = "false",
               .excludes = {AfterTheCase("energy is counted")}},
          },
      .after =
          "  --benchmark_out=FILE, --benchmark_out_format=json|csv|console     Google Benchmark's "
          "file"};
}

FlagSection Profiled() {
  // "true" and "false" are a switch's; a folder of such a name is written ./true.
  const Reader read = AnyText();
  return {
      .title = "What a step is made of (docs/measures.md)",
      .flags =
          {
              {.name = "profile",
               .value = "[DIR]",
               .text =
                   R"(after measuring, calls each step again under LibTorch's profiler. It writes to DIR (<case>.profile) a
trace that ui.perfetto.dev opens, and where the time went by operator, as text, CSV and JSON. On CUDA it also
writes a snapshot of the device's memory. It changes no timed number)",
               .read = read,
               .fallback = "false",
               .excludes = {OneTool({"nsys", "ncu"}), AfterMeasuring()}},
              {.name = "profile-calls",
               .value = "N",
               .text = "calls of each step, after two that nobody looks at; default 3",
               .read = WholeNumber(1, 1000),
               .fallback = "3",
               .needs = {"profile", "nsys", "ncu", "only-ranges"}},
              {.name = "nsys",
               .value = "[DIR]",
               .text =
                   R"(the same calls in a child under Nsight Systems, on CUDA each in an NVTX range named <case>/<step>, with a
filter that lets nothing else through. On the CPU it samples the whole child)",
               .read = read,
               .fallback = "false",
               .excludes = {OneTool({"ncu"}), AfterMeasuring()}},
              {.name = "ncu",
               .value = "[DIR]",
               .text = "likewise under Nsight Compute (CUDA)",
               .read = read,
               .fallback = "false",
               .excludes = {AfterMeasuring(),
                            {.with = {"device=cpu"},
                             .why = "it profiles CUDA kernels; give --device=cuda, or --profile "
                                    "for the CPU"}}},
              {.name = "capture-trace",
               .value = "[DIR]",
               .text =
                   R"(after measuring, records one call of each step, with all operators, arguments and results, to
DIR/<case>.<step>.json (DIR: <case>.traces): an execution trace as et_replay and Chakra read it. It changes no timed number)",
               .read = read,
               .fallback = "false",
               .excludes = {AfterMeasuring()}},
              {.name = "trace-values",
               .text =
                   "also a digest and samples of each output, and the values of weights and inputs",
               .read = OnOrOff(),
               .fallback = "false",
               .needs = {"capture-trace"}},
              {.name = "observer",
               .text = "also writes DIR/<case>.<step>.observer.json, by LibTorch's own "
                       "ExecutionTraceObserver; //tools:trace -- compare shows how the two differ",
               .read = OnOrOff(),
               .fallback = "false",
               .needs = {"capture-trace"}},
              {.name = "memory-timeline",
               .value = "FILE",
               .text =
                   R"(after measuring, records one call of the case's main step: each allocation and free by what it is for
(parameters, optimizer, cache, inputs, gradients, activations, temporaries), with the peak and what was alive
then. FILE.svg draws it, FILE.csv lists it, FILE.pickle opens at pytorch.org/memory_viz. It changes no timed number)",
               .read = ReadTimeline,
               .excludes = {AfterMeasuring()}},
          },
      .after = "  tools/bazel run //benchmarks/resnet:resnet18_fp32_b1 -- --profile --modes=wall"};
}

FlagSection UnderLoad() {
  return {
      .title = "Under load",
      .flags = LoadFlags(),
      .after =
          "  tools/bazel run //benchmarks/resnet:resnet18_fp32_b8 -- --scenario=server --qps=10 "
          "--latency-bound=500ms@p99"};
}

FlagSection ForTools() {
  return {
      .title = "For tools",
      .flags = {
          {.name = "export-state",
           .value = "FILE",
           .text = "writes the seeded weights to this safetensors file, and ends",
           .read = AnyText()},
          {.name = "export-inputs",
           .value = "FILE",
           .text = "writes the verified inputs to this safetensors file, and ends",
           .read = AnyText()},
          {.name = "export-reference",
           .value = "FILE",
           .text = "writes this suite's own float64 outputs as a reference blob, and ends",
           .read = AnyText()},
          {.name = "export-module",
           .value = "FILE",
           .text =
               "writes the forward pass, traced by TorchScript on the verified inputs, with its "
               "weights in the case's dtype to this file (.pt), and ends",
           .read = AnyText()},
          {.name = "export-layers",
           .value = "FOLDER",
           .text = "writes what each layer takes and gives, in float64, and ends",
           .read = AnyText()},
          {.name = "case-name",
           .value = "LABEL",
           .text = "the case, where a file has several",
           .read = AnyText()},
          {.name = "case", .value = "FILE", .use = kProgram, .read = AnyText()},
          {.name = "locked-reference", .value = "FILE", .use = kProgram, .read = AnyText()},
          {.name = "cuda-plugin", .value = "FILE", .use = kProgram, .read = AnyText()},
          // What --device is where the user does not say: by how the case was built.
          {.name = "default-device",
           .value = "NAME",
           .use = kProgram,
           .read = OneOf({"cpu", "cuda"}),
           .fallback = "cpu"},
          // With --export-inputs: as many rows as the case's reference holds, for its generator.
          {.name = "export-referenced-rows",
           .use = kProgram,
           .read = OnOrOff(),
           .fallback = "false"},
          // The case as it would run, in JSON; what a test hands to //tools:reference_of_weights.
          {.name = "export-case", .value = "FILE", .use = kProgram, .read = AnyText()},
          // For the child of --nsys and --ncu.
          {.name = "only-ranges", .use = kProgram, .read = OnOrOff(), .fallback = "false"},
          // A file of command lines, each of which is run; the line to begin with; seconds of a line.
          {.name = "series", .value = "FILE", .use = kProgram, .read = AnyText()},
          {.name = "series-first",
           .value = "N",
           .use = kProgram,
           .read = WholeNumber(0, INT64_MAX),
           .fallback = "0"},
          {.name = "series-timeout",
           .value = "SECONDS",
           .use = kProgram,
           .read = RealNumber(/*zero=*/true, "seconds, 0 or more"),
           .fallback = "0"},
      }};
}

// The rules of all rows.
const std::vector<base::FlagRule>& FlagRules() {
  static const auto& rules = *[] {
    auto* all = new std::vector<base::FlagRule>;
    for (const FlagSection& section : FlagSections()) {
      for (const FlagSpec& flag : section.flags) {
        for (const Exclusion& exclusion : flag.excludes) {
          const std::string& value = exclusion.value;
          all->push_back(
              {.flags = {value.empty() ? flag.name : absl::StrCat(flag.name, "=", value)},
               .excludes = exclusion.with,
               .why = exclusion.why});
        }
        if (flag.needs.empty()) continue;
        all->push_back({.flags = {flag.name},
                        .needs = flag.needs,
                        .why = base::NeedsText(ListedNames(flag.needs))});
      }
    }
    return all;
  }();
  return rules;
}

}  // namespace

const std::vector<FlagSection>& FlagSections() {
  static const auto& sections =
      *new std::vector<FlagSection>{Measured(), Called(),   Trained(),   Compared(), Given(),
                                    Kept(),     Profiled(), UnderLoad(), ForTools()};
  return sections;
}

const std::vector<const FlagSpec*>& CaseFlags() {
  static const auto& flags = *[] {
    auto* all = new std::vector<const FlagSpec*>;
    for (const FlagSection& section : FlagSections()) {
      for (const FlagSpec& flag : section.flags) all->push_back(&flag);
    }
    std::stable_sort(all->begin(), all->end(),
                     [](const FlagSpec* a, const FlagSpec* b) { return a->use < b->use; });
    return all;
  }();
  return flags;
}

const FlagSpec* FindFlag(std::string_view name) {
  const std::string wanted = absl::StrReplaceAll(name, {{"_", "-"}});
  const auto found =
      absl::c_find_if(CaseFlags(), [&](const FlagSpec* flag) { return flag->name == wanted; });
  return found == CaseFlags().end() ? nullptr : *found;
}

std::string ValueOf(const FlagValues& values, std::string_view name) {
  const auto found = values.find(std::string(name));
  return found != values.end() ? found->second : FindFlag(name)->fallback;
}

bool IsGiven(const FlagValues& values, std::string_view name) {
  return values.count(std::string(name)) > 0;
}

std::vector<std::string> ListedNames(const std::vector<std::string>& names) {
  std::vector<std::string> listed;
  absl::c_copy_if(names, std::back_inserter(listed),
                  [](const std::string& name) { return FindFlag(name)->use != FlagUse::kProgram; });
  return listed;
}

absl::Status CheckFlags(const FlagValues& values) {
  base::GivenFlags given = values;
  for (const FlagSpec* flag : CaseFlags()) {
    // The value that the flag has anyway excludes nothing.
    const auto found = given.find(flag->name);
    if (found != given.end() && flag->needs.empty() && found->second == flag->fallback)
      given.erase(found);
  }
  return base::CheckFlagRules(FlagRules(), given);
}

Comparison ComparisonOf(const FlagValues& values) {
  const std::string action = ValueOf(values, "action");
  if (ValueOf(values, "verify") == "off" || action == "smoke") return Comparison::kNone;
  // For a training case's layers one step is enough.
  if (IsGiven(values, "export-layers") || ValueOf(values, "locate") == "true")
    return Comparison::kMeasured;
  // A test compares everything, and so does the export of a reference.
  const bool all = action == "verify" || absl::c_any_of(values, [](const auto& flag) {
                     return absl::StartsWith(flag.first, "export-");
                   });
  return all ? Comparison::kAllOptimizers : Comparison::kMeasured;
}

std::vector<std::string> FlagWords(const FlagValues& values) {
  std::vector<std::string> words;
  for (const FlagSpec* flag : CaseFlags()) {
    const auto found = values.find(flag->name);
    if (found != values.end()) words.push_back(absl::StrCat("--", flag->name, "=", found->second));
  }
  return words;
}

CallFlags CallFlagsOf(const FlagValues& values) {
  CallFlags flags;
  for (const FlagSpec* flag : CaseFlags()) {
    const auto found = values.find(flag->name);
    if (flag->enter != nullptr && found != values.end()) flag->enter(found->second, flags);
  }
  return flags;
}

}  // namespace assay::configuration
