#include "benchmarks/harness/sampling/device/cpu_clock.h"

#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

TEST(CoreMhz, IsAClockThatAProcessorCouldHave) {
#if defined(__x86_64__) || defined(__aarch64__)
  EXPECT_GT(CoreMhz(), 100);
  EXPECT_LT(CoreMhz(), 12'000);
#else
  EXPECT_EQ(CoreMhz(), 0);
#endif
}

}  // namespace
}  // namespace assay::sampling
