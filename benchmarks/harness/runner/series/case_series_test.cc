#include "benchmarks/harness/runner/series/case_series.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;
using testing::Not;

struct SeriesEnd {
  int code;
  std::string text;
};

// Runs a child on the cases //x:0, //x:1, ..., one word for each.
SeriesEnd RunWords(const std::vector<std::string>& words,
                   const std::atomic<bool>* interrupted = nullptr) {
  std::vector<SeriesCase> cases;
  for (const std::string& word : words) {
    const std::string label = absl::StrCat("//x:", cases.size());
    cases.push_back({.test = label + "_test", .testimony = "verify " + label, .arguments = {word}});
  }
  std::ostringstream out;
  const int code = RunCases(cases,
                            {.runner = "benchmarks/harness/runner/series/case_series_child",
                             .folder = tensor_files::TestFolder()},
                            interrupted, out);
  return {code, out.str()};
}

TEST(CaseSeries, PassesWhereEveryCaseTestifies) {
  const SeriesEnd ended = RunWords({"passes", "passes"});
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_EQ(ended.text, "2 of 2 cases have come to their verdict\n");
}

TEST(CaseSeries, NamesEachCaseThatIsWrongAndHowToRunItAlone) {
  const SeriesEnd ended = RunWords({"passes", "fails", "passes", "fails"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.text,
            "NOT RIGHT  verify //x:1\n           alone: tools/bazel test //x:1_test\n"
            "NOT RIGHT  verify //x:3\n           alone: tools/bazel test //x:3_test\n"
            "2 of 4 cases have come to their verdict\n");
}

TEST(CaseSeries, ACaseThatEndsTheProcessIsNamedAndTheOthersRun) {
  for (const auto& [word, how] : std::vector<std::pair<std::string, std::string>>{
           {"aborts", "CRASH: signal 6 (Aborted)"},
           {"exits_with_0", "CRASH: exit code 0"},
           {"aborts_behind_its_verdict", "CRASH: signal 6 (Aborted)"}}) {
    const SeriesEnd ended = RunWords({"passes", word, "passes", word});
    EXPECT_EQ(ended.code, 1) << word;
    for (const char* label : {"//x:1", "//x:3"})
      EXPECT_THAT(ended.text, HasSubstr(absl::StrCat("verify ", label, ": ", how))) << word;
    EXPECT_THAT(ended.text, HasSubstr("2 of 4 cases")) << word;
  }
}

TEST(CaseSeries, GoesOnInANewProcessAfterACaseThatCostTheDevice) {
  const SeriesEnd lost = RunWords({"passes", "loses_the_device", "passes"});
  EXPECT_EQ(lost.code, 2) << lost.text;
  EXPECT_THAT(lost.text, HasSubstr("2 of 3 cases"));
  EXPECT_THAT(lost.text, HasSubstr("NOT RIGHT  verify //x:1\n"));
  EXPECT_EQ(RunWords({"loses_the_device", "breaks_the_device", "passes"}).code, 1);
  EXPECT_EQ(RunWords({"passes", "breaks_the_device"}).code, 1);
}

TEST(CaseSeries, AProcessThatNeverBeginsIsNoPass) {
  const SeriesEnd ended = RunWords({"never_begins"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.text, HasSubstr("ended before its first item (exit code 0)"));
  EXPECT_THAT(ended.text, HasSubstr("0 of 1 cases"));
}

TEST(CaseSeries, ACaseThatSaysNothingIsNoPass) {
  EXPECT_EQ(RunWords({"passes", "says_nothing"}).code, 1);
}

TEST(CaseSeries, TheSurroundingsFaultIsTheirs) {
  EXPECT_EQ(RunWords({"passes", "no_device"}).code, 2);
  EXPECT_EQ(RunWords({"passes", "no_device", "aborts"}).code, 1);
}

TEST(CaseSeries, TheCaseAtWhichTheTimeIsUpIsNamed) {
  const std::atomic<bool> interrupted = true;
  const SeriesEnd ended = RunWords({"hangs"}, &interrupted);
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.text, HasSubstr("NOT RIGHT  verify //x:0"));
}

TEST(ReadSeriesCases, ReadsALineForEachCase) {
  const std::string path = tensor_files::TestFolder() + "/cases.txt";
  std::ofstream(path) << "//x:a_test verify //x:a --case=a.pb --threads=1\n//x:b_test smoke //x:b "
                         "--case=b.pb\n";
  const auto cases = ReadSeriesCases(path);
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_EQ(cases->size(), 2);
  EXPECT_EQ((*cases)[0].test, "//x:a_test");
  EXPECT_EQ((*cases)[1].testimony, "smoke //x:b");
  EXPECT_THAT((*cases)[0].arguments, testing::ElementsAre("--case=a.pb", "--threads=1"));
}

TEST(ReadSeriesCases, RefusesWhatIsNoListOfCases) {
  const std::string path = tensor_files::TestFolder() + "/bad_cases.txt";
  for (const char* text : {"", "\n", "//x:a_test verify //x:a\n"}) {
    std::ofstream(path) << text;
    EXPECT_EQ(ReadSeriesCases(path).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_EQ(ReadSeriesCases(path + "none").status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace assay::runner
