#include "benchmarks/harness/output/progress_line.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace assay::output {
namespace {

TEST(Bar, IsAsLongAsItsShare) {
  EXPECT_EQ(Bar(0), "[........................]   0 %");
  EXPECT_EQ(Bar(0.25), "[######..................]  25 %");
  EXPECT_EQ(Bar(1.5), "[########################] 100 %");
}

TEST(ProgressText, EstimatesOnlyWhatIsKnown) {
  EXPECT_EQ(ProgressText(4, 16, 80, "mlp"),
            "[######..................]  25 %  4 of 16  about 1m20s left  mlp");
  EXPECT_EQ(ProgressText(0, 16, -1, "mlp"), "[........................]   0 %  0 of 16  mlp");
}

TEST(ProgressLine, RewritesALineOnATerminal) {
  std::ostringstream out;
  ProgressLine line(out, true, absl::UnixEpoch());
  line.Show("one", absl::UnixEpoch() + absl::Seconds(1));
  line.Show("two", absl::UnixEpoch() + absl::Seconds(2));
  line.Clear();
  EXPECT_EQ(out.str(), "\r\033[Kone\r\033[Ktwo\r\033[K");
}

TEST(ProgressLine, PrintsALineEachTenSecondsElsewhere) {
  std::ostringstream out;
  ProgressLine line(out, false, absl::UnixEpoch());
  for (int second = 1; second <= 35; ++second) {
    line.Show("text", absl::UnixEpoch() + absl::Seconds(second));
  }
  line.Clear();
  EXPECT_EQ(out.str(), "text\ntext\ntext\n");
}

}  // namespace
}  // namespace assay::output
