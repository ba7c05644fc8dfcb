#include "benchmarks/harness/numerics/error_measures.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

using Values = std::vector<double>;

TEST(MeanRelativeError, IsTheMeanOfErrorsInPartsOfTheReference) {
  // 1 of 100 and 3 of 4, and none.
  EXPECT_DOUBLE_EQ(MeanRelativeError(Values{101, -1, 5}, Values{100, -4, 5}), (0.01 + 0.75) / 3);
}

TEST(MeanRelativeError, IsInfiniteWhereZeroWasWanted) {
  EXPECT_TRUE(std::isinf(MeanRelativeError(Values{1e-300, 1}, Values{0, 1})));
  EXPECT_EQ(MeanRelativeError(Values{0, 1}, Values{0, 1}), 0);
  EXPECT_TRUE(std::isnan(
      MeanRelativeError(Values{std::numeric_limits<double>::quiet_NaN(), 1}, Values{1, 1})));
}

TEST(IntersectionOverUnion, CountsWhatIsTrueInBothAndInEither) {
  EXPECT_DOUBLE_EQ(IntersectionOverUnion(Values{1, 1, 1, 0, 0}, Values{1, 1, 0, 1, 0}), 0.5);
  EXPECT_EQ(IntersectionOverUnion(Values{1, 0}, Values{0, 1}), 0);
  EXPECT_EQ(IntersectionOverUnion(Values{0, 0}, Values{0, 0}), 1) << "two empty masks agree";
  EXPECT_EQ(IntersectionOverUnion(Values{0, 0}, Values{0, 1}), 0);
}

TEST(Cosine, KeepsTheDirectionOfTinyAndHugeValues) {
  EXPECT_NEAR(Cosine(Values{3e-200, 4e-200}, Values{3e200, 4e200}), 1, 1e-15);
  EXPECT_EQ(Cosine(Values{0, 0}, Values{0, 0}), 1);
  EXPECT_EQ(Cosine(Values{0, 0}, Values{0, 1}), 0);
}

}  // namespace
}  // namespace assay::numerics
