#include "tools/kernel/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Problem(const std::vector<std::string>& words) {
  const absl::StatusOr<Settings> settings = ParseSettings(words);
  EXPECT_TRUE(absl::IsInvalidArgument(settings.status())) << settings.status();
  return std::string(settings.status().message());
}

TEST(SettingsTest, EveryFlagIsTaken) {
  const absl::StatusOr<Settings> settings =
      ParseSettings({"a.cc", "b.so", "--like=softmax", "--at=b=1,c=2", "--at=b=3,c=4",
                     "--dtype=bf16", "--dtype=fp16", "--seed=7", "--action=verify", "--threads=3",
                     "--op=mine::x", "--json", "--nondeterministic", "--processes=9",
                     "--budget=0.5", "--timeout=2", "--fast-p=1.5", "--html=page.html"});
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_THAT(settings->files, ElementsAre("a.cc", "b.so"));
  EXPECT_THAT(settings->at, ElementsAre("b=1,c=2", "b=3,c=4"));
  EXPECT_THAT(settings->dtypes, ElementsAre(Dtype::BF16, Dtype::FP16));
  EXPECT_EQ(settings->seed, 7);
  EXPECT_FALSE(settings->measures);
  EXPECT_TRUE(settings->nondeterministic);
  EXPECT_EQ(settings->threads, 3);
  EXPECT_EQ(settings->op, "mine::x");
  EXPECT_EQ(settings->output, Output::kJson);
  EXPECT_EQ(settings->html, "page.html");
  EXPECT_EQ(settings->processes, 9);
  EXPECT_EQ(settings->milliseconds, 500);
  EXPECT_EQ(settings->timeout_s, 2);
  EXPECT_EQ(settings->fast_p, 1.5);
}

TEST(SettingsTest, ASeedIsDrawnAnewUnlessItIsGiven) {
  const auto seed = [] { return ParseSettings({"a.cc", "--like=relu"})->seed; };
  EXPECT_NE(seed(), seed());
  EXPECT_THAT(ParseSettings({"a.cc", "--like=relu"})->dtypes, ElementsAre(Dtype::FP32));
}

TEST(SettingsTest, WhatIsMissingOrWrongIsNamed) {
  EXPECT_THAT(Problem({"--like=relu"}), HasSubstr("a file with a kernel is missing"));
  EXPECT_THAT(Problem({"a.cc"}), HasSubstr("--like is missing"));
  EXPECT_THAT(Problem({"a.cc", "--like=relu", "--csv", "--json"}), HasSubstr("give one"));
  EXPECT_THAT(Problem({"a.cc", "--like=relu", "--dtype=int8"}),
              HasSubstr("fp32, fp64, bf16 or fp16"));
  EXPECT_THAT(Problem({"a.cc", "--like=relu", "--seed=-1"}),
              HasSubstr("a whole number of 64 bits"));
  EXPECT_THAT(Problem({"a.cc", "--like=relu", "--budget=0"}), HasSubstr("a number above 0"));
  EXPECT_THAT(Problem({"a.cc", "--like=relu", "--gate", "--action=verify"}),
              HasSubstr("--gate and --peaks need times"));
  EXPECT_THAT(Problem({"a.cc", "--like=relu", "--peaks", "--action=verify"}),
              HasSubstr("--gate and --peaks need times"));
  EXPECT_THAT(Problem({"a.cc", "--flashinfer-trace=d.json"}), HasSubstr("needs --workload"));
  EXPECT_THAT(Problem({"a.cc", "--flashinfer-trace=d.json", "--workload=w", "--like=relu"}),
              HasSubstr("the definition of --flashinfer-trace says this; leave them out"));
  EXPECT_THAT(Problem({"a.cc", "--like=relu", "--flashinfer-out=t"}),
              HasSubstr("need --flashinfer-trace"));
  EXPECT_THAT(Problem({"a.cc", "--flashinfer-trace=d.json", "--workload=w", "--flashinfer-out=t",
                       "--action=verify"}),
              HasSubstr("--flashinfer-out needs times"));
  EXPECT_THAT(Problem({"a.cc", "--like=relu", "--sead=1"}), HasSubstr("did you mean --seed?"));
  EXPECT_TRUE(ParseSettings({"--help"})->help);
}

}  // namespace
}  // namespace assay::kernel
