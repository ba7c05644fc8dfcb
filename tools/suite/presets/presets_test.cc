#include "tools/suite/presets/presets.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

absl::StatusOr<std::vector<std::string>> Said(const std::vector<std::string>& words,
                                              DeviceType device = CPU) {
  Presets presets;
  const absl::Status parsed = base::ParseFlags(presets.Flags(), words);
  if (!parsed.ok()) return parsed;
  return presets.Words(device);
}

std::string Problem(const std::vector<std::string>& words) {
  return std::string(Said(words).status().message());
}

absl::StatusOr<std::vector<std::string>> Intel(const std::vector<std::string>& words) {
  Presets presets;
  const absl::Status read = presets.ReadIntel(words);
  if (!read.ok()) return read;
  return presets.Words(CPU);
}

TEST(Presets, NamedOnesAreTheirFlags) {
  EXPECT_THAT(*Said({"--preset=quick"}),
              ElementsAre("--modes=wall", "--budget=0.1", "--exclude-tag=large"));
  EXPECT_THAT(*Said({"--preset=careful"}), ElementsAre("--budget=5", "--processes=6"));
  EXPECT_THAT(*Said({}), IsEmpty());
  EXPECT_THAT(Problem({"--preset=fast"}), HasSubstr("one of careful, quick"));
}

TEST(Presets, AreUsedOneAtATime) {
  for (const std::vector<std::string>& two :
       std::vector<std::vector<std::string>>{{"--preset=quick", "--preset=careful"},
                                             {"--preset=quick", "--performance"},
                                             {"--suite-name=torchbench", "--inference"},
                                             {"--accelerator=cpu", "--target_device=host-cpu"}}) {
    EXPECT_THAT(Problem(two), HasSubstr("one preset at a time"));
  }
}

TEST(Presets, OfXlaAddWhatItsRunnerDoesByItself) {
  EXPECT_THAT(*Said({"--suite-name=torchbench", "--accelerator=cuda", "--xla=None", "--repeat=30"}),
              ElementsAre("--suite=torchbench", "--device=cuda", "--test=eval", "--test=train",
                          "--exec-mode=discrete", "--warmup=0", "--iterations=30",
                          "--matmul-precision=high"));
  EXPECT_THAT(*Said({"--accelerator=cuda", "--disable-tf32", "--pure-wall-time"}),
              ElementsAre("--device=cuda", "--matmul-precision=highest", "--exec-mode=do_bench",
                          "--test=eval", "--test=train"));
  EXPECT_THAT(*Said({"--accelerator=cpu", "--randomize-input"}), Contains("--randomize-inputs"));
}

TEST(Presets, OfXlaRefuseWithTheReason) {
  EXPECT_THAT(Problem({"--xla=PJRT"}), HasSubstr("LibTorch without XLA"));
  EXPECT_THAT(Problem({"--accelerator=tpu"}), HasSubstr("no TPU back end"));
  EXPECT_THAT(Problem({"--dynamo=inductor"}), HasSubstr("--backend=aoti compiles"));
  EXPECT_THAT(Problem({"--iterations-per-run=5"}), HasSubstr("throughput"));
  EXPECT_THAT(Problem({"--suite-name=hf"}), HasSubstr("one of dummy, torchbench"));
}

TEST(Presets, OfXlaVerifyInThePlaceOfMeasuring) {
  EXPECT_THAT(*Said({"--accelerator=cpu", "--verify", "--repeat=2"}),
              ElementsAre("--device=cpu", "--action=verify", "--test=eval", "--test=train",
                          "--matmul-precision=high"));
}

TEST(Presets, OfDynamoNeedWhatItsRunnerNeeds) {
  EXPECT_THAT(*Said({"--performance", "--training", "--amp", "-n7"}),
              ElementsAre("--action=measure", "--test=train", "--dtype=fp32", "--autocast=bf16",
                          "--exec-mode=discrete", "--warmup=5", "--iterations=7"));
  EXPECT_THAT(*Said({"--accuracy", "--inference"}), ElementsAre("--action=verify", "--test=eval"));
  EXPECT_THAT(Problem({"--performance"}), HasSubstr("--training and --inference"));
  EXPECT_THAT(Problem({"--inference"}), HasSubstr("--accuracy, --performance and --tolerance"));
  EXPECT_THAT(Problem({"--tolerance", "--training"}), HasSubstr("--tolerance is inference"));
  EXPECT_THAT(Problem({"--performance", "--training", "--inference"}), HasSubstr("one of"));
  EXPECT_THAT(Problem({"--freezing"}), HasSubstr("--backend=aoti"));
}

