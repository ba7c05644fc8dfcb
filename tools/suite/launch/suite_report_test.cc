#include "tools/suite/launch/suite_report.h"

#include "gtest/gtest.h"

namespace assay::suite {
namespace {

Record Measured() {
  Record record;
  record.set_outcome(PASS);
  record.mutable_launch()->set_elapsed_s(1.234);
  Measurement& m = *record.add_measurements();
  m.set_median_ns(221'300);
  m.set_ci_low_ns(220'415);
  m.set_ci_high_ns(222'185);
  return record;
}

const Place kPlace = {.number = 3, .of = 16, .name = "mlp_fp32_b1", .name_width = 12};

TEST(ResultLine, HasTheFirstMedianAndItsHalfInterval) {
  EXPECT_EQ(ResultLine(kPlace, Measured()),
            "[ 3/16] mlp_fp32_b1   PASS              221.3 us ±0.4 %    1.2 s\n");
}

TEST(ResultLine, AnIntervalWiderThanTheMedianHasNoFigure) {
  Record record = Measured();
  record.mutable_measurements(0)->set_ci_high_ns(4e8);
  EXPECT_NE(ResultLine(kPlace, record).find("221.3 us ±100 % or more  "), std::string::npos);
}

TEST(ResultLine, SaysWhereANumberMustNotBeUsed) {
  Record record = Measured();
  record.mutable_measurements(0)->add_checks()->set_status(CHECK_FLAGGED);
  EXPECT_NE(ResultLine(kPlace, record).find("FLAGGED"), std::string::npos);
}

Measurement& Add(Record& record, const std::string& step, double median_ns, double tokens) {
  Measurement& m = *record.add_measurements();
  m.set_mode("wall");
  m.set_step(step);
  m.set_median_ns(median_ns);
  m.set_unit("token");
  m.set_units_per_call(tokens);
  return m;
}

// As generation_program.h has its steps: the first one is the prompt alone.
Record Generated() {
  Record record;
  record.set_outcome(PASS);
  Add(record, "prefill", 2e6, 64);
  Add(record, "decode", 1e6, 1);
  Add(record, "generate", 20e6, 16).set_headline(true);
  return record;
}

TEST(ResultLine, OfAGenerationIsOfTheWholeOfIt) {
  const std::string line = ResultLine(kPlace, Generated());
  EXPECT_NE(line.find("PASS              generate 20 ms, 800 tokens/s  "), std::string::npos)
      << line;
}

TEST(ResultLine, IsOfTheFirstStepWhereTheHeadlineWasNotMeasured) {
  Record record = Generated();
  record.mutable_measurements()->RemoveLast();
  const std::string line = ResultLine(kPlace, record);
  EXPECT_NE(line.find("prefill 2 ms, 32000 tokens/s"), std::string::npos) << line;
}

TEST(ResultLine, NamesOtherNumbersThatMustNotBeUsed) {
  Record record = Generated();
  record.mutable_measurements(1)->add_checks()->set_status(CHECK_FLAGGED);
  EXPECT_NE(ResultLine(kPlace, record).find("800 tokens/s FLAGGED: decode "), std::string::npos);
  Measurement& m = *record.add_measurements();
  m = record.measurements(2);
  m.set_mode("throughput");
  m.add_checks()->set_status(CHECK_FLAGGED);
  EXPECT_NE(ResultLine(kPlace, record).find(" FLAGGED: decode, throughput "), std::string::npos);
}

TEST(ResultLine, TellsTheFirstStartFromTheLaterOnes) {
  Record record = Measured();
  record.add_starts_s(1.2);
  EXPECT_EQ(ResultLine(kPlace, record), ResultLine(kPlace, Measured())) << "one process";
  for (const double start_s : {0.5, 0.3, 0.4}) record.add_starts_s(start_s);
  EXPECT_EQ(
      ResultLine(kPlace, record),
      ResultLine(kPlace, Measured()) +
          "    first output 1.2 s after the start of the first process, 400 ms in the median of "
          "3 after it\n");
}

TEST(ResultLine, OfAFailureHasTheFirstLineOfItsError) {
  Record record;
  record.set_outcome(CRASH);
  record.set_error("it fell\ndown the stairs");
  EXPECT_EQ(ResultLine(kPlace, record),
            "[ 3/16] mlp_fp32_b1   CRASH                                0.0 s\n    it fell\n");
}

TEST(SummaryText, CountsWhatIsFlaggedAndSaysWhatToDo) {
  SuiteSummary summary;
  summary.run.set_planned(45);
  summary.outcomes = {{"PASS", 45}};
  summary.flagged = 3;
  summary.flags = {{"cpu_contention", 2}, {"steady", 1}};
  const std::string text = SummaryText(summary);
  EXPECT_NE(text.find("45 planned: 45 PASS, 3 of them FLAGGED;"), std::string::npos) << text;
  EXPECT_NE(text.find("(cpu_contention 2, steady 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("--retry-flagged"), std::string::npos) << text;
}

TEST(SummaryText, NamesFailuresAndCounts) {
  SuiteSummary summary;
  summary.run.set_planned(3);
  summary.run.set_done_before(1);
  summary.run.set_duration_s(62);
  (*summary.run.mutable_dropped())["no such thing"] = 2;
  summary.outcomes = {{"CRASH", 1}, {"PASS", 2}};
  summary.failures = {
      {.name = "a", .outcome = CRASH, .error = "one\ntwo", .log = "out/logs/a.log"}};
  summary.results = "out/results.jsonl";
  EXPECT_EQ(SummaryText(summary),
            "\nCRASH  a\n    one\n    two\n    all it printed: out/logs/a.log\n\n"
            "3 planned: 1 CRASH, 2 PASS (1 done before); 62 s\nleft out 2: no such thing\n"
            "results   out/results.jsonl\n");
}

}  // namespace
}  // namespace assay::suite
