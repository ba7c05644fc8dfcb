#include "tools/kernel/kernel_report.h"

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
  EXPECT_THAT(
      text,
      HasSubstr(
          "verdict   RIGHT: 120 checks agree with float64; largest error 25 % of its limit\n"));
  EXPECT_THAT(text, HasSubstr("b=64 c=1000"));
  EXPECT_THAT(text, HasSubstr("[1.98, 2.02]"));
  EXPECT_THAT(text, HasSubstr("FASTER"));
  EXPECT_THAT(text, HasSubstr("10.2"));  // GB/s: 512,000 bytes in 50 us
  EXPECT_THAT(text,
              HasSubstr("2 times as fast as ATen (hot, geometric mean of 1 sizes); fast_1: 100 %"));
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
  EXPECT_THAT(text, HasSubstr("3 of 100 checks before it were right; --seed=7 repeats this"));
  EXPECT_THAT(text, Not(HasSubstr("mean ")));
}

TEST(KernelReportTest, AFlaggedSizeHasNoConclusion) {
  KernelReport report = Report(kRight);
  report.mutable_candidates(0)->mutable_sizes(0)->set_flagged("two clocks differ");
  const std::string text = TextOf(report);
  EXPECT_THAT(text, Not(HasSubstr("FASTER")));
  EXPECT_THAT(text, HasSubstr("FLAGGED   b=64 c=1000: two clocks differ"));
  EXPECT_THAT(text, HasSubstr("fast_1: 0 %"));
}

TEST(KernelReportTest, ABusyMachineIsNoted) {
  KernelReport report = Report(kRight);
  EXPECT_THAT(TextOf(report), Not(HasSubstr("NOTED")));
  report.mutable_candidates(0)->mutable_sizes(0)->set_waited(0.4);
  EXPECT_THAT(TextOf(report),
              HasSubstr("NOTED     calls waited for a CPU in up to 40 % of the time"));
  EXPECT_THAT(TextOf(report), HasSubstr("FASTER"));
}

TEST(KernelReportTest, OtherFormatsHoldTheSame) {
  const KernelReport report = Report(kRight);
  EXPECT_THAT(
      CsvOf(report),
      HasSubstr("mine::softmax,mine.cc,RIGHT,b=64 c=1000,fp32,50000,100000,2,1.98,2.02,FASTER,"));
  EXPECT_THAT(MarkdownOf(report), HasSubstr("| b=64 c=1000 | fp32 | "));
  KernelReport read;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(JsonOf(report), &read).ok());
  EXPECT_EQ(read.SerializeAsString(), report.SerializeAsString());
}

}  // namespace
}  // namespace assay::kernel