TEST(Presets, OfDynamoChooseTheDtypeOfAmpByTheDevice) {
  const std::vector<std::string> amp = {"--accuracy", "--inference", "--amp"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), amp.begin(), amp.end());
    return more;
  };
  EXPECT_THAT(*Said(amp), Contains("--autocast=bf16"));
  EXPECT_THAT(*Said(amp, CUDA), Contains("--autocast=fp16"));
  EXPECT_THAT(*Said(with({"-dcuda"})), Contains("--autocast=fp16"));
  EXPECT_THAT(*Said(with({"-dcpu"}), CUDA), Contains("--autocast=bf16"));
  EXPECT_THAT(*Said(with({"--amp-dtype=bfloat16"}), CUDA), Contains("--autocast=bf16"));
  EXPECT_THAT(Problem(with({"--amp-dtype=half"})), HasSubstr("one of bfloat16, float16"));
  EXPECT_THAT(*Said(with({"--amp-dtype=float16", "--amp-dtype=bfloat16"})),
              ElementsAre("--action=verify", "--test=eval", "--dtype=fp32", "--autocast=bf16"));
  EXPECT_THAT(*Said({"--accuracy", "--inference", "--amp-dtype=float16"}),
              ElementsAre("--action=verify", "--test=eval"));
}

TEST(Presets, OfOpenXlaNameDevicesAndBenchmarks) {
  EXPECT_THAT(*Said({"--target_device=a2-highgpu-1g", "--benchmark_ids=a,b", "-iter", "20"}),
              ElementsAre("--device=a2-highgpu-1g", "--only=a", "--only=b", "--iterations=20",
                          "--exec-mode=discrete", "--warmup=5"));
  EXPECT_THAT(*Said({"-name", "resnet50_.*"}),
              ElementsAre("--filter=^(resnet50_.*)$", "--exec-mode=discrete", "--warmup=5",
                          "--iterations=100"));
}

TEST(Presets, OfIntelAreTenWords) {
  EXPECT_THAT(
      *Intel({"huggingface", "amp_bf16", "training", "performance", "cpu", "0", "static", "4", "3",
              "bert_base"}),
      ElementsAre("--provenance=^transformers", "--dtype=fp32", "--autocast=bf16", "--test=train",
                  "--action=measure", "--device=cpu", "--shard=3/4", "--only=bert_base",
                  "--exec-mode=discrete", "--warmup=5", "--iterations=10"));
  EXPECT_THAT(*Intel({"torchbench", "float32", "inference", "accuracy", "cpu", "0", "static", "1",
                      "0", ""}),
              ElementsAre("--exclude=^//benchmarks/operators:", "--dtype=fp32", "--test=eval",
                          "--action=verify", "--device=cpu"));
}

TEST(Presets, OfIntelSayWhichWordIsWrong) {
  const std::vector<std::string> nine = {"huggingface", "float32", "inference", "accuracy", "cpu",
                                         "0",           "static",  "1",         "0"};
  EXPECT_TRUE(Intel(nine).ok());
  EXPECT_THAT(std::string(Intel({}).status().message()), HasSubstr("DEVICE 'xpu'"));
  std::vector<std::string> ten = nine;
  ten.push_back("");
  ten[4] = "xpu";
  EXPECT_THAT(std::string(Intel(ten).status().message()), HasSubstr("DEVICE 'xpu'"));
  ten[4] = "cpu";
  ten[1] = "fp32";
  EXPECT_THAT(std::string(Intel(ten).status().message()), HasSubstr("one of amp_bf16"));
  ten[1] = "float32";
  ten[6] = "dynamic";
  ten[4] = "xpu";
  EXPECT_THAT(std::string(Intel(ten).status().message()), HasSubstr("DEVICE 'xpu'"));
  EXPECT_THAT(std::string(Intel(ten).status().message()), HasSubstr("not specialised"));
  ten.push_back("more");
  EXPECT_THAT(std::string(Intel(ten).status().message()), HasSubstr("there are 11"));
}

TEST(Presets, PartitionsAreShards) {
  EXPECT_THAT(*Said({"--total-partitions=3", "--partition-id=2"}), ElementsAre("--shard=2/3"));
  EXPECT_THAT(*Said({"--total-partitions=3"}), ElementsAre("--shard=0/3"));
  EXPECT_THAT(Problem({"--partition-id=2"}), HasSubstr("--total-partitions"));
  EXPECT_THAT(Problem({"--repeat=2"}), HasSubstr("--suite-name"));
}

}  // namespace
}  // namespace assay::suite
