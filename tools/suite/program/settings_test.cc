#include "tools/suite/program/settings.h"

#include "absl/strings/str_split.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

DeviceSpecs Devices() {
  DeviceSpecs devices;
  DeviceSpec& gpu = *devices.add_devices();
  gpu.set_name("host-gpu");
  gpu.set_device(CUDA);
  DeviceSpec& phone = *devices.add_devices();
  phone.set_name("phone");
  phone.set_refusal("a telephone");
  return devices;
}

Settings Read(const std::vector<std::string>& words) {
  absl::StatusOr<Settings> settings = ReadSettings(words, Devices());
  EXPECT_TRUE(settings.ok()) << settings.status();
  return settings.ok() ? *std::move(settings) : Settings{};
}

std::string Problem(const std::vector<std::string>& words) {
  return std::string(ReadSettings(words, Devices()).status().message());
}

TEST(Settings, RepeatedFlagsAreManyValuesEachOnce) {
  const Settings s = Read({"-k", "^a", "--filter=b", "--dtype=fp32", "--dtype=bf16", "--dtype=fp32",
                           "--memory-format=contiguous", "--memory-format=channels_last",
                           "--batch=8", "--batch-size=08", "--precision=high", "--deterministic",
                           "--nodeterministic", "--dry-run"});
  EXPECT_THAT(s.request.selection.filters, ElementsAre("^a", "b"));
  EXPECT_THAT(s.request.dtypes, ElementsAre(FP32, BF16));
  EXPECT_THAT(s.request.flags.at("memory-format"), ElementsAre("contiguous", "channels_last"));
  EXPECT_THAT(s.request.flags.at("matmul-precision"), ElementsAre("high"));
  EXPECT_THAT(s.request.flags.at("deterministic"), ElementsAre("true", "false"));
  EXPECT_THAT(s.request.batches, ElementsAre(8));
  EXPECT_EQ(s.action, Action::kDryRun);
  EXPECT_THAT(s.preset, IsEmpty());
}

TEST(Settings, ABatchMayBeSearchedForByARun) {
  const Settings s = Read({"--batch=search", "--batch=8"});
  EXPECT_TRUE(s.request.search_batch);
  EXPECT_THAT(s.request.batches, ElementsAre(8));
  EXPECT_THAT(Problem({"--batch=search", "--print-commands"}), HasSubstr("only a run"));
  EXPECT_THAT(Problem({"--batch=searched"}), HasSubstr("whole number from 1"));
}

TEST(Settings, AFlagWhoseNameBeginsWithABackEndsIsThatBackEnds) {
  const Settings s =
      Read({"--backend=torchscript", "--torchscript-freeze", "--torchscript-freeze=false"});
  EXPECT_THAT(s.request.backend_flags.at("torchscript").at("torchscript_freeze"),
              ElementsAre("true", "false"));
  // A case's own table may name torchscript.
  EXPECT_EQ(Read({"--torchscript-freeze"}).request.backend_flags.count("torchscript"), 1u);
  const Settings echo =
      Read({"--backend", "echo", "--echo-times", "3", "--build=--//benchmarks/backends=//my:lib"});
  EXPECT_THAT(echo.request.backend_flags.at("echo").at("echo_times"), ElementsAre("3"));
  EXPECT_THAT(Problem({"--echo-times=3"}), HasSubstr("unknown flag --echo-times"));
}

TEST(Settings, ALibrarysBackEndNeedsTheLibrary) {
  EXPECT_THAT(Problem({"--backend=eager", "--backend=echo"}),
              HasSubstr("--//benchmarks/backends=//your:library //tools:run_suite -- "
                        "--backend=echo"));
  const std::string library = "--//benchmarks/backends=//my:lib";
  const absl::StatusOr<Settings> of_build =
      ReadSettings({"--backend=echo"}, Devices(), {.flags = "--config=cuda " + library});
  ASSERT_TRUE(of_build.ok()) << of_build.status();
  EXPECT_THAT(of_build->request.flags.at("backend"), ElementsAre("echo"));
  EXPECT_THAT(Read({"--backend=echo", "--build=" + library}).request.flags.at("backend"),
              ElementsAre("echo"));
  // What --build says is all that the cases are built with.
  EXPECT_FALSE(
      ReadSettings({"--backend=echo", "--build=-c dbg"}, Devices(), {.flags = library}).ok());
}

TEST(Settings, BackEndsOfThisTreeAreLinkedWhereTheyAreAskedFor) {
  const std::string flag = "--//benchmarks/backends=";
  EXPECT_EQ(Read({"--backend=eager"}).run.build, "");
  EXPECT_EQ(Read({"--backend=eager", "--backend=aoti"}).run.build,
            flag + "//benchmarks/backends:aoti");
  EXPECT_EQ(Read({"--backend=onnxruntime", "--backend=aoti", "--build=-c dbg"}).run.build,
            "-c dbg " + flag + "//benchmarks/backends:aoti_onnxruntime");
  EXPECT_EQ(Read({"--backend=openvino", "--backend=torchscript"}).run.build,
            flag + "//benchmarks/backends:openvino");
  EXPECT_EQ(Read({"--backend=aoti", "--build=" + flag + "//my:lib"}).run.build, flag + "//my:lib");
}

TEST(Settings, FlagsOfAComparisonGoToIt) {
  EXPECT_THAT(Read({"--compare", "--compare-flags=--pairs=6 --json='a b'"}).compare_flags,
              ElementsAre("--pairs=6", "--json=a b"));
  EXPECT_THAT(Problem({"--compare-flags=--pairs=6"}), HasSubstr("--compare, which is not given"));
  EXPECT_THAT(Problem({"--compare", "--compare-flags='--pairs=6"}),
              HasSubstr("a quote is not closed"));
}

