#include "tools/kernel/report/kernel_report.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

KernelReport Report(const std::string& candidates) {
  KernelReport report;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "like: 'aten::softmax.int' seed: 7 fast_p_threshold: 1 " + candidates, &report));
  return report;
}

const char* const kRight = R"(
candidates {
  file: "mine.cc" operator_name: "mine::softmax" verdict: "RIGHT" threads: 2 verified_calls: 120 mean_speedup: 2
  sizes {
    sizes { sizes { letter: "b" number: 64 } sizes { letter: "c" number: 1000 } }
    dtype: "fp32" right: true error_share: 0.25 bytes: 512000
    hot { candidate_ns: 50000 aten_ns: 100000 speedup: 2 low: 1.98 high: 2.02 conclusion: "FASTER" }
    cold { candidate_ns: 80000 aten_ns: 80000 speedup: 1 low: 0.99 high: 1.01 conclusion: "SAME" }
  }
})";

TEST(KernelReportTest, ARightCandidateHasARowForEachSize) {
  const std::string text = TextOf(Report(kRight));
  EXPECT_THAT(
      text,
      HasSubstr(
          "kernel    mine::softmax (mine.cc) like aten::softmax.int, fp32, 2 threads, seed 7\n"));
  EXPECT_THAT(text, HasSubstr("verdict   RIGHT: 120 checks agree with float64; the largest error "
                              "is 25 % of what is allowed\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "mean      2 times as fast as ATen (hot, geometric mean of 1 size); fast_1: 100 %"));
  // GB/s: 512,000 bytes in 50 us. Columns without a value are left out.
  EXPECT_THAT(text, HasSubstr(R"(
cache  size                time    ATen            speedup  conclusion  GB/s
)"));
  EXPECT_THAT(text, HasSubstr(R"(
hot    b=64 c=1000, fp32  50 us  100 us  2.00 [1.98, 2.02]  FASTER      10.2
cold   b=64 c=1000, fp32  80 us   80 us  1.00 [0.99, 1.01]  SAME         6.4
)"));
}

TEST(KernelReportTest, WhatWasMeasuredAsWellHasColumns) {
  KernelReport report = Report(kRight);
  KernelCandidate& candidate = *report.mutable_candidates(0);
  candidate.mutable_peaks()->set_text("compute fp32 160 GFLOP/s (mm)");
  KernelSize& size = *candidate.mutable_sizes(0);
  size.set_flops(1e6);
  size.mutable_cold()->set_peak_share(0.4);
  size.set_memory_bytes(0);
  size.set_aten_memory_bytes(256000);
  const std::string text = TextOf(report);
  EXPECT_THAT(text, HasSubstr("peaks     compute fp32 160 GFLOP/s (mm)\n"));
  EXPECT_THAT(text, HasSubstr("GB/s  GFLOP/s  of peak  memory  ATen memory\n"));
  EXPECT_THAT(text, HasSubstr("  10.2       20        -     0 B      250 KiB\n"));
  EXPECT_THAT(text, HasSubstr("   6.4     12.5     40 %     0 B      250 KiB\n"));
  EXPECT_THAT(text, Not(HasSubstr("faster than the peaks")));
  EXPECT_THAT(CsvOf(report), HasSubstr(",SAME,512000,1e+06,,,0.4,0,256000\n"));
  EXPECT_THAT(JsonOf(report), HasSubstr("\"peak_share\": 0.4"));
  size.mutable_cold()->set_peak_share(1.2);
  EXPECT_THAT(TextOf(report), HasSubstr("NOTED     it is faster than the peaks"));
}

// A share that was not measured is no share of 0.
TEST(KernelReportTest, WhatWasNotMeasuredIsAbsent) {
  KernelReport report = Report(kRight);
  EXPECT_THAT(CsvOf(report), HasSubstr(",SAME,512000,,,,,,\n"));
  EXPECT_THAT(JsonOf(report), Not(HasSubstr("peak_share")));
  EXPECT_THAT(JsonOf(report), Not(HasSubstr("memory_bytes")));
  EXPECT_THAT(JsonOf(report), Not(HasSubstr("\"peaks\"")));
  report.mutable_candidates(0)->mutable_sizes(0)->clear_cold();
  EXPECT_THAT(CsvOf(report), HasSubstr(",FASTER,,,,,,,512000,"));
}

TEST(KernelReportTest, CandidatesStandSideBySide) {
  KernelReport report = Report(kRight);
  KernelCandidate& other = *report.add_candidates();
  other = report.candidates(0);
  other.set_operator_name("other::softmax");
  other.set_file("other.cc");
  EXPECT_THAT(TextOf(report), HasSubstr(R"(
hot    b=64 c=1000, fp32  mine::softmax   50 us  100 us  2.00 [1.98, 2.02]  FASTER      10.2
hot    b=64 c=1000, fp32  other::softmax  50 us  100 us  2.00 [1.98, 2.02]  FASTER      10.2
cold )"));
  other.set_operator_name("mine::softmax");
  EXPECT_EQ(LabelOf(report, report.candidates(0)), "mine.cc");
  EXPECT_EQ(LabelOf(report, other), "other.cc");
  other.set_file("b/mine.cc");
  EXPECT_EQ(LabelOf(report, other), "b/mine.cc");
}

TEST(KernelReportTest, ATableOfWideFiguresFitsATerminal) {
  KernelReport report = Report(kRight);
  KernelSize& size = *report.mutable_candidates(0)->mutable_sizes(0);
  size.set_flops(1e6);
  size.set_memory_bytes(256000);
  size.set_aten_memory_bytes(256000);
  for (KernelTimes* times : {size.mutable_hot(), size.mutable_cold()}) {
    times->set_speedup(0.9876);
    times->set_low(0.765);
    times->set_high(1.234);
    times->set_peak_share(0.432);
    times->set_conclusion("INCONCLUSIVE");
    for (const auto& ns : {times->mutable_candidate_ns(), times->mutable_aten_ns()})
      ns->Set(0, 12345678.9);
  }
  *report.add_candidates() = report.candidates(0);
  report.mutable_candidates(1)->set_file("another_one.cc");
  const std::string text = TextOf(report);
  const size_t table = text.find("\ncache");
  ASSERT_NE(table, std::string::npos);
  EXPECT_LE(text.find('\n', table + 1) - table - 1, 150);
}

TEST(KernelReportTest, ShownTimesHaveTheSpeedupOfTheirRow) {
  // The speedup is formed within processes. The medians of each side, 200 and 300, say 1.5.
  KernelReport report = Report(kRight);
  KernelTimes& hot = *report.mutable_candidates(0)->mutable_sizes(0)->mutable_hot();
  hot.clear_candidate_ns();
  hot.clear_aten_ns();
  for (const double ns : {100., 200., 400.}) hot.add_candidate_ns(ns), hot.add_aten_ns(ns + 100);
  hot.set_speedup(6);
  EXPECT_THAT(TextOf(report), HasSubstr("100 ns  600 ns  6.00 ["));
}

TEST(KernelReportTest, AWrongCandidateHasItsFailureAndNoTimes) {
  const std::string text = TextOf(Report(R"(
candidates {
  file: "mine.cc" operator_name: "mine::softmax" verdict: "WRONG" verified_calls: 3 planned_calls: 100
  failure { kind: "differs" where: "b=1 c=9, fp32" text: "result [0, 8] is 0, float64 gives 1"
            first: "b=4 c=33, fp32" }
  sizes { right: true }
})"));
  EXPECT_THAT(text, HasSubstr("verdict   WRONG: differs at b=1 c=9, fp32\n          result [0, 8] "
                              "is 0, float64 gives 1\n"));
  EXPECT_THAT(text, HasSubstr("first seen at b=4 c=33, fp32\n"));
  EXPECT_THAT(text, HasSubstr("3 of 100 checks had passed before; --seed=7 repeats this run"));
  EXPECT_THAT(text, Not(HasSubstr("mean ")));
}

TEST(KernelReportTest, AFlaggedSizeHasNoConclusion) {
  KernelReport report = Report(kRight);
  report.mutable_candidates(0)->mutable_sizes(0)->set_flagged("two clocks differ");
  const std::string text = TextOf(report);
  EXPECT_THAT(text, Not(HasSubstr("FASTER")));
  EXPECT_THAT(text, HasSubstr("FLAGGED   b=64 c=1000: two clocks differ"));
  EXPECT_THAT(text, HasSubstr("mean      none: the times of all sizes are FLAGGED"));
}

TEST(KernelReportTest, ABusyMachineIsNoted) {
  KernelReport report = Report(kRight);
  EXPECT_THAT(TextOf(report), Not(HasSubstr("NOTED")));
  report.mutable_candidates(0)->mutable_sizes(0)->set_waited(0.4);
  EXPECT_THAT(TextOf(report), HasSubstr("NOTED     calls waited for a CPU up to 40 % of the time"));
  EXPECT_THAT(TextOf(report), HasSubstr("--threads=1"));
  EXPECT_THAT(TextOf(report), HasSubstr("threads is added up"));
  EXPECT_THAT(TextOf(report), HasSubstr("FASTER"));
  report.mutable_candidates(0)->set_threads(1);
  EXPECT_THAT(TextOf(report), Not(HasSubstr("--threads=1")));
}

TEST(KernelReportTest, OtherFormatsHoldTheSame) {
  const KernelReport report = Report(kRight);
  EXPECT_THAT(
      CsvOf(report),
      HasSubstr("mine::softmax,mine.cc,RIGHT,b=64 c=1000,fp32,50000,100000,2,1.98,2.02,FASTER,"));
  EXPECT_THAT(MarkdownOf(report), HasSubstr("- **verdict** RIGHT: 120 checks"));
  EXPECT_THAT(MarkdownOf(report), HasSubstr("\n| --- | --- | ---: | ---: | ---: | --- | ---: |\n| "
                                            "hot | b=64 c=1000, fp32 | 50 us |"));
  KernelReport read;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(JsonOf(report), &read).ok());
  EXPECT_EQ(read.SerializeAsString(), report.SerializeAsString());
}

}  // namespace
}  // namespace assay::kernel
