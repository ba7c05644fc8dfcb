#include "tools/compare/report/report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

SeriesResult Series(Conclusion verdict) {
  SeriesResult series;
  series.mode = "wall";
  series.verdict = verdict;
  series.decided_at_look = 1;
  series.q_value = 2e-6;
  Estimate estimate;
  estimate.pairs = 20;
  estimate.log_ratio = std::log(1.03);
  estimate.interval = {std::log(1.025), std::log(1.035)};
  estimate.same_interval = estimate.interval;
  estimate.sd = estimate.robust_sd = 0.01;
  series.estimate = estimate;
  series.pairs = {
      {.baseline = {.median_ns = 1000}, .candidate = {.median_ns = 1030}, .baseline_first = true},
      {.baseline = {.median_ns = 1010.5},
       .candidate = {.median_ns = 1040, .flags = {"a,b", "\"c\""}}}};
  return series;
}

Report ReportOf(std::initializer_list<Conclusion> verdicts) {
  Report report;
  report.baseline = "//a:b";
  report.candidates = {"//a:b --threads=1"};
  report.modes = "wall";
  report.result.cases = {{.name = "//a:b"}};
  for (const Conclusion verdict : verdicts) report.result.series.push_back(Series(verdict));
  return report;
}

TEST(ExitCode, WithoutTheGateOnlySaysWhetherAComparisonWasMade) {
  for (const Conclusion verdict :
       {Conclusion::kFaster, Conclusion::kSlower, Conclusion::kSame, Conclusion::kInconclusive}) {
    EXPECT_EQ(ExitCodeOf(ReportOf({verdict})), 0);
  }
  EXPECT_EQ(ExitCodeOf(ReportOf({Conclusion::kNotCompared})), 2);
  EXPECT_EQ(ExitCodeOf(ReportOf({})), 2);
}

TEST(ExitCode, OfTheGateTellsVerdictsApart) {
  const auto gate = [](std::initializer_list<Conclusion> verdicts) {
    Report report = ReportOf(verdicts);
    report.gate = true;
    return ExitCodeOf(report);
  };
  EXPECT_EQ(gate({Conclusion::kSame, Conclusion::kFaster}), 0);
  EXPECT_EQ(gate({Conclusion::kSame, Conclusion::kSlower, Conclusion::kInconclusive}), 1);
  EXPECT_EQ(gate({Conclusion::kSame, Conclusion::kInconclusive}), 4);
  EXPECT_EQ(gate({Conclusion::kInconclusive, Conclusion::kNotCompared}), 2);
}

TEST(ExitCode, FasterAsksForAVerifiedTimedCallOnBothSides) {
  for (ModeMedian PairMedians::*side : {&PairMedians::baseline, &PairMedians::candidate}) {
    for (const Conclusion verdict : {Conclusion::kFaster, Conclusion::kSame, Conclusion::kSlower}) {
      Report report = ReportOf({verdict});
      (report.result.series[0].pairs[1].*side).unverified = "timed_is_verified NOT_RUN: why";
      EXPECT_EQ(ExitCodeOf(report), 0);
      report.gate = true;
      const bool faster = verdict == Conclusion::kFaster;
      EXPECT_EQ(ExitCodeOf(report), faster ? 2 : verdict == Conclusion::kSlower ? 1 : 0);
      const std::string name = side == &PairMedians::baseline ? "baseline" : "candidate";
      const std::string said = "b/wall: FASTER, and the timed call was not verified: " + name +
                               " in 1 of 2 (timed_is_verified NOT_RUN: why); ";
      EXPECT_EQ(absl::StrContains(TextReport(report), said), faster) << TextReport(report);
      EXPECT_EQ(nlohmann::json::parse(JsonReport(report))["series"][0]["unverified"],
                name + " in 1 of 2 (timed_is_verified NOT_RUN: why)");
    }
  }
  EXPECT_EQ(
      nlohmann::json::parse(JsonReport(ReportOf({Conclusion::kFaster})))["series"][0]["unverified"],
      "");
}

