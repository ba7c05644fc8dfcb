#include "benchmarks/harness/sampling/device/cpu_device.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

TEST(CpuDevice, ClockNeverGoesBack) {
  CpuDevice device;
  int64_t last = device.NowNs();
  for (int i = 0; i < 100'000; ++i) {
    const int64_t now = device.NowNs();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(CpuDevice, ProcessCpuTimeRisesWithWork) {
  CpuDevice device;
  const int64_t start = device.ProcessCpuNs();
  // Waits by the clock under test; if the clock stands still, the test's time limit ends it.
  while (device.ProcessCpuNs() < start + 1'000'000) {
  }
  SUCCEED();
}

TEST(CpuDevice, HasNoTimersAndSaysSo) {
  CpuDevice device;
  EXPECT_EQ(device.TimerCount(), 0);
  EXPECT_EQ(device.StartTimer(0).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(device.StopTimer(0).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(device.TimerNs(0).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(CpuDevice, FlushesRepeatedly) {
  CpuDevice device;
  EXPECT_TRUE(device.FlushCache().ok());
  EXPECT_TRUE(device.FlushCache().ok());
  EXPECT_TRUE(device.Synchronize().ok());
}

TEST(CpuDevice, StatesNoGpuFacts) { EXPECT_TRUE(CpuDevice().Facts().name.empty()); }

TEST(CpuDevice, MeasuresItsClockOnlyNowAndThen) {
  CpuDevice device;
  const int64_t now_ns = device.NowNs();
  const auto first = device.ReadClock(now_ns);
  ASSERT_TRUE(first.ok());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(device.ReadClock(now_ns + 1'000)->mhz, first->mhz);
  EXPECT_EQ(first->span_ns, 0) << "it has no counter of its own";
}

TEST(CpuDevice, CanNeitherHoldNorRecord) {
  CpuDevice device;
  EXPECT_FALSE(device.CanHold());
  EXPECT_EQ(device.Hold().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(device.Capture([] {}).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(device.ReserveTimers(3).code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace assay::sampling