TEST(Settings, KnowsDevicesByTheirNames) {
  EXPECT_THAT(Read({"--device=host-gpu", "--device=cpu"}).request.flags.at("device"),
              ElementsAre("cuda", "cpu"));
  EXPECT_THAT(Problem({"--device=phone"}), HasSubstr("a telephone"));
  EXPECT_THAT(Problem({"--device=tpu"}), HasSubstr("one of cpu, cuda, host-gpu, phone"));
}

TEST(Settings, WhatIsTypedGoesBeforeWhatAPresetSays) {
  const Settings s = Read({"--preset=quick", "--budget=2", "--exclude-tag=gpu"});
  EXPECT_THAT(s.request.flags.at("budget"), ElementsAre("2"));
  EXPECT_THAT(s.request.flags.at("modes"), ElementsAre("wall"));
  EXPECT_THAT(s.request.selection.excluded_tags, ElementsAre("gpu", "large"));
  EXPECT_EQ(s.preset, "preset quick: --modes=wall --exclude-tag=large");
}

TEST(Settings, TakesIntelsTenWordsAndFlagsAfterThem) {
  const Settings s = Read({"intel", "huggingface", "bfloat16", "inference", "performance", "cpu",
                           "0", "static", "4", "3", "", "--iterations=2", "--list"});
  EXPECT_THAT(s.request.selection.provenances, ElementsAre("^transformers"));
  EXPECT_THAT(s.request.dtypes, ElementsAre(BF16));
  EXPECT_THAT(s.request.flags.at("iterations"), ElementsAre("2"));
  EXPECT_EQ(s.request.shard.index, 3);
  EXPECT_EQ(s.action, Action::kList);
  EXPECT_THAT(Problem({"intel", "huggingface", "--list"}), HasSubstr("DEVICE 'xpu'"));
  EXPECT_EQ(Read({"intel", "--help"}).help, base::Help::kShort);
  EXPECT_EQ(Read({"intel", "--help=all"}).help, base::Help::kAll);
}

TEST(Settings, UsageNamesEveryFlagThatASuiteMayVary) {
  const std::string usage = UsageText();
  for (const configuration::FlagSpec* flag : configuration::CaseFlags()) {
    if (!flag->in_plan()) continue;
    EXPECT_THAT(usage, HasSubstr("--" + flag->name)) << flag->name;
  }
  const std::vector<std::string> lines = absl::StrSplit(usage, '\n');
  for (const std::string& line : lines) EXPECT_LE(line.size(), 130u) << line;
}

TEST(Settings, ShortHelpFitsOnAScreenAndNamesFlagsThatExist) {
  const std::string text = base::ShortHelpText(ShortUsage());
  EXPECT_THAT(text, testing::EndsWith("\n--help=all explains all flags.\n"));
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  EXPECT_LE(lines.size(), 28u);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 130u) << line;
  for (const std::string& name : base::NamesIn(ShortUsage())) {
    EXPECT_THAT(Problem({"--" + name}), testing::Not(HasSubstr("unknown flag"))) << name;
    EXPECT_THAT(UsageText(), HasSubstr("--" + name)) << name;
  }
}

TEST(Settings, FlagsThatCannotStandTogetherAreNamed) {
  EXPECT_THAT(Problem({"--report", "--dry-run"}),
              HasSubstr("--report: not with --dry-run: only a run of the plan has results"));
  EXPECT_THAT(Problem({"--launcher=slurm", "--list"}),
              HasSubstr("--launcher=slurm: not with --list: only a run or a comparison"));
  EXPECT_THAT(Problem({"--batch=search", "--batch=8", "--compare"}),
              HasSubstr("--batch=search: not with --compare"));
  EXPECT_THAT(Problem({"--preset=careful", "--in-process"}),
              HasSubstr("--in-process: not with --processes"));
  // A comparison makes its own processes, whatever a preset says of a run's.
  EXPECT_EQ(Read({"--preset=careful", "--compare"}).action, Action::kCompare);
  EXPECT_EQ(Read({"--processes=3", "--compare", "--launcher=slurm"}).run.processes, 3);
}

TEST(Settings, SaysWhatIsWrongAndWhatIsAllowed) {
  EXPECT_THAT(Problem({"--dtype=fp17"}), HasSubstr("one of fp32, fp64, bf16, fp16"));
  EXPECT_THAT(Problem({"--test=foo"}), HasSubstr("one of eval, train, generate"));
  EXPECT_THAT(Problem({"--shard=3/3"}), HasSubstr("counted from 0"));
  EXPECT_THAT(Problem({"--total-partitions=3", "--partition-id=3"}),
              HasSubstr("--shard=3/3: a part"));
  EXPECT_THAT(Problem({"--batch=0"}), HasSubstr("whole number from 1"));
  EXPECT_THAT(Problem({"--modes=warm"}), HasSubstr("one of wall"));
  EXPECT_THAT(Problem({"--filter-by-tier=one"}), HasSubstr("--list-tiers"));
  EXPECT_THAT(Problem({"--compare", "--backend=eager", "--backend=torchscript", "--retry-failed"}),
              HasSubstr("--retry-failed: --compare does not use it"));
  EXPECT_THAT(Problem({"--compare", "--pin=0"}), HasSubstr("--pin: --compare does not use it"));
  EXPECT_THAT(Problem({"--list", "--dry-run"}), HasSubstr("--list and --dry-run"));
  EXPECT_THAT(Problem({"--preset=quick", "--performance"}), HasSubstr("one preset at a time"));
  EXPECT_THAT(Problem({"--frobnicate"}), HasSubstr("unknown flag --frobnicate"));
  EXPECT_THAT(Problem({"resnet18"}), HasSubstr("'resnet18' is no flag"));
}

}  // namespace
}  // namespace assay::suite
