#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/configuration/flag_exclusions.h"
#include "benchmarks/harness/configuration/flag_sections.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "defs/case/execution_names.h"
#include "defs/case/training_steps.h"
#include "defs/compiler/case_resolution.h"

namespace assay::configuration {
namespace {

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

}  // namespace

FlagSection CalledFlags() {
  return {
      .title = "How it is called (the same reference judges all of it; verdict and record say it)",
      .flags = {
          {.name = "batch",
           .value = "N",
           .use = FlagUse::kCall,
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
           .use = FlagUse::kCall,
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
           .use = FlagUse::kCall,
           .text =
               R"(changes the model once its weights are in place: merged_branches (repvgg); of linear layers
int8_dynamic (fp32, CPU), int8_weights (bf16, CPU), int4_weights (bf16, fp16, fp32, CPU), fp8_dynamic (bf16).
mxfp8_dynamic and nvfp4_dynamic (bf16) take them too, on a GPU of compute capability 10.0 or above.
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
           .use = FlagUse::kCall,
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
           .use = FlagUse::kCall,
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
           .use = FlagUse::kCall,
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
           .use = FlagUse::kCall,
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
           .use = FlagUse::kCall,
           .text = "torch.no_grad in place of torch.inference_mode",
           .read = OnOrOff(),
           .example = "true",
           .of_case = [](const BenchmarkCase& c) { return SwitchText(c.execution().no_grad()); },
           .enter = [](const std::string& v, CallFlags& flags) { flags.no_grad = v == "true"; }},
      }};
}

FlagSection TrainedFlags() {
  return {
      .title = "Training cases",
      .flags =
          {
              {.name = "optimizer",
               .value = "NAME",
               .use = FlagUse::kCall,
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
               .use = FlagUse::kCall,
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
               .use = FlagUse::kCall,
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
               .use = FlagUse::kCall,
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

}  // namespace assay::configuration