TEST(ExitCode, OfAFailureIsWhoseFaultItWas) {
  for (const auto& [outcome, code] : std::vector<std::pair<Outcome, int>>{
           {FAIL_ACCURACY, 1}, {CRASH, 1}, {NO_DEVICE, 2}, {OUTCOME_UNSPECIFIED, 3}}) {
    Report report = ReportOf({Conclusion::kNotCompared});
    report.result.cases[0].failure = CaseFailure{SideName::kBaseline, outcome, "x"};
    EXPECT_EQ(ExitCodeOf(report), code) << outcome;
  }
}

TEST(ExitCode, WhatTheCandidateLostIsRedUnderTheGateAlone) {
  Report of_case = ReportOf({Conclusion::kFaster}), of_file = of_case;
  of_case.result.cases[0].lost = {"the candidate has no run of it"};
  of_file.result.lost = {"candidate, line 5 left out: torn"};
  for (Report* report : {&of_case, &of_file}) {
    EXPECT_EQ(ExitCodeOf(*report), 0);
    report->gate = true;
    EXPECT_EQ(ExitCodeOf(*report), 2);
    const std::string& lost = report == &of_case ? "lost       //a:b: the candidate has no run"
                                                 : "lost       candidate, line 5 left out";
    EXPECT_TRUE(absl::StrContains(TextReport(*report), lost)) << TextReport(*report);
  }
  EXPECT_EQ(nlohmann::json::parse(JsonReport(of_case))["cases"][0]["lost"].size(), 1u);
  EXPECT_EQ(nlohmann::json::parse(JsonReport(of_file))["lost"].size(), 1u);
}

TEST(ExitCode, AnInterruptionIsNeverAPass) {
  Report report = ReportOf({Conclusion::kSame});
  report.result.interrupted = true;
  EXPECT_EQ(ExitCodeOf(report), 2);
}

TEST(Json, IsStrictAndHoldsEachProcess) {
  Report report = ReportOf({Conclusion::kSlower});
  report.result.series[0].estimate->sd = std::numeric_limits<double>::quiet_NaN();
  report.result.series[0].estimate->interval.high = std::numeric_limits<double>::infinity();
  report.result.series[0].reason = "bytes \xff\xfe";
  const nlohmann::json json = nlohmann::json::parse(JsonReport(report));
  const nlohmann::json& series = json["series"][0];
  EXPECT_EQ(series["verdict"], "SLOWER");
  EXPECT_TRUE(series["estimate"]["sd_of_log_ratio"].is_null());
  EXPECT_TRUE(series["estimate"]["interval"][1].is_null());
  EXPECT_NEAR(series["estimate"]["ratio"].get<double>(), 1.03, 1e-12);
  EXPECT_EQ(series["pairs"].size(), 2u);
  EXPECT_EQ(series["pairs"][1]["baseline_ns"], 1010.5);
  EXPECT_EQ(json["exit_code"], 0);
}

TEST(Csv, QuotesWhatNeedsItAndHasALineForEachPair) {
  const std::string csv = CsvReport(ReportOf({Conclusion::kSlower}));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_TRUE(
      absl::StrContains(csv, "//a:b,wall,SLOWER,1.03,1.025,1.035,2e-06,-,-,-,1,1,1000,1030,\n"))
      << csv;
  EXPECT_TRUE(absl::StrContains(csv, "\"a,b; \"\"c\"\"\"\n")) << csv;
}

// Records made by hand: the candidate's forward takes two thirds, its backward has no figure.
Report WithMemory() {
  Report report = ReportOf({Conclusion::kSame, Conclusion::kSame});
  report.result.series[1].mode = "wall/backward";
  CaseResult& c = report.result.cases[0];
  const auto add = [](Record& record, const char* step, int64_t peak) {
    StepMemory& memory = *record.mutable_memory()->add_steps();
    memory.set_step(step);
    memory.set_peak_bytes(peak);
  };
  add(c.baseline_record, "forward", 3 << 20);
  add(c.baseline_record, "backward", 4096);
  add(c.candidate_record, "forward", 2 << 20);
  return report;
}

