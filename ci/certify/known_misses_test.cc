#include "ci/certify/known_misses.h"

#include <fstream>
#include <string>
#include <vector>

#include "ci/certify/options.h"
#include "gtest/gtest.h"

namespace assay::certify {
namespace {

constexpr char kOneRow[] =
    "misses {\n  goal: \"G7\"\n  what: \"processes, t3\"\n  worst: 1.5\n  reason: \"why\"\n}\n";

absl::StatusOr<KnownMissTable> Read(const std::string& text) {
  const std::string path = testing::TempDir() + "/misses.textproto";
  std::ofstream(path) << text;
  return ReadKnownMisses(path, AllGoals());
}

Goal Processes(double measured, const std::string& what = "processes, t3 noise") {
  return {.id = "G7", .what = what, .measured = measured, .wanted = 1};
}

// The goals that were run, marked with a file of one row.
std::vector<Goal> Marked(std::vector<Goal> goals) {
  const auto known = Read(kOneRow);
  EXPECT_TRUE(known.ok()) << known.status();
  MarkKnownMisses(*known, goals);
  return goals;
}

TEST(KnownMisses, ExcuseAMissWithinItsBound) {
  const std::vector<Goal> goals = Marked({Processes(1.5), Processes(1.2, "processes, normal")});
  EXPECT_EQ(StateOf(goals[0]), GoalState::kKnownMiss);
  EXPECT_EQ(goals[0].known_miss, "why");
  EXPECT_EQ(StateOf(goals[1]), GoalState::kMissed) << "no row has its text";
  EXPECT_EQ(ExitCodeOf({goals[0]}), 0);
}

TEST(KnownMisses, ExcuseNoMissBeyondTheBound) {
  const Goal goal = Marked({Processes(1.51)})[0];
  EXPECT_EQ(StateOf(goal), GoalState::kMissed);
  EXPECT_NE(goal.detail.find("as far as 1.5 only"), std::string::npos) << goal.detail;
}

TEST(KnownMisses, HaveABoundBelowWhereTheGoalIsAtLeast) {
  Goal power = {.id = "G7", .what = "processes, t3", .bound = Bound::kAtLeast, .wanted = 95};
  power.measured = 1.5;
  EXPECT_EQ(StateOf(Marked({power})[0]), GoalState::kKnownMiss);
  power.measured = 1.4;
  EXPECT_EQ(StateOf(Marked({power})[0]), GoalState::kMissed);
}

TEST(KnownMisses, AreToldFromAGoalThatIsMetNow) {
  const std::vector<Goal> goals = Marked({Processes(0.9)});
  EXPECT_EQ(StateOf(goals[0]), GoalState::kMet);
  EXPECT_NE(goals[0].detail.find("met now: take its row out"), std::string::npos);
  EXPECT_NE(goals[0].detail.find("misses.textproto:1"), std::string::npos) << goals[0].detail;
  EXPECT_EQ(ExitCodeOf(goals), 0);
}

TEST(KnownMisses, AreStaleWhereTheGoalIsRunAndHasNoSuchText) {
  const std::vector<Goal> goals = Marked({Processes(0.9, "processes, other")});
  ASSERT_EQ(goals.size(), 2);
  EXPECT_EQ(StateOf(goals[1]), GoalState::kMissed);
  EXPECT_NE(goals[1].what.find("\"processes, t3\""), std::string::npos) << goals[1].what;
  EXPECT_EQ(Marked({{.id = "G1"}}).size(), 1) << "the row's goal was not run";
}

TEST(KnownMisses, RefuseAFileThatIsNoneAndNameTheLine) {
  const struct {
    std::string text, said;
  } rows[] = {
      {"misses {\n  goal: 7\n}\n", "misses.textproto:2"},
      {"\nmiss {}\n", "misses.textproto:2"},
      {"misses { goal: \"G7\" what: \"a\" worst: nearly }", "misses.textproto:1"},
      {"\nmisses { goal: \"G77\" what: \"a\" worst: 1 reason: \"b\" }",
       ":2: there is no goal \"G77\""},
      {"misses { goal: \"G7\" worst: 1 reason: \"b\" }", ":1: a known miss needs `what`"},
      {"misses { goal: \"G7\" what: \"a\" reason: \"b\" }", ":1: a known miss needs `worst`"},
      {"misses { goal: \"G7\" what: \"a\" worst: nan reason: \"b\" }", "needs `worst`"},
      {"misses { goal: \"G7\" what: \"a\" worst: 1 }", ":1: a known miss needs a reason"},
  };
  for (const auto& row : rows) {
    const auto known = Read(row.text);
    EXPECT_EQ(known.status().code(), absl::StatusCode::kInvalidArgument) << row.text;
    EXPECT_NE(known.status().message().find(row.said), std::string::npos) << known.status();
  }
  EXPECT_FALSE(ReadKnownMisses("/no/such/file", AllGoals()).ok());
  EXPECT_TRUE(Read("")->places.empty());
}

TEST(KnownMisses, OfThisTreeCanBeRead) {
  const auto known = ReadKnownMisses("ci/certify/known_misses.textproto", AllGoals());
  EXPECT_TRUE(known.ok()) << known.status();
}

}  // namespace
}  // namespace assay::certify
