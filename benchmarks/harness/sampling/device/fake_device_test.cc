#include "benchmarks/harness/sampling/device/fake_device.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

TEST(FakeDevice, HostAndQueueRunSideBySide) {
  FakeDevice device;
  const int64_t start = device.NowNs();
  device.Enqueue(100);
  EXPECT_EQ(device.NowNs() - start, 0) << "queueing takes no host time";
  device.HostWork(30);
  device.Enqueue(50);  // starts at 100, when the first is done
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(device.NowNs() - start, 150);
  device.HostWork(10);
  device.Enqueue(5);  // starts at once: the queue is empty
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(device.NowNs() - start, 165);
}

TEST(FakeDevice, TimersStandInTheQueue) {
  FakeDevice device({.timers = 2, .timer_record_ns = 1});
  device.Enqueue(1000);
  ASSERT_TRUE(device.StartTimer(1).ok());
  device.Enqueue(70);
  ASSERT_TRUE(device.StopTimer(1).ok());
  EXPECT_FALSE(device.TimerNs(1).ok()) << "read before the device is done";
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(*device.TimerNs(1), 70);
  EXPECT_EQ(device.Journal(), "e(e)s");
}

TEST(FakeDevice, TimersSeeTheHostsGapsOnAnIdleQueue) {
  FakeDevice device({.timers = 1, .timer_record_ns = 3});
  ASSERT_TRUE(device.StartTimer(0).ok());
  device.HostWork(20);
  device.Enqueue(70);
  ASSERT_TRUE(device.StopTimer(0).ok());
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(*device.TimerNs(0), 3 + 20 + 70);
}

TEST(FakeDevice, CountsCpuTimeOfHostWorkOnly) {
  FakeDevice device({.cpu_share = 4});
  const int64_t start = device.ProcessCpuNs();
  device.HostWork(100);
  device.Enqueue(1000);
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(device.ProcessCpuNs() - start, 400);
}

TEST(FakeDevice, IsColdOnceAfterAFlush) {
  FakeDevice device;
  EXPECT_FALSE(device.TakeCold());
  ASSERT_TRUE(device.FlushCache().ok());
  EXPECT_TRUE(device.TakeCold());
  EXPECT_FALSE(device.TakeCold());
}

TEST(FakeDevice, StaysLostOnceLost) {
  FakeDevice device({.fail_synchronize = 2});
  EXPECT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(device.Synchronize().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(device.Synchronize().code(), absl::StatusCode::kUnavailable);
}

TEST(FakeDevice, RunsHeldWorkOnceItIsReleased) {
  FakeDevice device({.timers = 1, .hold = true});
  ASSERT_TRUE(device.Hold().ok());
  ASSERT_TRUE(device.StartTimer(0).ok());
  device.Enqueue(500);
  ASSERT_TRUE(device.StopTimer(0).ok());
  device.HostWork(10'000);
  EXPECT_FALSE(device.TimerNs(0).ok()) << "nothing has run yet";
  const auto released = device.Release();
  ASSERT_TRUE(released.ok());
  EXPECT_TRUE(*released);
  ASSERT_TRUE(device.WaitTimer(0).ok());
  EXPECT_EQ(*device.TimerNs(0), 500) << "the host's work is not in it";
}

TEST(FakeDevice, EndsAHoldByItsWatchdogWhenSomebodyWaits) {
  FakeDevice device({.timers = 1, .hold = true, .hold_timeout_ns = 1'000'000});
  ASSERT_TRUE(device.Hold().ok());
  device.Enqueue(500);
  const int64_t start_ns = device.NowNs();
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(device.NowNs() - start_ns, 1'000'500);
  EXPECT_FALSE(*device.Release());
}

TEST(FakeDevice, ReplaysWhatItRecorded) {
  FakeDevice device({.timers = 1, .graphs = true});
  const auto graph = device.Capture([&] {
    device.Enqueue(300);
    device.Enqueue(200);
  });
  ASSERT_TRUE(graph.ok());
  const int64_t start_ns = device.NowNs();
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(device.NowNs(), start_ns) << "recording runs nothing";
  ASSERT_TRUE((*graph)->Launch().ok());
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(device.NowNs() - start_ns, 500);
}

TEST(FakeDevice, LetsOtherStreamsAndThreadsWorkUnseenByTimers) {
  FakeDevice device({.timers = 1});
  ASSERT_TRUE(device.StartTimer(0).ok());
  device.EnqueueElsewhere(5'000);
  ASSERT_TRUE(device.StopTimer(0).ok());
  ASSERT_TRUE(device.WaitTimer(0).ok());
  EXPECT_EQ(*device.TimerNs(0), 0);
  const int64_t waited_ns = device.NowNs();
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_EQ(device.NowNs() - waited_ns, 5'000);

  device.EnqueueLater(100, 700);
  ASSERT_TRUE(device.Synchronize().ok());
  device.IdleNs(1'000);
  const int64_t idle_ns = device.NowNs();
  device.Enqueue(1);
  ASSERT_TRUE(device.Synchronize().ok());
  EXPECT_LE(device.NowNs() - idle_ns, 1) << "it ended while nobody looked";
}

}  // namespace
}  // namespace assay::sampling
