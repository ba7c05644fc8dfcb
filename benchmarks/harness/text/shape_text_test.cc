#include "benchmarks/harness/text/shape_text.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace assay::base {
namespace {

TEST(ShapeText, ListsTheDimensions) {
  EXPECT_EQ(ShapeText({2, 3}), "[2, 3]");
  EXPECT_EQ(ShapeText({7}), "[7]");
}

TEST(ShapeText, AScalarHasNone) { EXPECT_EQ(ShapeText({}), "[]"); }

TEST(ShapeText, ShowsAnUnknownDimensionAsItIs) { EXPECT_EQ(ShapeText({-1, 0}), "[-1, 0]"); }

TEST(ShapeText, StaysShortForAShapeThatNoTensorHas) {
  EXPECT_EQ(ShapeText(std::vector<int64_t>(16, 1)),
            "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]");
  EXPECT_EQ(ShapeText(std::vector<int64_t>(70'000, 1)),
            "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, … of 70000 dimensions]");
}

}  // namespace
}  // namespace assay::base
