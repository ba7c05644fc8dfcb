#include "tools/compare/progress.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace assay::compare {
namespace {

TEST(Progress, EstimatesWhatIsLeftFromThePaceSoFar) {
  const CampaignProgress progress{.done = 10, .planned = 40, .at_most = 100, .doing = "a, pair 4"};
  EXPECT_EQ(ProgressText(progress, absl::Seconds(20)),
            "[######..................]  25 %  10 of 40 processes  about 1m left (at most 3m)  a, "
            "pair 4");
}

TEST(Progress, KnowsNothingBeforeTheFirstProcess) {
  EXPECT_EQ(ProgressText({.doing = "a"}, absl::Seconds(0)),
            "[........................]   0 %  0 of 1 processes  a");
}

TEST(Progress, RewritesALineOnATerminal) {
  std::ostringstream out;
  ProgressLine line(out, true, absl::UnixEpoch());
  line.Show({.done = 1, .planned = 2}, absl::UnixEpoch() + absl::Seconds(1));
  line.Show({.done = 2, .planned = 2}, absl::UnixEpoch() + absl::Seconds(2));
  line.Clear();
  EXPECT_EQ(out.str().find('\n'), std::string::npos);
  EXPECT_EQ(out.str().substr(0, 4), "\r\033[K");
}

TEST(Progress, PrintsALineEachTenSecondsElsewhere) {
  std::ostringstream out;
  ProgressLine line(out, false, absl::UnixEpoch());
  for (int second = 1; second <= 35; ++second) {
    line.Show({.done = second, .planned = 35}, absl::UnixEpoch() + absl::Seconds(second));
  }
  line.Clear();
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

}  // namespace
}  // namespace assay::compare
