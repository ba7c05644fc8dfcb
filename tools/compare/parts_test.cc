#include "tools/compare/parts.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/compare/report/report.h"

namespace assay::compare {
namespace {

using testing::HasSubstr;

// A process of one of three cases, whose candidates are 1 % faster, alike, and wrong.
MeasuredProcess Played(int of_case, const ProcessRequest& request, int index) {
  MeasuredProcess process;
  const bool candidate = request.side == SideName::kCandidate;
  process.outcome = candidate && of_case == 2 ? FAIL_ACCURACY : PASS;
  process.message = "why";
  process.elapsed = absl::Seconds(1);
  const double ratio = candidate && of_case == 0 ? 0.99 : 1;
  process.medians = {{.mode = "wall",
                      .median_ns = 1000 * ratio * (1 + 0.002 * std::sin(1.7 * index + of_case)),
                      .first_call_ns = 5000}};
  if (index == 7) process.medians[0].flags = {"steady: no"};
  if (index == 9) process.medians[0].unverified = "why";
  process.record.set_schema_version(2);
  process.record.set_outcome(process.outcome);
  process.record.mutable_environment()->set_cpu_model("made up");
  return process;
}

Settings Made() {
  Settings settings;
  settings.campaign.pairs = 20;
  settings.campaign.seed = 7;
  settings.campaign.rules.looks = 1;
  return settings;
}

// The report of one machine for these cases.
Report Compared(const std::vector<int>& cases) {
  std::vector<std::string> names;
  for (const int number : cases) names.push_back(absl::StrCat("//a:", number));
  std::vector<int> processes(cases.size());
  const Settings settings = Made();
  Report report;
  report.modes = settings.modes;
  report.budget_s = settings.budget_s;
  report.options = settings.campaign;
  report.result = RunCampaign(
      names, settings.campaign,
      [&](const ProcessRequest& request) {
        return Played(cases[request.case_index], request, processes[request.case_index]++);
      },
      [](const CampaignProgress&) {}, nullptr);
  return report;
}

std::string LineOf(const std::string& label, const Report& report, const std::string& node) {
  const nlohmann::json line = {{"label", label},
                               {"node", node},
                               {"attempt", 2},
                               {"job", "7_0"},
                               {"comparison", nlohmann::json::parse(JsonReport(report))}};
  return line.dump() + "\n";
}

absl::StatusOr<Parts> Read(const std::string& lines, const Settings& settings = Made()) {
  const std::string path = testing::TempDir() + "/parts.jsonl";
  EXPECT_TRUE(tensor_files::WriteFileAtomically(path, lines).ok());
  return ReadParts(path, settings, {""});
}

TEST(Parts, GiveTheFiguresOfOneMachineThatComparedAll) {
  const auto parts =
      Read(LineOf("//a:0", Compared({0}), "n1") + LineOf("//a:1", Compared({1}), "n2") +
           LineOf("//a:2", Compared({2}), "n2"));
  ASSERT_TRUE(parts.ok()) << parts.status();
  const Report here = Compared({0, 1, 2});
  Report there = here;
  there.result = parts->result;
  ASSERT_EQ(there.result.series.size(), here.result.series.size());
  for (size_t i = 0; i < 2; ++i) {
    const SeriesResult &got = there.result.series[i], &want = here.result.series[i];
    EXPECT_EQ(got.verdict, want.verdict);
    EXPECT_NE(got.verdict, Conclusion::kInconclusive);
    ASSERT_TRUE(got.estimate.has_value());
    EXPECT_EQ(got.estimate->pairs, 20);
    EXPECT_EQ(got.pairs.size(), want.pairs.size());
    EXPECT_THAT(got.Unverified(), HasSubstr("(why)"));
  }
  // Each case's processes differ a little with the order, which is drawn by its number.
  EXPECT_NEAR(there.result.series[0].estimate->log_ratio, std::log(0.99), 2e-3);
  EXPECT_EQ(there.result.cases[2].failure->outcome, FAIL_ACCURACY);
  EXPECT_EQ(there.result.cases[2].failure->side, SideName::kCandidate);
  EXPECT_EQ(ExitCodeOf(there), ExitCodeOf(here));
  EXPECT_EQ(there.result.processes, here.result.processes);
  const std::string text = TextReport(there);
  EXPECT_THAT(text, HasSubstr("machine    n1: made up"));
  EXPECT_THAT(text, HasSubstr("machine    n2: made up"));
  const auto json = nlohmann::json::parse(JsonReport(there));
  EXPECT_EQ(json["cases"][0]["machine"]["node"], "n1");
  EXPECT_EQ(json["cases"][0]["baseline_record"]["launch"]["job"], "7_0");
}

TEST(Parts, AreTestedTogether) {
  // Of 40 cases, one has the p-value of 1 in 40: alone it would be one, among them it is none.
  SeriesResult alone{.mode = "wall"};
  alone.estimate = Estimate{.pairs = 20,
                            .log_ratio = 0.05,
                            .interval = {0.04, 0.06},
                            .same_interval = {0.04, 0.06},
                            .p_value = 0.025};
  CampaignResult one = {.series = {alone}}, many = one;
  alone.estimate->p_value = 0.9;
  many.series.resize(40, alone);
  DecideAll({.looks = 1}, one);
  DecideAll({.looks = 1}, many);
  EXPECT_EQ(one.series[0].verdict, Conclusion::kSlower);
  EXPECT_EQ(many.series[0].verdict, Conclusion::kInconclusive);
  EXPECT_EQ(many.series[0].decided_at_look, 0);
}

TEST(Parts, SayWhatIsMissing) {
  const auto parts = Read(LineOf("//a:1", Compared({1}), "n1") +
                          R"({"label": "//a:0", "missing": "Slurm: NODE_FAIL on n2"})"
                          "\n");
  ASSERT_TRUE(parts.ok()) << parts.status();
  Report report = Compared({1});
  EXPECT_EQ(ExitCodeOf(report), 0);
  report.result = parts->result;
  EXPECT_EQ(ExitCodeOf(report), 2);
  EXPECT_THAT(TextReport(report), HasSubstr("//a:0: MISSING\n  Slurm: NODE_FAIL on n2"));
  EXPECT_THAT(JsonReport(report), HasSubstr("NODE_FAIL"));
}

TEST(Parts, RefuseWhatIsNoComparisonOfTheseSides) {
  Settings other = Made();
  other.campaign.seed = 8;
  const std::string line = LineOf("//a:0", Compared({0}), "n1");
  EXPECT_THAT(Read(line, other).status().message(), HasSubstr("made with seed 7 and not with 8"));
  EXPECT_THAT(Read(LineOf("//a:0", Compared({0, 1}), "n1")).status().message(),
              HasSubstr("2 candidates, not 1"));
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("{}"),
        std::string(R"({"label": 3, "missing": "x"})"),
        std::string(R"({"label": "x", "comparison": {}})"), line.substr(0, line.size() / 2)}) {
    EXPECT_THAT(Read(text).status().message(), HasSubstr("parts.jsonl:1: ")) << text;
  }
  EXPECT_TRUE(absl::IsNotFound(ReadParts("/none", Made(), {""}).status()));
}

}  // namespace
}  // namespace assay::compare
