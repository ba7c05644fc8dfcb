#include "benchmarks/harness/statistics/describe/finite.h"

#include <cmath>
#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

TEST(CheckValues, NamesTheFirstValueThatIsNoNumber) {
  const absl::Status bad = CheckValues({1, 2, std::nan(""), std::nan("")}, 2, "the test");
  EXPECT_EQ(bad.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(bad.message(), "the test: value 2 is nan; every value must be finite");
  EXPECT_FALSE(CheckValues({-std::numeric_limits<double>::infinity()}, 0, "the test").ok());
}

TEST(CheckValues, SaysHowManyAreNeeded) {
  EXPECT_TRUE(CheckValues({1, 2}, 2, "the test").ok());
  const absl::Status few = CheckValues({1}, 2, "the test");
  EXPECT_EQ(few.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(few.message(), "the test needs 2 values, there are 1");
}

TEST(CheckShare, TakesWhatLiesBetweenZeroAndOne) {
  for (double good : {1e-300, 0.5, 1 - 1e-16}) EXPECT_TRUE(CheckShare(good, "x").ok());
  for (double bad : {0.0, 1.0, -0.5, 2.0, std::nan("")}) {
    EXPECT_EQ(CheckShare(bad, "x").code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(AllFinite, HoldsForNone) { EXPECT_TRUE(AllFinite({})); }

}  // namespace
}  // namespace assay::statistics
