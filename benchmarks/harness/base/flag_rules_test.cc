#include "benchmarks/harness/base/flag_rules.h"

#include <string>
#include <tuple>
#include <vector>

#include "benchmarks/harness/base/flags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::base {
namespace {

const std::vector<FlagRule>& SomeRules() {
  static const auto& rules = *new std::vector<FlagRule>{
      {.flags = {"weights"},
       .excludes = {"action=smoke", "export-*"},
       .why = "not with $, whose model is a small one"},
      {.flags = {"in-process"}, .excludes = {"processes!=1"}, .why = "not with $; one of them"},
      {.flags = {"rule=cosine*"}, .excludes = {"verify=off"}, .why = "$ compares nothing"},
      {.flags = {"prefix", "ignore"}, .needs = {"weights"}},
      {.flags = {"calls"}, .needs = {"profile", "nsys", "ncu"}},
      {.flags = {"slurm"}, .needs = {"launcher=slurm"}, .why = "only with --launcher=slurm"},
      {.flags = {"pin", "numa"},
       .excludes = {"compare"},
       .why = "$ does not use it",
       .unless = {"launcher=slurm"}},
      {.flags = {"list", "dry-run"}, .excludes = {"list", "dry-run"}, .why = "not with $"}};
  return rules;
}

std::string Problem(const GivenFlags& given) {
  return std::string(CheckFlagRules(SomeRules(), given).message());
}

TEST(FlagRules, ABrokenOneNamesBothFlagsAndWhy) {
  const std::vector<std::tuple<GivenFlags, std::string>> rows = {
      {{{"weights", "w"}, {"action", "smoke"}},
       "--weights: not with --action=smoke, whose model is a small one"},
      {{{"weights", "w"}, {"export_state", "s"}},
       "--weights: not with --export-state, whose model is a small one"},
      {{{"in_process", "true"}, {"processes", "3"}},
       "--in-process: not with --processes; one of them"},
      {{{"rule", "cosine:0.9"}, {"verify", "off"}}, "--rule=cosine: --verify=off compares nothing"},
      {{{"ignore", "aux"}}, "--ignore: it is of --weights, which is not given"},
      {{{"calls", "3"}}, "--calls: it is of --profile, --nsys or --ncu, none of which is given"},
      {{{"slurm", "-x"}, {"launcher", "local"}}, "--slurm: only with --launcher=slurm"},
      {{{"numa", "0"}, {"compare", "true"}}, "--numa: --compare does not use it"},
      {{{"list", "true"}, {"dry_run", "true"}}, "--list: not with --dry-run"},
  };
  for (const auto& [given, problem] : rows) EXPECT_EQ(Problem(given), problem);
}

TEST(FlagRules, WhatMayStandTogetherPasses) {
  for (const GivenFlags& given : std::vector<GivenFlags>{
           {},
           {{"weights", "w"}, {"action", "verify"}, {"prefix", "p"}},
           {{"weights", "w"}, {"export_state", "false"}},  // a switch that is off
           {{"in_process", "true"}, {"processes", "1"}},
           {{"in_process", "false"}, {"processes", "2"}},
           {{"rule", "iou"}, {"verify", "off"}},
           {{"calls", "3"}, {"ncu", "true"}},
           {{"numa", "0"}, {"compare", "true"}, {"launcher", "slurm"}},
           {{"dry_run", "true"}}}) {
    EXPECT_EQ(Problem(given), "");
  }
}

TEST(FlagRules, AWordOfAListCounts) {
  EXPECT_EQ(Problem({{"weights", "w"}, {"action", "verify,smoke"}}),
            "--weights: not with --action=smoke, whose model is a small one");
}

TEST(FlagRules, GivenFlagsAreNotedAsTheyWereRead) {
  std::string text;
  bool on = false, off = true;
  GivenFlags given;
  ASSERT_TRUE(
      ParseFlags({{"on", SwitchFlag(on)}, {"off", SwitchFlag(off)}, {"a_text", TextFlag(text)}},
                 {"--on", "--nooff", "--a-text", "b"}, "",
                 [&](const std::string& name, absl::Span<const std::string> words) {
                   NoteGiven(name, words, given);
                 })
          .ok());
  EXPECT_EQ(given, (GivenFlags{{"on", "true"}, {"off", "false"}, {"a_text", "b"}}));
}

}  // namespace
}  // namespace assay::base
