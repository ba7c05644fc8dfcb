#include "tools/suite/plan/runner_flags.h"

#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

using testing::ElementsAre;

TEST(RunnerFlags, AreWrittenInOneOrderWhateverTheyAreGivenIn) {
  EXPECT_THAT(FlagWords({{"modes", "wall"}, {"autocast", "bf16"}, {"batch", "8"}}),
              ElementsAre("--batch=8", "--autocast=bf16", "--modes=wall"));
}

TEST(RunnerFlags, HaveOneSpellingForAValue) {
  EXPECT_EQ(*FindRunnerFlag("batch")->read("08"), "8");
  EXPECT_EQ(*FindRunnerFlag("budget")->read("1.0"), "1");
  EXPECT_EQ(*FindRunnerFlag("modes")->read("wall,cold"), "wall,cold");
}

TEST(RunnerFlags, RefuseWhatTheRunnerWould) {
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, const char*>>{{"batch", "0"},
                                                        {"batch", "1048577"},
                                                        {"memory-format", "nhwc"},
                                                        {"autocast", "fp32"},
                                                        {"matmul-precision", "default"},
                                                        {"backend", "inductor"},
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
    EXPECT_FALSE(FindRunnerFlag(name)->read(value).ok()) << name << "=" << value;
  }
  EXPECT_EQ(FindRunnerFlag("record"), nullptr);
}

TEST(RunnerFlags, KnowWhatACaseHasByItself) {
  BenchmarkCase c;
  c.set_batch(8);
  const auto own = [&](const char* name) { return FindRunnerFlag(name)->own(c); };
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
}  // namespace assay::suite
