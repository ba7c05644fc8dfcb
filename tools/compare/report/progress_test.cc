#include "tools/compare/report/progress.h"

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

}  // namespace
}  // namespace assay::compare
