#include "benchmarks/harness/sampling/warmup.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1'000 * kMs;

// Warms up a call whose n-th execution (from 0) takes cost_ns(n).
WarmupReport Warm(const std::function<int64_t(int64_t)>& cost_ns) {
  FakeDevice device;
  int64_t calls = 0;
  const auto report = WarmUp(device, [&] { device.HostWork(cost_ns(calls++)); }, {});
  EXPECT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->calls, calls) << "every call is counted";
  return *report;
}

TEST(WarmUp, KeepsTheFirstCallApart) {
  const WarmupReport report = Warm([](int64_t n) { return n == 0 ? 300 * kMs : 10 * kMs; });
  EXPECT_EQ(report.first_call_ns, 300 * kMs);
  EXPECT_TRUE(report.steady);
  EXPECT_EQ(report.calls, 1 + 5) << "five steps are needed to see a trend";
  EXPECT_EQ(report.total_ns, 350 * kMs);
}

TEST(WarmUp, LeavesWhatFollowsTheFirstCallOutOfItsFigures) {
  FakeDevice device;
  int64_t calls = 0, calls_before = -1;
  const auto call = [&] { device.HostWork(++calls == 1 ? 300 * kMs : 10 * kMs); };
  const auto report = WarmUp(device, call, {}, nullptr, [&] {
    calls_before = calls;
    device.HostWork(kSecond);
  });
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(calls_before, 1);
  EXPECT_EQ(report->first_call_ns, 300 * kMs);
  EXPECT_EQ(report->total_ns, 350 * kMs);
}

TEST(WarmUp, WaitsForTheDevice) {
  FakeDevice device({.timers = 1});
  const auto report = WarmUp(device, [&] { device.Enqueue(10 * kMs); }, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->first_call_ns, 10 * kMs);
  EXPECT_EQ(report->total_ns, 60 * kMs);
}

TEST(WarmUp, LeavesEarlierWorkOutOfTheFirstCall) {
  FakeDevice device({.timers = 1});
  device.Enqueue(700 * kMs);  // the inputs are still being made
  const auto report = WarmUp(device, [&] { device.Enqueue(10 * kMs); }, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->first_call_ns, 10 * kMs);
}

TEST(WarmUp, RunsForAtLeastTwentyFiveMillisecondsOfShortCalls) {
  const WarmupReport report = Warm([](int64_t) { return 2'000; });
  EXPECT_TRUE(report.steady);
  EXPECT_GE(report.total_ns, 25 * kMs + 2'000);
  EXPECT_LT(report.total_ns, 28 * kMs) << "a step of about a millisecond at most is too much";
}

TEST(WarmUp, GoesOnWhileCallsBecomeFaster) {
  // 2 % faster at each call until the 40th.
  const WarmupReport report = Warm([](int64_t n) {
    double cost = 10.0 * kMs;
    for (int64_t i = 0; i < (n < 40 ? n : 40); ++i) cost *= 0.98;
    return static_cast<int64_t>(cost);
  });
  EXPECT_TRUE(report.steady);
  EXPECT_GE(report.calls, 42);
  EXPECT_LE(report.calls, 45);
}

TEST(WarmUp, EndsAtTheCapWithoutClaimingSteadiness) {
  const WarmupReport report = Warm([](int64_t n) { return (200 - 3 * n) * kMs / 4; });
  EXPECT_FALSE(report.steady);
  EXPECT_GE(report.total_ns - report.first_call_ns, 500 * kMs);
  EXPECT_LT(report.total_ns - report.first_call_ns, 550 * kMs) << "one call over at most";
}

// Five steps of 98 to 102 ms are 1 % of their mean apart, and end at the cap.
TEST(WarmUp, TakesASlopeBelowOnePercentForFlat) {
  EXPECT_FALSE(Warm([](int64_t n) { return (97 + n) * kMs; }).steady);
  EXPECT_TRUE(Warm([](int64_t n) { return (98 + n) * kMs; }).steady);
}

TEST(WarmUp, MakesThreeCallsOfASlowFunction) {
  const WarmupReport report = Warm([](int64_t) { return 2 * kSecond; });
  EXPECT_EQ(report.calls, 3);
  EXPECT_FALSE(report.steady) << "three calls show no trend";
}

// Lazy loading and just-in-time compilation look like this: 8 s, 1 s, then 1 ms.
TEST(WarmUp, OutlastsSlowFirstCalls) {
  const WarmupReport report = Warm([](int64_t n) {
    return n == 0 ? 8 * kSecond : n == 1 ? kSecond : kMs;
  });
  EXPECT_EQ(report.first_call_ns, 8 * kSecond);
  EXPECT_GE(report.calls, 3);
}

TEST(WarmUp, StopsWhenInterruptedAndKeepsWhatItSaw) {
  FakeDevice device;
  std::atomic<bool> interrupted = false;
  int64_t calls = 0;
  const auto call = [&] {
    device.HostWork(10 * kMs);
    interrupted = ++calls == 2;
  };
  const auto report = WarmUp(device, call, {}, &interrupted);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->interrupted);
  EXPECT_FALSE(report->steady);
  EXPECT_EQ(report->calls, 2);
  EXPECT_EQ(report->first_call_ns, 10 * kMs);
}

TEST(WarmUp, ReportsALostDevice) {
  for (int64_t fail : {1, 3}) {
    FakeDevice device({.fail_synchronize = fail});
    const auto report = WarmUp(device, [&] { device.HostWork(kMs); }, {});
    EXPECT_EQ(report.status().code(), absl::StatusCode::kUnavailable);
  }
}

TEST(WarmUp, LetsExceptionsOfTheCallThrough) {
  FakeDevice device;
  EXPECT_THROW(WarmUp(device, [] { throw std::runtime_error("out of memory"); }, {}).IgnoreError(),
               std::runtime_error);
}

}  // namespace
}  // namespace assay::sampling
