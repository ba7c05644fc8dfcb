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
  std::map<std::string, std::vector<std::string>> meanings;  // as MeansByValue(); empty: any text
};

const std::vector<IntelWord>& IntelWords() {
  static const auto& words = *new std::vector<IntelWord>{
      {"SUITE",
       {{"huggingface", {"--provenance=^transformers"}},
        {"timm_models", {"--provenance=^timm"}},
        {"torchbench", {"--exclude=^//benchmarks/operators:"}}}},
      {"DT",
       {{"float32", {"--dtype=fp32"}},
        {"bfloat16", {"--dtype=bf16"}},
        {"float16", {"--dtype=fp16"}},
        {"amp_bf16", {"--dtype=fp32", "--autocast=bf16"}},
        {"amp_fp16", {"--dtype=fp32", "--autocast=fp16"}}}},
      {"MODE",
       {{"inference", {kInference}},
        {"training", {kTraining}},
        {"inference-with-freezing", {"!freezing is a compiler's, and calls are eager here"}}}},
      {"SCENARIO", {{"accuracy", {kAccuracy}}, {"performance", {kPerformance}}}},
      {"DEVICE",
       {{"cpu", {"--device=cpu"}},
        {"cuda", {"--device=cuda"}},
        {"xpu", {"!LibTorch without Intel's XPU; cpu or cuda"}}}},
      {"CARD", {{"0", {}}, {"*", {"!only 0; the variable CUDA_VISIBLE_DEVICES=N chooses"}}}},
      {"SHAPE", {{"static", {}}, {"dynamic", {absl::StrCat("!", kNotSpecialised)}}}},
      {"NUM_SHARDS", {}},
      {"SHARD_ID", {}},
      {"MODEL_ONLY", {}}};
  return words;
}

bool Says(const Translation& said, const std::string& word) {
  return absl::c_linear_search(said.words, word);
}

}  // namespace

base::FlagTable DynamoFlags(Translation& said) {
  const base::Flag device = MeansValue(said, kDynamo, {"--device=%"});
  return {
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
      {"amp", Means(said, kDynamo, {"--dtype=fp32", "--autocast=bf16"})},
      {"amp_dtype", Refuses("--amp is autocast to bf16; --dtype=fp32 --autocast=fp16 to the other",
                            /*is_switch=*/false)},
      {"d", device},
      {"devices", device},
      {"channels_last", Means(said, kDynamo, {"--memory-format=channels_last"})},
      {"exclude_exact", MeansValue(said, kDynamo, {"--exclude=^%$"})},
      {"disable_cudagraphs", Means(said, kDynamo, {})},  // not without --modes=graph
      {"output", Refuses("results are a folder here: --out=FOLDER", /*is_switch=*/false)},
      {"inductor", Refuses("no compiler's back end is here yet")},
      {"coverage", Refuses("no compiler's back end is here yet")},
      {"freezing", Refuses("freezing is a compiler's, and calls are eager here")},
      {"dynamic_shapes", Refuses(kNotSpecialised)},
      {"dynamic_batch_only", Refuses(kNotSpecialised)},
  };
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

void AddDynamoDefaults(Translation& said) {
  if (!Says(said, kPerformance)) return;
  said.Say({"--exec-mode=discrete", "--warmup=5",
            absl::StrCat("--iterations=", said.repeat > 0 ? said.repeat : 30)});
}

absl::Status ReadIntelWords(absl::Span<const std::string> words, Translation& said) {
  const std::vector<IntelWord>& known = IntelWords();
  if (words.size() != kIntelWords) {
    const auto names = absl::StrJoin(
        known, " ", [](std::string* out, const IntelWord& word) { out->append(word.name); });
    const std::string missing = words.size() < known.size()
                                    ? absl::StrCat("; ", known[words.size()].name, " is missing")
                                    : "";
    return absl::InvalidArgumentError(absl::StrCat("intel takes ten words, and there are ",
                                                   words.size(), missing, ": intel ", names,
                                                   " ('' for all models)"));
  }
  const absl::Status used = said.Use("intel");
  if (!used.ok()) return used;
  for (size_t i = 0; i < known.size(); ++i) {
    if (known[i].meanings.empty()) continue;
    const absl::Status read = MeansByValue(said, "intel", known[i].meanings).set(words[i]);
    if (!read.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("intel: ", known[i].name, " '", words[i], "': ", read.message()));
    }
  }
  if (words[7] != "1" || words[8] != "0") {
    said.Say({absl::StrCat("--shard=", words[8], "/", words[7])});
  }
  if (!words[9].empty()) said.Say({absl::StrCat("--only=", words[9])});
  if (said.repeat == 0) said.repeat = 10;
  AddDynamoDefaults(said);
  return absl::OkStatus();
}

}  // namespace assay::suite