TEST(Memory, IsComparedStepByStepInAllReports) {
  const Report report = WithMemory();
  const std::string text = TextReport(report);
  for (const char* line :
       {"memory     b/forward: peak of a call 3.00 MiB against 2.00 MiB, compression ratio "
        "1.5000\n",
        "memory     b/backward: peak of a call 4.00 KiB against -, compression ratio -\n"}) {
    EXPECT_TRUE(absl::StrContains(text, line)) << text;
  }
  const nlohmann::json memory = nlohmann::json::parse(JsonReport(report))["cases"][0]["memory"];
  ASSERT_EQ(memory.size(), 2u);
  EXPECT_EQ(memory[0]["step"], "forward");
  EXPECT_EQ(memory[0]["candidate_peak_bytes"], 2 << 20);
  EXPECT_EQ(memory[0]["compression_ratio"], 1.5);
  EXPECT_EQ(memory[1]["baseline_peak_bytes"], 4096);
  EXPECT_TRUE(memory[1]["candidate_peak_bytes"].is_null());
  EXPECT_TRUE(memory[1]["compression_ratio"].is_null());
  const std::string csv = CsvReport(report);
  EXPECT_TRUE(
      absl::StrContains(csv, "//a:b,wall,SAME,1.03,1.025,1.035,2e-06,3145728,2097152,1.5,1"))
      << csv;
  EXPECT_TRUE(absl::StrContains(csv, ",wall/backward,SAME,1.03,1.025,1.035,2e-06,4096,-,-,1"))
      << csv;
}

// Two pairs with these first calls; the candidate takes 1000 ns a call, the baseline 1500.
SeriesResult Paid(double baseline_first_ns, double candidate_first_ns, Conclusion verdict) {
  SeriesResult series{.mode = "wall", .verdict = verdict};
  for (int i = 0; i < 2; ++i) {
    series.pairs.push_back({.baseline = {.median_ns = 1500, .first_call_ns = baseline_first_ns},
                            .candidate = {.median_ns = 1000, .first_call_ns = candidate_first_ns}});
  }
  return series;
}

