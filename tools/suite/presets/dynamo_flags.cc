#include "tools/suite/presets/dynamo_flags.h"

#include <map>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::suite {
namespace {

constexpr char kAccuracy[] = "--action=verify", kPerformance[] = "--action=measure";
constexpr char kTraining[] = "--test=train", kInference[] = "--test=eval";
constexpr char kNotSpecialised[] =
    "eager calls are not specialised to shapes; several --batch=N measure several";

struct IntelWord {
  const char* name;
  const char* otherwise;                                     // the script's default
  std::map<std::string, std::vector<std::string>> meanings;  // as MeansByValue(); empty: any text
};

const std::vector<IntelWord>& IntelWords() {
  static const auto& words = *new std::vector<IntelWord>{
      {"SUITE",
       "huggingface",
       {{"huggingface", {"--provenance=^transformers"}},
        {"timm_models", {"--provenance=^timm"}},
        {"torchbench", {"--exclude=^//benchmarks/operators:"}}}},
      {"DT",
       "float32",
       {{"float32", {"--dtype=fp32"}},
        {"bfloat16", {"--dtype=bf16"}},
        {"float16", {"--dtype=fp16"}},
        {"amp_bf16", {"--dtype=fp32", "--autocast=bf16"}},
        {"amp_fp16", {"--dtype=fp32", "--autocast=fp16"}}}},
      {"MODE",
       "inference",
       {{"inference", {kInference}},
        {"inference-no-freezing", {kInference}},
        {"training", {kTraining}},
        {"inference-with-freezing", {"!freezing is a compiler's, and calls are eager here"}}}},
      {"SCENARIO", "accuracy", {{"accuracy", {kAccuracy}}, {"performance", {kPerformance}}}},
      {"DEVICE",
       "xpu",
       {{"cpu", {"--device=cpu"}},
        {"cuda", {"--device=cuda"}},
        {"xpu", {"!LibTorch without Intel's XPU; cpu or cuda"}}}},
      {"CARD", "0", {{"0", {}}, {"*", {"!only 0; the variable CUDA_VISIBLE_DEVICES=N chooses"}}}},
      {"SHAPE", "static", {{"static", {}}, {"dynamic", {absl::StrCat("!", kNotSpecialised)}}}},
      {"NUM_SHARDS", "", {}},
      {"SHARD_ID", "", {}},
      {"MODEL_ONLY", "", {}}};
  return words;
}

bool Says(const Translation& said, const std::string& word) {
  return absl::c_linear_search(said.words, word);
}

}  // namespace

base::FlagTable DynamoFlags(Translation& said) {
  const base::Flag device = MeansValue(said, kDynamo, {"--device=%"});
  // What these ask for is so here anyway.
  const base::Flag always = Means(said, kDynamo, {});
  const auto amp = [&said](const std::string& value) {
    if (value != "true") return absl::InvalidArgumentError("a switch without a value");
    said.amp = true;
    return said.Use(kDynamo);
  };
  const auto amp_dtype = [&said](const std::string& value) {
    if (value != "bfloat16" && value != "float16") {
      return absl::InvalidArgumentError("one of bfloat16, float16");
    }
    said.amp_dtype = value == "float16" ? "fp16" : "bf16";
    return said.Use(kDynamo);
  };
  base::FlagTable flags = {
      // Keeps the case's own limits against float64, which are stricter than --rule=dynamo_same.
      {"accuracy", Means(said, kDynamo, {kAccuracy})},
      {"performance", Means(said, kDynamo, {kPerformance})},
      // The record has the size of the errors, whatever the verdict.
      {"tolerance", Means(said, kDynamo, {kAccuracy, kInference})},
      {"training", Means(said, kDynamo, {kTraining})},
      {"inference", Means(said, kDynamo, {kInference})},
      {"float32", Means(said, kDynamo, {"--dtype=fp32"})},
      {"float16", Means(said, kDynamo, {"--dtype=fp16"})},
      {"bfloat16", Means(said, kDynamo, {"--dtype=bf16"})},
      {"amp", {.set = amp, .is_switch = true, .listed = false}},
      {"amp_dtype", {.set = amp_dtype, .listed = false}},
      {"d", device},
      {"devices", device},
      {"t", MeansValue(said, kDynamo, {"--threads=%"})},
      {"channels_last", Means(said, kDynamo, {"--memory-format=channels_last"})},
      {"exclude_exact", MeansValue(said, kDynamo, {"--exclude=^%$"})},
      {"find_batch_sizes", Means(said, kDynamo, {"--batch=search"})},
      {"cosine", Means(said, kDynamo, {"--rule=cosine"})},
      {"output_directory", MeansValue(said, kDynamo, {"--out=%"})},
      {"disable_cudagraphs", always},  // not without --modes=graph
      {"ci", always},
      {"dashboard", always},
      {"timing", always},
      {"progress", always},
      {"suppress_errors", always},
      {"collect_outputs", always},
      {"skip_accuracy_check", always},
      {"print_memory", always},
      {"verbose", always},
      {"v", always},
      {"quiet", always},
      {"q", always},
  };
  AddRefused(flags, "results are a folder here: --out=FOLDER", {"output=", "disable_output"});
  AddRefused(flags, "TorchDynamo is Python's; --backend=aoti compiles ahead of time",
             {"inductor",
              "coverage",
              "overhead",
              "nvfuser",
              "nnc",
              "prims_nvfuser",
              "speedup_dynamo_ts",
              "speedup_fx2trt",
              "speedup_fx2trt_fp16",
              "print_fx",
              "print_aten_ops",
              "export",
              "export_aot_inductor",
              "export_nativert",
              "aot_precompile",
              "torchscript_jit_trace",
              "torchscript_onnx",
              "dynamo_onnx",
              "recompile_profiler",
              "quantization=",
              "inductor_settings",
              "inductor_config=",
              "inductor_compile_mode=",
              "compiled_autograd",
              "caching_precompile",
              "cpp_wrapper",
              "freezing",
              "nopython",
              "specialize_int",
              "generate_aot_autograd_stats",
              "explain",
              "stats",
              "print_graph_breaks",
              "log_graph_breaks",
              "disable_split_reductions",
              "disable_persistent_reductions",
              "disable_divisible_by_16",
              "no_translation_validation",
              "minify",
              "profile_dynamo_cache_lookup"});
  AddRefused(flags,
             "nothing is compiled; --processes=N has the time of the first output of each process",
             {"cold_start_latency", "warm_start_latency", "print_compilation_time"});
  AddRefused(flags, kNotSpecialised,
             {"dynamic_shapes", "dynamic_batch_only", "dynamic_ci_skips_only"});
  AddRefused(flags, "LibTorch without XLA", {"trace_on_xla", "xla_tolerance="});
  AddRefused(flags, "one process uses one device here",
             {"multiprocess", "ddp", "fsdp", "optimize_ddp_mode=", "no_optimize_ddp",
              "distributed_master_port="});
  AddRefused(flags, "the variable CUDA_VISIBLE_DEVICES=N chooses", {"device_index="});
  AddRefused(flags, "--memory-limit=2GiB limits each process", {"per_process_memory_fraction="});
  AddRefused(flags, "several --batch=N; --filter-by-tier takes a model's batch from TorchBench",
             {"batch_size_file="});
  AddRefused(flags, "tools/bazel run //tools:results -- speedup A B compares two runs",
             {"baseline=", "print_dataframe_summary"});
  AddRefused(flags,
             "tools/bazel run //tools:compare -- --baseline=git:BRANCH measures both in turns",
             {"diff_branch="});
  AddRefused(flags, "tools/bazel run //tools:compare -- --aa compares a case with itself",
             {"nothing"});
  AddRefused(flags, "one case at a time: tools/bazel run LABEL -- --profile",
             {"export_profiler_trace", "profiler_trace_name=", "profile_details", "snapshot_memory",
              "log_conv_args", "log_operator_inputs"});
  AddRefused(flags, "one case at a time: tools/bazel run LABEL -- --save-outputs=PATH",
             {"save_model_outputs_to=", "compare_model_outputs_with=", "retain_output"});
  AddRefused(flags, "a record has medians, intervals and quantiles", {"dump_raw_metrics"});
  AddRefused(flags, "the peak is always that of the timed calls", {"use_warm_peak_memory"});
  AddRefused(flags, "a reference is always of float64", {"skip_fp64_check"});
  AddRefused(flags, "no model here has it",
             {"enable_activation_checkpointing", "part=", "hf_inference_mode=", "prompt_length="});
  AddRefused(flags, "a training case trains in training mode, an evaluating one in evaluation mode",
             {"use_eval_mode"});
  return flags;
}

