#include "tools/compare/report/ways.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

constexpr double kClose = 1e-12;

// A case that was compared; `speedup` 0: it has no estimate.
void Add(CampaignResult& result, const std::string& label, const std::string& way, double speedup,
         double export_s = 0, int64_t peak = 100) {
  CaseResult c = {.name = label + " " + way, .label = label, .way = way};
  c.baseline_record.mutable_memory()->set_peak_host_bytes(200);
  c.candidate_record.mutable_memory()->set_peak_host_bytes(peak);
  c.candidate_record.set_outcome(PASS);
  c.candidate_record.set_export_s(export_s);
  SeriesResult series = {.case_index = result.cases.size(), .mode = "wall"};
  series.pairs = {
      {.baseline = {.median_ns = 2}, .candidate = {.median_ns = 1, .first_call_ns = 3e9}}};
  if (speedup > 0) series.estimate = Estimate{.log_ratio = -std::log(speedup)};
  result.cases.push_back(std::move(c));
  result.series.push_back(std::move(series));
}

TEST(Ways, MeansAreOverTheCasesThatEveryWayHas) {
  CampaignResult result;
  Add(result, "//a:b", "x", 2, 30);
  Add(result, "//a:c", "x", 8, 0, 400);
  Add(result, "//a:d", "x", 1000);
  Add(result, "//a:b", "y", 1);
  Add(result, "//a:c", "y", 1);
  Add(result, "//a:d", "y", 0);
  result.cases.push_back({.label = "//a:e", .way = "x", .missing = "no time"});
  const auto summaries = SummariesOf(result);
  ASSERT_EQ(summaries.size(), 2u);
  const WaySummary& x = summaries[0];
  EXPECT_EQ(x.way, "x");
  EXPECT_EQ(x.mode, "wall");
  EXPECT_EQ(x.cases, 3);
  EXPECT_EQ(x.passed, 3);
  EXPECT_EQ(x.compared, 2);
  EXPECT_THAT(x.speedup, Optional(DoubleNear(4, kClose)));
  EXPECT_THAT(x.export_s, Optional(DoubleNear(30, kClose))) << "over those that were made";
  EXPECT_THAT(x.memory_compression, Optional(DoubleNear(1, kClose)));  // 2 and 1/2
  EXPECT_THAT(x.first_call_s, Optional(DoubleNear(3, kClose)));
  EXPECT_EQ(x.load_s, std::nullopt);
  EXPECT_EQ(summaries[1].export_s, std::nullopt);
  EXPECT_THAT(WayTable(result, "wall").Common(), ElementsAre("//a:b", "//a:c"));
}

TEST(Ways, BreakEvenIsExportLoadAndFirstCallByWhatACallGains) {
  CampaignResult result;
  // Eager: 5 s a first call, 2 s a call. The candidate: 30 s of export, 1 s to load, 6 s, 1.5 s.
  const auto add = [&result](const char* label, Conclusion verdict, double load_s) {
    Add(result, label, "x", 4.0 / 3, 30);
    result.cases.back().candidate_record.set_load_s(load_s);
    result.series.back().pairs = {{.baseline = {.median_ns = 2e9, .first_call_ns = 5e9},
                                   .candidate = {.median_ns = 1.5e9, .first_call_ns = 6e9}}};
    result.series.back().verdict = verdict;
  };
  add("//a:b", Conclusion::kFaster, 1);
  const auto one = SummariesOf(result);
  EXPECT_THAT(one[0].break_even_calls, Optional(DoubleNear((30 + 1 + 6 - 5) / 0.5, kClose)));
  EXPECT_EQ(one[0].break_even_cases, 1);
  add("//a:c", Conclusion::kFaster, 2);
  add("//a:d", Conclusion::kInconclusive, 1);
  const auto three = SummariesOf(result);
  EXPECT_THAT(three[0].break_even_calls, Optional(DoubleNear(65, kClose))) << "of 64 and 66";
  EXPECT_EQ(three[0].break_even_cases, 2);
  for (SeriesResult& series : result.series) series.verdict = Conclusion::kSame;
  EXPECT_EQ(SummariesOf(result)[0].break_even_calls, std::nullopt);
}

TEST(Ways, AFailedCaseNeitherPassesNorCounts) {
  CampaignResult result;
  Add(result, "//a:b", "x", 2);
  Add(result, "//a:b", "y", 2);
  Add(result, "//a:c", "x", 2);
  Add(result, "//a:c", "y", 2);
  result.cases[3].failure = CaseFailure{SideName::kCandidate, FAIL_ACCURACY, "off"};
  const auto summaries = SummariesOf(result);
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].passed, 2);
  EXPECT_EQ(summaries[1].passed, 1);
  EXPECT_EQ(summaries[0].compared, 1);
  // Another dtype than the baseline's is no wrong answer.
  result.cases[3].failure = CaseFailure{SideName::kCandidate, OUTCOME_UNSPECIFIED, "dtype"};
  EXPECT_EQ(SummariesOf(result)[1].passed, 2);
}

TEST(Ways, OneCandidateHasNone) {
  CampaignResult result;
  Add(result, "//a:b", "", 2);
  EXPECT_THAT(SummariesOf(result), IsEmpty());
}

}  // namespace
}  // namespace assay::compare
