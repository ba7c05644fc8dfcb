#include "benchmarks/operators/sweep/sweep_report.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

OperatorResult Result(const std::string& name, Finding finding, const std::string& reason = "") {
  return {.name = name, .finding = finding, .reason = reason};
}

std::string Path() { return testing::TempDir() + "/results.jsonl"; }

TEST(SweepReport, WhatIsWrittenIsRead) {
  OperatorResult one = Result("aten::mm", Finding::kVerified);
  one.sample = "self=f[4,4]";
  one.differentiated = true;
  one.error = 1.5e-7;
  one.forward_us = 2.5;
  one.elements = 36864;
  ASSERT_TRUE(
      WriteResults(Path(), {one, Result("aten::x", Finding::kCrashed, "signal 11\n\xff")}).ok());
  const auto read = ReadResults(Path());
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ(read->at(0).sample, "self=f[4,4]");
  EXPECT_TRUE(read->at(0).differentiated);
  EXPECT_EQ(read->at(0).error, 1.5e-7);
  EXPECT_EQ(read->at(0).elements, 36864);
  EXPECT_EQ(read->at(1).finding, Finding::kCrashed);
}

TEST(SweepReport, RefusesAnotherFile) {
  EXPECT_THAT(std::string(ReadResults("/nonexistent").status().message()),
              HasSubstr("no such file"));
  for (const char* text :
       {"not json\n", "{}\n", "{\"operator\":\"a\",\"finding\":\"unheard of\"}\n"}) {
    std::ofstream(Path()) << ToJsonLine(Result("aten::mm", Finding::kVerified)) << text;
    EXPECT_THAT(std::string(ReadResults(Path()).status().message()), HasSubstr("line 2")) << text;
  }
}

TEST(SweepReport, CountsAndNames) {
  const std::vector<OperatorResult> results = {
      Result("aten::a", Finding::kVerified), Result("aten::b", Finding::kSeeded),
      Result("aten::c", Finding::kRefused, "wants more\nlines"),
      Result("aten::d", Finding::kFree, "unwritten")};
  const std::string text = Report(results, false);
  EXPECT_THAT(text, HasSubstr("aten::c: wants more\n"));
  EXPECT_THAT(text, HasSubstr("2 of 4 functional operators verified, 50.0 %"));
  EXPECT_FALSE(HasWrong(results));
  for (const Finding wrong :
       {Finding::kDiffers, Finding::kNondeterministic, Finding::kWrites, Finding::kAliases,
        Finding::kOutside, Finding::kNothing, Finding::kCrashed})
    EXPECT_TRUE(HasWrong({Result("aten::a", wrong)})) << operators::FindingName(wrong);
}

TEST(SweepReport, CountsThoseThatWereVerifiedWithManyElements) {
  OperatorResult small = Result("aten::a", Finding::kVerified), large = small, wrong = large;
  small.elements = 4096;
  large.elements = wrong.elements = 4097;
  wrong.finding = Finding::kDiffers;
  large.name = "aten::b";
  wrong.name = "aten::c";
  EXPECT_THAT(Report({small, large, wrong}, false),
              HasSubstr("gradients of 0; 1 with more than 4096 elements\n"));
}

TEST(SweepReport, ALongListIsCutUnlessAskedFor) {
  const std::vector<OperatorResult> many(20, Result("aten::x", Finding::kRefused, "no"));
  EXPECT_THAT(Report(many, false), HasSubstr("and 12 more (--verbose)"));
  EXPECT_THAT(Report(many, true), testing::Not(HasSubstr("--verbose")));
}

TEST(SweepReport, AnOperatorIsVerifiedWhereAllItsCallsAre) {
  OperatorResult first = Result("mine::softmax", Finding::kVerified), second = first;
  first.row = "mine.txt:1";
  second.row = "mine.txt:2";
  second.finding = Finding::kDiffers;
  second.reason = std::string(200, 'x') + "\nand more";
  const std::string text = Report({first, second}, false);
  EXPECT_THAT(text, HasSubstr("mine::softmax (mine.txt:2): " + std::string(200, 'x')));
  EXPECT_THAT(text, HasSubstr("and more")) << "few reasons are whole";
  EXPECT_THAT(text, HasSubstr("sweep     0 of 1 functional operators verified"));
}

TEST(SweepReport, ReasonsOfManyAreWholeWhereAskedFor) {
  const std::vector<OperatorResult> many(
      20, Result("aten::x", Finding::kRefused, std::string(200, 'x')));
  EXPECT_THAT(Report(many, false), HasSubstr("xxx...\n"));
  EXPECT_THAT(Report(many, true), HasSubstr(std::string(200, 'x') + "\n"));
}

TEST(Missing, IsWhatWasAskedForAndNotVerified) {
  const OperatorResult good = Result("a", Finding::kVerified),
                       not_compared = Result("b", Finding::kNotCompared);
  OperatorResult asked = not_compared;
  asked.row = "mine.txt:1";
  EXPECT_EQ(Missing({good, not_compared}, false), "");
  EXPECT_EQ(Missing({not_compared}, false), "nothing was verified");
  EXPECT_EQ(Missing({}, false), "nothing was verified");
  EXPECT_THAT(Missing({good, not_compared}, true), HasSubstr("b was not verified (ran; not in"));
  EXPECT_THAT(Missing({good, asked}, false), HasSubstr("b (mine.txt:1) was not verified"));
  EXPECT_EQ(Missing({good, Result("c", Finding::kFree, "why")}, true), "");
  EXPECT_EQ(Missing({Result("c", Finding::kFree, "why")}, true), "nothing was verified");
}

TEST(Worse, ComparesEachCallOfAnOperator) {
  const OperatorResult good = Result("a", Finding::kVerified),
                       bad = Result("a", Finding::kDiffers, "by 2");
  EXPECT_THAT(Worse({good, good}, {good, bad}, std::regex(".")), ElementsAre(HasSubstr("a: by 2")));
  EXPECT_THAT(Worse({good, good}, {good}, std::regex(".")), ElementsAre("a: is gone"));
}

TEST(Worse, IsWhatWasVerifiedAndIsNoMoreOrIsWrongNow) {
  const std::vector<OperatorResult> before = {
      Result("aten::a", Finding::kVerified), Result("aten::b", Finding::kVerified),
      Result("aten::c", Finding::kRefused), Result("aten::d", Finding::kCrashed),
      Result("aten::gone", Finding::kNoKernel)};
  const std::vector<OperatorResult> now = {
      Result("aten::a", Finding::kSeeded), Result("aten::b", Finding::kDiffers, "by 2"),
      Result("aten::c", Finding::kTimedOut), Result("aten::d", Finding::kCrashed)};
  EXPECT_THAT(Worse(before, now, std::regex(".")),
              ElementsAre(HasSubstr("aten::b: by 2 (differs from float64; was: verified)"),
                          HasSubstr("aten::c"), "aten::gone: is gone"));
  EXPECT_THAT(Worse(before, now, std::regex("::[ad]$")), IsEmpty());
}

}  // namespace
}  // namespace assay::sweep