absl::Status CheckDynamo(const Translation& said) {
  if (Says(said, kAccuracy) + Says(said, kPerformance) != 1) {
    return absl::InvalidArgumentError(
        "TorchDynamo's flags need one of --accuracy, --performance and --tolerance");
  }
  if (Says(said, kTraining) + Says(said, kInference) != 1) {
    return absl::InvalidArgumentError(
        "TorchDynamo's flags need one of --training and --inference (--tolerance is inference)");
  }
  return absl::OkStatus();
}

void AddAmp(Translation& said, DeviceType device) {
  if (!said.amp) return;
  const std::string dtype = !said.amp_dtype.empty() ? said.amp_dtype
                            : device == CUDA        ? "fp16"
                                                    : "bf16";
  said.Say({"--dtype=fp32", absl::StrCat("--autocast=", dtype)});
}

void AddDynamoDefaults(Translation& said) {
  if (!Says(said, kPerformance)) return;
  said.Say({"--exec-mode=discrete", "--warmup=5",
            absl::StrCat("--iterations=", said.repeat > 0 ? said.repeat : 30)});
}

absl::Status ReadIntelWords(absl::Span<const std::string> given, Translation& said) {
  const std::vector<IntelWord>& known = IntelWords();
  if (given.size() > known.size()) {
    const auto names = absl::StrJoin(
        known, " ", [](std::string* out, const IntelWord& word) { out->append(word.name); });
    return absl::InvalidArgumentError(absl::StrCat("intel takes ten words, and there are ",
                                                   given.size(), ": intel ", names,
                                                   " ('' for all models)"));
  }
  const absl::Status used = said.Use("intel");
  if (!used.ok()) return used;
  std::vector<std::string> words(given.begin(), given.end()), problems;
  for (size_t i = 0; i < known.size(); ++i) {
    if (i == words.size()) words.push_back(known[i].otherwise);
    if (known[i].meanings.empty()) continue;
    const absl::Status read = MeansByValue(said, "intel", known[i].meanings).set(words[i]);
    if (read.ok()) continue;
    problems.push_back(
        absl::StrCat("intel: ", known[i].name, " '", words[i], "': ", read.message()));
  }
  if (!problems.empty()) return absl::InvalidArgumentError(absl::StrJoin(problems, "\n"));
  const std::string &shards = words[7], &shard = words[8], &model = words[9];
  if (!shards.empty() && !shard.empty() && (shards != "1" || shard != "0")) {
    said.Say({absl::StrCat("--shard=", shard, "/", shards)});
  }
  if (!model.empty()) said.Say({absl::StrCat("--only=", model)});
  if (said.repeat == 0) said.repeat = 10;
  AddDynamoDefaults(said);
  return absl::OkStatus();
}

}  // namespace assay::suite
