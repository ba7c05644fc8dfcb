#include "benchmarks/harness/configuration/case_flags.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::configuration {
namespace {

using testing::ElementsAre;

TEST(CaseFlags, AreWrittenInOneOrderWhateverTheyAreGivenIn) {
  EXPECT_THAT(FlagWords({{"modes", "wall"}, {"autocast", "bf16"}, {"batch", "8"}}),
              ElementsAre("--batch=8", "--autocast=bf16", "--modes=wall"));
}

TEST(CaseFlags, HaveOneSpellingForAValue) {
  EXPECT_EQ(*FindFlag("batch")->read("08"), "8");
  EXPECT_EQ(*FindFlag("budget")->read("1.0"), "1");
  EXPECT_EQ(*FindFlag("modes")->read("wall,cold"), "wall,cold");
}

TEST(CaseFlags, RefuseWhatTheRunnerWould) {
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, const char*>>{{"batch", "0"},
                                                        {"batch", "1048577"},
                                                        {"memory-format", "nhwc"},
                                                        {"autocast", "fp32"},
                                                        {"matmul-precision", "default"},
                                                        {"device", "tpu"},
                                                        {"modes", "wall,warm"},
                                                        {"steps", "forwards"},
                                                        {"exec-mode", "discreet"},
                                                        {"budget", "0"},
                                                        {"budget", "nan"},
                                                        {"accuracy-runs", "2"},
                                                        {"inject", "3"},
                                                        {"optimizer", "lion"},
                                                        {"rule", ""}}) {
    EXPECT_FALSE(FindFlag(name)->read(value).ok()) << name << "=" << value;
  }
  EXPECT_EQ(FindFlag("recrod"), nullptr);
}

TEST(CaseFlags, EachHasAnExampleWhereASuiteMayVaryIt) {
  std::set<std::string> names;
  for (const FlagSpec* flag : CaseFlags()) {
    EXPECT_TRUE(names.insert(flag->name).second) << flag->name;
    EXPECT_EQ(FindFlag(flag->name), flag);
    ASSERT_NE(flag->read, nullptr) << flag->name;
    EXPECT_EQ(flag->use == FlagUse::kCall, flag->enter != nullptr) << flag->name;
    EXPECT_EQ(flag->use == FlagUse::kCall, flag->of_case != nullptr) << flag->name;
    EXPECT_EQ(flag->use == FlagUse::kProgram, flag->text.empty()) << flag->name;
    if (!flag->fallback.empty()) {
      EXPECT_EQ(*flag->read(flag->fallback), flag->fallback) << flag->name;
    }
    if (!flag->in_plan()) continue;
    ASSERT_TRUE(flag->read(flag->example).ok()) << flag->name;
    EXPECT_NE(flag->example, flag->fallback) << flag->name;
  }
  EXPECT_EQ(ValueOf({}, "threads"), "0");
  EXPECT_EQ(ValueOf({{"threads", "3"}}, "threads"), "3");
  EXPECT_EQ(CallFlagsOf({{"batch", "3"}, {"threads", "2"}}).batch, 3);
}

TEST(CaseFlags, RulesNameFlagsThatThereAre) {
  for (const FlagSpec* flag : CaseFlags()) {
    for (const Exclusion& exclusion : flag->excludes) {
      EXPECT_FALSE(exclusion.with.empty() || exclusion.why.empty()) << flag->name;
      if (!exclusion.value.empty()) {
        EXPECT_TRUE(flag->read(exclusion.value).ok()) << flag->name;
      }
      for (const std::string& pattern : exclusion.with) {
        if (pattern == "export-*" || pattern.rfind("benchmark_", 0) == 0) continue;
        const size_t equals = pattern.find('=');
        const FlagSpec* other = FindFlag(pattern.substr(0, equals));
        ASSERT_NE(other, nullptr) << flag->name << " excludes " << pattern;
        if (equals != std::string::npos) {
          EXPECT_TRUE(other->read(pattern.substr(equals + 1)).ok()) << pattern;
        }
      }
    }
    for (const std::string& name : flag->needs)
      EXPECT_NE(FindFlag(name.substr(0, name.find('='))), nullptr) << flag->name;
  }
}

TEST(CaseFlags, OneThatExcludesAnotherSaysWhy) {
  EXPECT_EQ(
      CheckFlags({{"action", "verify"}, {"verify", "off"}}).message(),
      "--action=verify: not with --verify=off: nothing would be left to do; leave one of them "
      "out");
  EXPECT_EQ(CheckFlags({{"rule", "cosine"}, {"verify", "off"}}).message(),
            "--rule: it is of the comparison, which --verify=off leaves out");
  EXPECT_TRUE(CheckFlags({{"rule", "cosine"}, {"verify", "on"}, {"action", "measure"}}).ok());
}

TEST(CaseFlags, SayWhatIsCompared) {
  EXPECT_EQ(ComparisonOf({}), Comparison::kMeasured);
  EXPECT_EQ(ComparisonOf({{"verify", "off"}}), Comparison::kNone);
  EXPECT_EQ(ComparisonOf({{"action", "smoke"}}), Comparison::kNone);
  EXPECT_EQ(ComparisonOf({{"action", "verify"}}), Comparison::kAllOptimizers);
  EXPECT_EQ(ComparisonOf({{"export-reference", "r"}}), Comparison::kAllOptimizers);
  EXPECT_EQ(ComparisonOf({{"export-layers", "f"}}), Comparison::kMeasured);
  EXPECT_EQ(ComparisonOf({{"locate", "true"}}), Comparison::kMeasured);
}

TEST(CaseFlags, KnowWhatACaseHasByItself) {
  BenchmarkCase c;
  c.set_batch(8);
  const auto own = [&](const char* name) { return FindFlag(name)->of_case(c); };
  EXPECT_EQ(own("memory-format"), "contiguous");
  EXPECT_EQ(own("autocast"), "off");
  EXPECT_EQ(own("matmul-precision"), "highest");
  EXPECT_EQ(own("backend"), "eager");
  EXPECT_EQ(own("accumulation"), "1");
  c.mutable_execution()->set_memory_format(CHANNELS_LAST);
  c.mutable_execution()->set_autocast(BF16);
  c.mutable_execution()->set_deterministic(true);
  EXPECT_EQ(own("batch"), "8");
  EXPECT_EQ(own("memory-format"), "channels_last");
  EXPECT_EQ(own("autocast"), "bf16");
  EXPECT_EQ(own("deterministic"), "true");
}

}  // namespace
}  // namespace assay::configuration
