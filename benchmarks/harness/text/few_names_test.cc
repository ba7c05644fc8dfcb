#include "benchmarks/harness/text/few_names.h"

#include "gtest/gtest.h"

namespace assay::base {
namespace {

TEST(FewNames, AreTheFirstOnesAndTheNumberOfTheOthers) {
  EXPECT_EQ(FewNames({}), "");
  EXPECT_EQ(FewNames({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(FewNames({"a", "b", "c", "d", "e"}), "a, b, c, … and 2 more");
  EXPECT_EQ(FewNames({"a", "b"}, 1), "a, … and 1 more");
}

}  // namespace
}  // namespace assay::base
