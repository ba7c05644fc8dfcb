#include <limits>
#include <string>
#include <vector>

#include "ci/certify/goal.h"
#include "ci/certify/options.h"
#include "ci/certify/report.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace assay::certify {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(GoalState, FollowsFromFigureAndBound) {
  const struct {
    double measured;
    Bound bound;
    double wanted;
    GoalState verdict;
  } rows[] = {
      {79, Bound::kAtMost, 80, GoalState::kMet},     {80, Bound::kAtMost, 80, GoalState::kMet},
      {81, Bound::kAtMost, 80, GoalState::kMissed},  {96, Bound::kAtLeast, 95, GoalState::kMet},
      {95, Bound::kAtLeast, 95, GoalState::kMet},    {94, Bound::kAtLeast, 95, GoalState::kMissed},
      {kNan, Bound::kAtMost, 1, GoalState::kMissed}, {kNan, Bound::kAtLeast, 1, GoalState::kMissed},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(StateOf({.measured = row.measured, .bound = row.bound, .wanted = row.wanted}),
              row.verdict)
        << row.measured << " against " << row.wanted;
  }
  EXPECT_EQ(StateOf(NotRun("G4", "spread", "not built")), GoalState::kNotRun);
  EXPECT_EQ(StateOf({.measured = 2, .wanted = 1, .known_miss = "reason"}), GoalState::kKnownMiss);
  EXPECT_EQ(StateOf({.measured = 1, .wanted = 1, .known_miss = "reason"}), GoalState::kMet);
}

TEST(ExitCode, IsOneOnlyWhereAGoalIsMissed) {
  const Goal met = {.measured = 1, .wanted = 1}, missed = {.measured = 2, .wanted = 1};
  const Goal known = {.measured = 2, .wanted = 1, .known_miss = "reason"};
  EXPECT_EQ(ExitCodeOf({}), 0);
  EXPECT_EQ(ExitCodeOf({met, NotRun("G4", "", "reason")}), 0);
  EXPECT_EQ(ExitCodeOf({met, known}), 0);
  EXPECT_EQ(ExitCodeOf({met, missed, known}), 1);
}

std::vector<Goal> SomeGoals() {
  return {{.id = "G1", .what = "a sample", .measured = 61, .wanted = 80, .unit = "ns"},
          {.id = "G7",
           .what = "power, \"+2 %\"",
           .measured = kNan,
           .bound = Bound::kAtLeast,
           .wanted = 95,
           .unit = "%",
           .peer = "none, so far"},
          NotRun("G4", "spread", "not built"),
          {.id = "G4", .what = "copy", .measured = 2, .wanted = 1, .known_miss = "levels"}};
}

TEST(Report, IsATableWithACountOfVerdicts) {
  const std::string text = Report(SomeGoals(), output::Format::kText);
  EXPECT_NE(text.find("61 ns"), std::string::npos) << text;
  EXPECT_NE(text.find("<= 80 ns"), std::string::npos) << text;
  EXPECT_NE(text.find(">= 95 %"), std::string::npos) << text;
  EXPECT_NE(text.find("NOT RUN"), std::string::npos) << text;
  EXPECT_NE(text.find("KNOWN MISS"), std::string::npos) << text;
  EXPECT_NE(text.find("known: levels\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1 met, 1 missed, 1 known to be missed, 1 not run"), std::string::npos)
      << text;
}

TEST(Report, IsStrictJson) {
  const auto report = nlohmann::json::parse(Report(SomeGoals(), output::Format::kJson));
  ASSERT_EQ(report["goals"].size(), 4);
  EXPECT_EQ(report["goals"][0]["measured"], 61);
  EXPECT_EQ(report["goals"][0]["verdict"], "MET");
  EXPECT_TRUE(report["goals"][1]["measured"].is_null());
  EXPECT_EQ(report["goals"][1]["verdict"], "MISSED");
  EXPECT_TRUE(report["goals"][2]["wanted"].is_null());
  EXPECT_EQ(report["goals"][3]["known_miss"], "levels");
  EXPECT_EQ(report["missed"], 1);
  EXPECT_EQ(report["known_misses"], 1);
}

TEST(Report, IsCsvWithQuotedFields) {
  const std::string csv = Report(SomeGoals(), output::Format::kCsv);
  EXPECT_NE(csv.find("G1,a sample,61,at most,80,ns,MET,,,,\r\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\"power, \"\"+2 %\"\"\",,at least,95,%,MISSED,\"none, so far\",,,\r\n"),
            std::string::npos)
      << csv;
}

TEST(Options, KeepGoalsInTheSpecificationsOrder) {
  const auto options = ParseOptions({"--goals=G11,G3", "--quick", "--format=csv", "--flakes=200"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->goals, (std::vector<std::string>{"G3", "G11"}));
  EXPECT_TRUE(options->quick);
  EXPECT_EQ(options->format, output::Format::kCsv);
  EXPECT_EQ(options->flakes, 200);
  EXPECT_EQ(ParseOptions({})->goals.size(), 15);
  EXPECT_EQ(ParseOptions({"--goals=seeded"})->goals,
            (std::vector<std::string>{"G6", "G7", "G8", "G9", "G12", "G13", "G14"}));
  EXPECT_EQ(ParseOptions({"--known-misses=mine"})->known_misses, "mine");
}

TEST(Options, RefuseWhatTheyDoNotKnowAndSayWhatThereIs) {
  for (const char* word : {"--goals=G1,G99", "--goals=", "--flakes=0", "--flakes=many",
                           "--format=xml", "--fast", "G1"}) {
    const auto options = ParseOptions({word});
    EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument) << word;
  }
  EXPECT_NE(ParseOptions({"--goals=G99"}).status().message().find("seeded, or some of G1, G2"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::certify
