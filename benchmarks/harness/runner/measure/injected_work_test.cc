#include "benchmarks/harness/runner/measure/injected_work.h"

#include "benchmarks/harness/sampling/device/fake_device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

TEST(InjectedWork, AddsItsShareToEachCall) {
  sampling::FakeDevice device({.clock_read_ns = 1});
  int64_t n = 0;
  sampling::TimedFunction inner([&] { device.HostWork(++n % 2 == 0 ? 100'000 : 300'000); });
  InjectedWork slower(device, inner, 0.03);
  const auto set = sampling::Measure(device, sampling::Mode::kWall, slower, {});
  ASSERT_TRUE(set.ok()) << set.status();
  for (const double sample_ns : set->samples_ns) {
    const double call_ns = sample_ns < 200'000 ? 100'000 : 300'000;
    EXPECT_NEAR(sample_ns, 1.03 * call_ns, 10);
  }
}

TEST(InjectedWork, WaitsForTheDeviceBeforeItSpins) {
  sampling::FakeDevice device({.timers = 1, .clock_read_ns = 1});
  sampling::TimedFunction inner([&] { device.Enqueue(1'000'000); });
  InjectedWork slower(device, inner, 0.5);
  const int64_t start_ns = device.NowNs();
  slower.Call();
  EXPECT_NEAR(static_cast<double>(device.NowNs() - start_ns), 1'500'000, 10);
}

}  // namespace
}  // namespace assay::runner
