#include "tools/suite/plan/plan_text.h"

#include <nlohmann/json.hpp>

#include "gtest/gtest.h"

namespace assay::suite {
namespace {

Plan SmallPlan() {
  PlannedRun plain;
  plain.label = "//a:one";
  plain.case_name = plain.name = "one";
  PlannedRun called = plain;
  called.name = "one --autocast=bf16";
  called.flags = {"--autocast=bf16"};
  PlannedRun skipped = plain;
  skipped.name = skipped.case_name = "two";
  skipped.label = "//a:two";
  skipped.skip_reason = "no kernel, yet";
  return {.configurations = {plain, called, skipped},
          .dropped = {{"no images", 2}},
          .in_all_shards = 5,
          .remarks = {"1 left out"}};
}

TEST(PlanText, ListsNames) { EXPECT_EQ(NameList(SmallPlan()), "one\none --autocast=bf16\ntwo\n"); }

TEST(PlanText, IsATableWithWhatIsNotRun) {
  EXPECT_EQ(DryRun(SmallPlan(), output::Format::kText),
            "case  label    flags; why it is skipped\n"
            "one   //a:one\n"
            "one   //a:one  --autocast=bf16\n"
            "two   //a:two  skipped: no kernel, yet\n"
            "3 configurations of 5 in all shards, 1 of them skipped; 2 combinations dropped\n"
            "dropped  2  no images\n"
            "note  1 left out\n");
}

TEST(PlanText, IsAlsoCsvAndJson) {
  EXPECT_EQ(DryRun(SmallPlan(), output::Format::kCsv),
            "name,label,flags,skip_reason\n"
            "one,//a:one,,\n"
            "one --autocast=bf16,//a:one,--autocast=bf16,\n"
            "two,//a:two,,\"no kernel, yet\"\n");
  const auto json = nlohmann::json::parse(DryRun(SmallPlan(), output::Format::kJson));
  EXPECT_EQ(json["configurations"][1]["flags"][0], "--autocast=bf16");
  EXPECT_EQ(json["dropped"]["no images"], 2);
}

TEST(PlanText, IsCommandsForAShell) {
  Plan plan = SmallPlan();
  plan.configurations[1].flags = {"--rule=it's"};
  EXPECT_EQ(
      ShellCommands(plan, {.record = "/my runs/results.jsonl", .bazel_flags = "--config=cuda"}),
      "mkdir -p '/my runs'\n"
      "tools/bazel run --config=cuda //a:one -- '--record=/my runs/results.jsonl' </dev/null\n"
      "tools/bazel run --config=cuda //a:one -- '--rule=it'\\''s' "
      "'--record=/my runs/results.jsonl' </dev/null\n"
      "# two is skipped: no kernel, yet\n");
  EXPECT_EQ(ShellCommands({.configurations = {plan.configurations[0]},
                           .dropped = {},
                           .in_all_shards = 1,
                           .remarks = {}},
                          {}),
            "tools/bazel run //a:one </dev/null\n");
}

}  // namespace
}  // namespace assay::suite
