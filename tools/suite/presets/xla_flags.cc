#include "tools/suite/presets/xla_flags.h"

#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

namespace assay::suite {
namespace {

constexpr char kNoXla[] = "!LibTorch without XLA; leave it out or say None";
constexpr char kNoCompiler[] =
    "!TorchDynamo is Python's; --backend=aoti compiles; leave it out or say None";

}  // namespace

base::FlagTable XlaFlags(Translation& said) {
  const base::Flag no_xla = Refuses("LibTorch without XLA");
  const base::Flag no_xla_value = Refuses("LibTorch without XLA", /*is_switch=*/false);
  const base::Flag no_dynamo = Refuses("nothing is compiled by TorchDynamo here");
  const base::Flag profile = Refuses("one case at a time: tools/bazel run LABEL -- --profile");
  base::FlagTable flags = {
      // That suite's models come from TorchBench; "dummy" is one linear layer.
      {"suite_name", MeansByValue(said, kXla,
                                  {{"torchbench", {"--exclude=^//benchmarks/operators:"}},
                                   {"dummy", {"--only=mlp"}}})},
      {"accelerator", MeansByValue(said, kXla,
                                   {{"cpu", {"--device=cpu"}},
                                    {"cuda", {"--device=cuda"}},
                                    {"gpu", {"--device=cuda"}},
                                    {"tpu", {"!no TPU back end; cpu or cuda"}}})},
      {"xla", MeansByValue(said, kXla, {{"None", {}}, {"PJRT", {kNoXla}}, {"XRT", {kNoXla}}})},
      {"dynamo", MeansByValue(said, kXla,
                              {{"None", {"--backend=eager"}},
                               {"inductor", {kNoCompiler}},
                               {"openxla", {kNoCompiler}},
                               {"openxla_eval", {kNoCompiler}}})},
      {"torch_xla2", no_xla_value},
      {"iterations_per_run",
       MeansByValue(said, /*suite=*/"",
                    {{"1", {}},
                     {"*",
                      {"!one clock around several calls is the mode throughput: leave it "
                       "out and say --modes=throughput"}}})},
      {"disable_tf32", Means(said, kXla, {"--matmul-precision=highest"})},
      // Triton's do_bench; that runner keeps its minimum.
      {"pure_wall_time", Means(said, kXla, {"--exec-mode=do_bench"})},
      {"subprocess_timeout", MeansValue(said, kXla, {"--timeout=%"})},
      {"output_dirname", MeansValue(said, kXla, {"--out=%"})},
      {"randomize_input", Means(said, /*suite=*/"", {"--randomize-inputs"})},
      // Here every run is verified and shows its progress.
      {"progress_bar", Means(said, kXla, {})},
      // What a process printed is kept beside its record.
      {"print_subprocess", Means(said, kXla, {})},
      // There it takes the place of measuring. With a value the flag is ours.
      {"verify", Means(said, kXla, {"--action=verify"})},
      {"collect_full_output", Refuses("a training case's gradients are always compared")},
      {"save_output", Refuses("one case at a time: tools/bazel run LABEL -- --save-outputs=PATH")},
      {"verify_iterations",
       Refuses("--accuracy-runs=N, an odd number, verifies several times", /*is_switch=*/false)},
      {"output_basename",
       Refuses("the folder of --output-dirname holds results.jsonl", /*is_switch=*/false)},
      {"timestamp", Refuses("a record has the time at which it began", /*is_switch=*/false)},
      {"log_level", Refuses("there are no levels: results on standard output, the rest on "
                            "standard error",
                            /*is_switch=*/false)},
      {"experiment_config", Refuses("--only=NAME and flags run one configuration", false)},
      {"model_config", Refuses("--only=NAME and flags run one configuration", false)},
      {"enable_functionalization", no_xla},
      {"xla_flags", no_xla_value},
      {"xla_take_cuda_model_and_data", no_xla},
      {"keep_model_data_on_cuda", no_xla},
      {"dump_hlo", no_xla},
      {"save_ir_format", no_xla_value},
      {"dump_pytorch_xla_metrics", no_xla},
      {"profile_xla", no_xla},
      {"profile_xla_duration_ms", no_xla_value},
      {"filter_by_single_graph", no_dynamo},
      {"dump_dynamo_counters", no_dynamo},
      {"collect_dynamo_counters", no_dynamo},
      {"dump_pytorch_profiles", profile},
      {"profile_cuda_cpu", profile},
      {"profile_cuda_cpu_individual_ops", profile},
  };
  // TorchDynamo's switch of the same name.
  flags["xla"].alone = [] { return absl::InvalidArgumentError("LibTorch without XLA"); };
  return flags;
}

void AddXlaDefaults(Translation& said) {
  const auto says = [&](const std::string& word) {
    return absl::c_linear_search(said.words, word);
  };
  said.Say({"--test=eval", "--test=train"});
  if (!says("--exec-mode=do_bench") && !says("--action=verify")) {
    said.Say({"--exec-mode=discrete", "--warmup=0",
              absl::StrCat("--iterations=", said.repeat > 0 ? said.repeat : 10)});
  }
  // On any device that runner allows rounded products unless told otherwise.
  if (!says("--matmul-precision=highest")) said.Say({"--matmul-precision=high"});
}

}  // namespace assay::suite
