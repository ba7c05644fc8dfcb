#include "benchmarks/harness/sampling/cuda/known_cost.h"

#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

TEST(KnownCostSlackNs, IsWhatAnEmptyKernelReadsAndTwoStepsOfTheClockForShortKernels) {
  EXPECT_EQ(KnownCostSlackNs(20'000, 3'500, 32), 3'564);
  EXPECT_EQ(KnownCostSlackNs(20'000, 3'500, 1'024), 5'548) << "a coarse %globaltimer";
  EXPECT_EQ(KnownCostSlackNs(20'000, 500, 32), 564) << "a quick launch allows no more";
}

TEST(KnownCostSlackNs, IsHalfAPercentOfALongKernel) {
  EXPECT_EQ(KnownCostSlackNs(10'000'000, 3'500, 32), 50'000);
  EXPECT_EQ(KnownCostSlackNs(1'000'000, 3'500, 32), 5'000);
}

}  // namespace
}  // namespace assay::sampling
