#include "benchmarks/harness/processes/series.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::processes {
namespace {

struct Series {
  absl::StatusOr<int> code = 0;
  std::vector<std::string> lost;
  std::vector<int64_t> firsts;
};

Series RunWith(const std::string& fault, const std::atomic<bool>* interrupted = nullptr) {
  Series series;
  const std::string journal = testing::TempDir() + "/journal";
  series.code = RunSeries(
      journal,
      [&](int64_t first) {
        series.firsts.push_back(first);
        return ChildCommand{.arguments = {"benchmarks/harness/processes/series_child", journal,
                                          absl::StrCat(first), fault}};
      },
      [&](const LostItem& lost) {
        series.lost.push_back(absl::StrCat(lost.item, "|", lost.note, "|", Describe(lost.end),
                                           lost.timed_out ? "|timed out" : ""));
      },
      interrupted);
  return series;
}

TEST(Series, OneChildDoesAllItemsAndItsCodeComesBack) {
  const Series series = RunWith("");
  EXPECT_EQ(*series.code, 7);
  EXPECT_TRUE(series.lost.empty());
  EXPECT_EQ(series.firsts, std::vector<int64_t>({0}));
}

TEST(Series, EachLostItemIsReportedOnceAndTheWorkGoesOnBehindIt) {
  const Series series = RunWith("abort");
  EXPECT_EQ(*series.code, 7);
  // A child that ends between two items loses none.
  EXPECT_EQ(series.firsts, std::vector<int64_t>({0, 3, 4, 6, 10}));
  EXPECT_EQ(series.lost,
            std::vector<std::string>({"2|item 2|signal 6 (Aborted)", "3|item 3|exit code 0",
                                      "9|item 9|signal 14 (Alarm clock)|timed out"}));
}

TEST(Series, AChildThatLeavesBetweenTwoItemsLosesNoneAndItsCodeCounts) {
  const Series series = RunWith("leave");
  EXPECT_EQ(*series.code, 1) << "2, 1 and 2 of those that left, 7 of the last";
  EXPECT_TRUE(series.lost.empty());
  EXPECT_EQ(series.firsts, std::vector<int64_t>({0, 2, 6, 10}));
}

TEST(Series, AChildThatNeverBeginsEndsTheSeries) {
  const Series series = RunWith("early");
  EXPECT_EQ(series.code.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(series.code.status().message(),
            "the process that does the work ended before its first item (exit code 5)");
}

TEST(Series, AnInterruptEndsTheSeriesAndNotOneItemOfIt) {
  const std::atomic<bool> interrupted = true;
  EXPECT_EQ(RunWith("abort", &interrupted).code.status().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace assay::processes