TEST(BreakEven, IsWhatAFirstCallCostsMoreByWhatEachCallGains) {
  EXPECT_EQ(Paid(2000, 12'100, Conclusion::kFaster).BreakEvenCalls(0), 21);
  SeriesResult slower = Paid(12'000, 2000, Conclusion::kSlower);
  for (PairMedians& pair : slower.pairs)
    std::swap(pair.baseline.median_ns, pair.candidate.median_ns);
  EXPECT_EQ(slower.BreakEvenCalls(0), 20) << "the baseline's";
  EXPECT_FALSE(Paid(12'000, 2000, Conclusion::kFaster).BreakEvenCalls(0)) << "better in both";
  EXPECT_FALSE(Paid(2000, 12'000, Conclusion::kInconclusive).BreakEvenCalls(0))
      << "perhaps no gain";
  EXPECT_FALSE(Paid(0, 12'000, Conclusion::kFaster).BreakEvenCalls(0)) << "not known";
  EXPECT_EQ(Paid(2000, 12'100, Conclusion::kFaster).BreakEvenCalls(500), 22) << "loading";
}

TEST(BreakEven, StandsInTextAndJson) {
  Report report = ReportOf({Conclusion::kFaster});
  report.result.series[0].pairs = Paid(2000, 12'100, Conclusion::kFaster).pairs;
  report.result.series[0].estimate->log_ratio = std::log(1000.0 / 1500);
  EXPECT_TRUE(absl::StrContains(TextReport(report),
                                "break-even b/wall: first call 2 us against 12.1 us; the "
                                "candidate has made up for it after 21 more\n"))
      << TextReport(report);
  const nlohmann::json series = nlohmann::json::parse(JsonReport(report))["series"][0];
  EXPECT_EQ(series["break_even_calls"], 21);
  EXPECT_EQ(series["candidate_first_call_ns"], 12'100);
  report.result.cases[0].baseline_record.set_load_s(1e-6);
  report.result.cases[0].candidate_record.set_load_s(1);
  EXPECT_TRUE(absl::StrContains(TextReport(report), "wall: loading 1 us against 1 s, first call 2"))
      << TextReport(report);
  const Report without = ReportOf({Conclusion::kFaster});
  EXPECT_FALSE(absl::StrContains(TextReport(without), "break-even"));
  EXPECT_TRUE(
      nlohmann::json::parse(JsonReport(without))["series"][0]["break_even_calls"].is_null());
}

TEST(Ways, AreColumnsOfOneTable) {
  Report report = ReportOf({Conclusion::kSlower, Conclusion::kSlower});
  report.candidates = {". --backend=x", ". --backend=y:z"};
  report.result.cases.clear();
  for (const char* way : {"--backend=x", "--backend=y:z"}) {
    report.result.cases.push_back(
        {.name = absl::StrCat("//a:b ", way), .label = "//a:b", .way = way});
    report.result.cases.back().candidate_record.set_outcome(PASS);
    report.result.cases.back().candidate_record.set_load_s(0.25);
  }
  report.result.series[1].case_index = 1;
  std::string text = TextReport(report);
  for (const char* part :
       {"candidate  . --backend=x\ncandidate  . --backend=y:z\n", "\nb --backend=y:z/wall ",
        "\nb                    0.971 (0.966 .. 0.976)  0.971 (0.966 .. 0.976)\n",
        "\ngeometric mean of 1                   0.971                   0.971\n",
        "\npassed                        1 of 1, 100 %           1 of 1, 100 %\n",
        "\nexport, mean                              -                       -\n",
        "\nbreak-even, median                        -                       -\n",
        "\nload, mean "}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << "\n" << text;
  }
  const nlohmann::json ways = nlohmann::json::parse(JsonReport(report))["ways"];
  ASSERT_EQ(ways.size(), 2u);
  EXPECT_EQ(ways[1]["way"], "--backend=y:z");
  EXPECT_EQ(ways[0]["load_s"], 0.25);
  EXPECT_TRUE(ways[0]["export_s"].is_null());
  EXPECT_TRUE(ways[0]["break_even_calls"].is_null());
  report.result.cases[1].failure = CaseFailure{SideName::kCandidate, FAIL_ACCURACY, "off by 2"};
  text = TextReport(report);
  EXPECT_TRUE(absl::StrContains(text, " FAIL_ACCURACY\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "geometric mean of 0")) << text;
  EXPECT_TRUE(absl::StrContains(text, "//a:b --backend=y:z: not compared")) << text;
}

TEST(Memory, IsLeftOutWhereNoRecordTellsIt) {
  const Report report = ReportOf({Conclusion::kSame});
  EXPECT_FALSE(absl::StrContains(TextReport(report), "memory"));
  EXPECT_TRUE(nlohmann::json::parse(JsonReport(report))["cases"][0]["memory"].empty());
}

TEST(Text, SaysWhatWasComparedAndWithWhichCertainty) {
  Report report = ReportOf({Conclusion::kSlower});
  report.inject = "3%";
  report.options.seed = 42;
  const std::string text = TextReport(report);
  for (const char* part :
       {"baseline   //a:b\n", "candidate  //a:b --threads=1\n", "busy-wait of 3%", "seed 42",
        "97.8 % interval", "1.0300", "+2.50 .. +3.50", "2e-06", "SLOWER", "b/wall"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << "\n" << text;
  }
}

TEST(Text, SaysWhichMetricItsTimesAre) {
  Report report = ReportOf({Conclusion::kSlower});
  EXPECT_FALSE(absl::StrContains(TextReport(report), "metric")) << TextReport(report);
  EXPECT_EQ(nlohmann::json::parse(JsonReport(report))["metric"], "wall");
  report.options.metric = Metric::kCpu;
  const std::string text = TextReport(report);
  for (const char* part : {"metric     cpu: CPU time of a call, on one thread", "baseline, cpu"})
    EXPECT_TRUE(absl::StrContains(text, part)) << text;
  EXPECT_EQ(nlohmann::json::parse(JsonReport(report))["metric"], "cpu");
  report.options.metric = Metric::kInstructions;
  EXPECT_TRUE(absl::StrContains(TextReport(report), " 0.001 M ")) << TextReport(report);
}

TEST(Text, TimesWithoutARatioStandInBrackets) {
  Report report = ReportOf({Conclusion::kNotCompared});
  EXPECT_FALSE(absl::StrContains(TextReport(report), "brackets"));
  report.result.series[0].estimate.reset();
  const std::string text = TextReport(report);
  EXPECT_TRUE(absl::StrContains(text, "(1.005 us)  (1.035 us)")) << text;
  EXPECT_TRUE(absl::StrContains(text, "times in brackets")) << text;
}

TEST(Text, OfEqualSidesStatesTheNoiseFloor) {
  Report report = ReportOf({Conclusion::kSame});
  report.same_sides = true;
  const std::string text = TextReport(report);
  EXPECT_TRUE(absl::StrContains(text, "sd of a pair's log ratio 1.00 %")) << text;
  EXPECT_TRUE(absl::StrContains(text, "20 pairs find a true difference of ")) << text;
}

TEST(Text, NamesWhatTimeLeftOutWithItsReasonOnce) {
  Report report = ReportOf({Conclusion::kSame});
  EXPECT_TRUE(nlohmann::json::parse(JsonReport(report))["within_s"].is_null());
  report.options.within = absl::Minutes(20);
  report.result.cases.push_back({.name = "//a:c", .missing = "no time"});
  for (const char* way : {"--x=1", "--x=2"})
    report.result.cases.push_back({.label = "//a:d", .way = way, .missing = "no time"});
  const std::string text = TextReport(report);
  EXPECT_TRUE(absl::StrContains(text, "; within 1200 s\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "//a:c: MISSING\n//a:d --x=1 --x=2: MISSING\n  no time\n"))
      << text;
  EXPECT_FALSE(absl::StrContains(text, "nan")) << text;
  EXPECT_EQ(ExitCodeOf(report), 2);
  EXPECT_EQ(nlohmann::json::parse(JsonReport(report))["within_s"], 1200);
}

TEST(Text, TheTimeToldHoldsBuilds) {
  Report report = ReportOf({Conclusion::kSame});
  report.elapsed_s = 571;
  EXPECT_TRUE(absl::StrContains(TextReport(report), "took       571 s, 0 processes"));
  report.building_s = 467;
  EXPECT_TRUE(
      absl::StrContains(TextReport(report), "took       571 s, of which 467 s for builds, 0 p"))
      << TextReport(report);
  EXPECT_EQ(nlohmann::json::parse(JsonReport(report))["building_s"], 467);
}

TEST(Text, ShowsFailuresAndInterruptions) {
  Report report = ReportOf({Conclusion::kNotCompared});
  report.result.cases[0].failure = CaseFailure{SideName::kCandidate, FAIL_ACCURACY, "off by 2"};
  report.result.interrupted = true;
  const std::string text = TextReport(report);
  EXPECT_TRUE(absl::StrContains(text, "not compared: FAIL_ACCURACY (candidate)\n  off by 2"))
      << text;
  EXPECT_TRUE(absl::StrContains(text, "INTERRUPTED")) << text;
}

}  // namespace
}  // namespace assay::compare
