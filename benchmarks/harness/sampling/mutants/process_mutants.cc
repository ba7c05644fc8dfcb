#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/mutants/mutant.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::sampling {
namespace {

constexpr FakeDevice::Script kCpu = {.clock_read_ns = 25};

// Samples a call of a millisecond; after each, `disturb` acts on the device. At least 100 samples.
template <typename Disturb>
absl::StatusOr<SampleSet> MeasureDisturbed(Noise& noise, const Disturb& disturb) {
  FakeDevice device(kCpu);
  device.counters() = {.run_delay_ns = 0, .steal_ns = 0};
  const auto call = [&] {
    device.HostWork(noise(kMs));
    disturb(device);
  };
  return Measure(device, Mode::kWall, call, {.precision = {.min_samples = 100}});
}

// Was given one thread, works on two.
absl::StatusOr<SampleSet> TakesAnotherThread(bool honest, Noise& noise) {
  FakeDevice device({.clock_read_ns = 25, .cpu_share = honest ? 1.0 : 2.0});
  const auto call = [&] { device.HostWork(noise(kMs)); };
  return Measure(device, Mode::kWall, call, {.threads = 1});
}

// A call whose n-th execution (from 0) takes `cost_ns(n)`.
template <typename Cost>
absl::StatusOr<SampleSet> MeasureCosts(Noise& noise, const Cost& cost_ns) {
  FakeDevice device(kCpu);
  int64_t calls = 0;
  const auto call = [&] { device.HostWork(noise(cost_ns(calls++))); };
  return Measure(device, Mode::kWall, call, {.precision = {.min_samples = 100}});
}

absl::StatusOr<SampleSet> SlowFirstCalls(bool honest, Noise& noise) {
  return MeasureCosts(noise, [&](int64_t n) {
    return honest || n > 1 ? kMs : n == 0 ? 8'000 * kMs : 1'000 * kMs;
  });
}

absl::StatusOr<SampleSet> TunedAtCallTen(bool honest, Noise& noise) {
  return MeasureCosts(noise, [&](int64_t n) { return honest || n >= 10 ? kMs : 2 * kMs; });
}

absl::StatusOr<SampleSet> TunedAtCallEighty(bool honest, Noise& noise) {
  return MeasureCosts(noise, [&](int64_t n) { return honest || n >= 80 ? kMs : 2 * kMs; });
}

absl::StatusOr<SampleSet> NeverSteady(bool honest, Noise& noise) {
  return MeasureCosts(
      noise, [&](int64_t n) { return honest ? kMs : std::llround(kMs * std::pow(1.02, n)); });
}

absl::StatusOr<SampleSet> Drift(bool honest, Noise& noise) {
  return MeasureCosts(noise, [&](int64_t n) { return honest ? kMs : kMs + n * kUs; });
}

// An earlier case left the device hot, and it cools down.
absl::StatusOr<SampleSet> HeatFromBefore(bool honest, Noise& noise) {
  return MeasureCosts(noise, [&](int64_t n) {
    const double heat = honest ? 0 : 0.10 * std::exp(-static_cast<double>(n) / 80);
    return std::llround(static_cast<double>(kMs) * (1 + heat));
  });
}

absl::StatusOr<SampleSet> TwoModes(bool honest, Noise& noise) {
  return MeasureCosts(noise, [&](int64_t) {
    if (honest) return kMs;
    return noise.Next() % 2 == 0 ? 900 * kUs : 1'100 * kUs;
  });
}

// The time that a millisecond's work takes at the clock rate after `elapsed_ns`.
template <typename Clock>
absl::StatusOr<SampleSet> MeasureAtClock(Noise& noise, const Clock& mhz_at) {
  FakeDevice device(kCpu);
  const int64_t start_ns = device.NowNs();
  const auto call = [&] {
    const int32_t mhz = mhz_at(device.NowNs() - start_ns);
    device.SetMhz(mhz);
    device.HostWork(noise(kMs * 2'000 / mhz));
  };
  return Measure(device, Mode::kWall, call, {.precision = {.min_samples = 100}});
}

absl::StatusOr<SampleSet> ClockRamp(bool honest, Noise& noise) {
  return MeasureAtClock(noise, [&](int64_t at_ns) -> int32_t {
    if (honest || at_ns >= 25 * kMs) return 2'000;
    return static_cast<int32_t>(600 + 1'400 * at_ns / (25 * kMs));
  });
}

absl::StatusOr<SampleSet> LateThrottle(bool honest, Noise& noise) {
  return MeasureAtClock(noise,
                        [&](int64_t at_ns) { return honest || at_ns < 100 * kMs ? 2'000 : 1'400; });
}

// The nominal clock is twice the real one: a harness that trusts it would drop every sample.
absl::StatusOr<SampleSet> WrongNominalClock(bool honest, Noise& noise) {
  FakeDevice device(kCpu);
  device.SetMhz(honest ? 2'000 : 1'000);
  const auto call = [&] { device.HostWork(noise(kMs)); };
  return Measure(device, Mode::kWall, call, {});
}

absl::StatusOr<SampleSet> DriverAllocations(bool honest, Noise& noise) {
  int64_t calls = 0;
  return MeasureDisturbed(noise, [&](FakeDevice& device) {
    if (!honest && ++calls % 16 == 0) ++device.memory().device_allocations;
  });
}

absl::StatusOr<SampleSet> PageFaults(bool honest, Noise& noise) {
  return MeasureDisturbed(noise, [&](FakeDevice& device) {
    if (!honest) device.counters().page_faults += 300;
  });
}

absl::StatusOr<SampleSet> Leak(bool honest, Noise& noise) {
  return MeasureDisturbed(noise, [&](FakeDevice& device) {
    if (!honest) device.memory().host_live_bytes += 64 << 10;
  });
}

absl::StatusOr<SampleSet> DeviceLeak(bool honest, Noise& noise) {
  return MeasureDisturbed(noise, [&](FakeDevice& device) {
    if (!honest) device.memory().device_live_bytes += 64 << 10;
  });
}

absl::StatusOr<SampleSet> ContendedCpu(bool honest, Noise& noise) {
  return MeasureDisturbed(noise, [&](FakeDevice& device) {
    if (!honest) device.counters().run_delay_ns += 500 * kUs;
  });
}

absl::StatusOr<SampleSet> StolenTime(bool honest, Noise& noise) {
  return MeasureDisturbed(noise, [&](FakeDevice& device) {
    if (!honest) device.counters().steal_ns += 300 * kUs;
  });
}

absl::StatusOr<SampleSet> OneSample(bool honest, Noise& noise) {
  FakeDevice device(kCpu);
  const auto call = [&] { device.HostWork(noise(honest ? kMs : 2'000 * kMs)); };
  return Measure(device, Mode::kWall, call,
                 {.precision = {.min_samples_in_budget = 1}, .strict_budget = true});
}

absl::StatusOr<SampleSet> NoBudget(bool honest, Noise& noise) {
  FakeDevice device(kCpu);
  const absl::Duration budget = honest ? absl::Seconds(1) : absl::ZeroDuration();
  const auto call = [&] { device.HostWork(noise(kMs)); };
  return Measure(
      device, Mode::kWall, call,
      {.precision = {.budget = budget, .min_samples_in_budget = 1}, .strict_budget = true});
}

absl::StatusOr<SampleSet> PercentileOfFew(bool honest, Noise& noise) {
  FakeDevice device(kCpu);
  const auto call = [&] { device.HostWork(noise(kMs)); };
  absl::StatusOr<SampleSet> set =
      Measure(device, Mode::kWall, call, {.precision = {.min_samples = honest ? 300 : 50}});
  if (!set.ok()) return set;
  std::vector<double> sorted = set->samples_ns;
  std::sort(sorted.begin(), sorted.end());
  const absl::StatusOr<double> p99 = statistics::PercentileClaim(sorted, 0.99);
  return p99.ok() ? set : p99.status();
}

}  // namespace

std::vector<Mutant> ProcessMutants() {
  return {
      {"11", "first calls take 8 s and 1 s", Reads(kMs), SlowFirstCalls},
      {"11", "never steady", Notes("warm"), NeverSteady},
      {"12", "algorithm chosen at call 10", Reads(kMs), TunedAtCallTen},
      {"12", "algorithm chosen while timed", Flags("one_mode"), TunedAtCallEighty},
      {"13", "the allocator goes to the driver", Flags("memory_steady"), DriverAllocations},
      {"13", "300 page faults a call", Flags("memory_steady"), PageFaults},
      {"13", "host memory grows", Flags("no_leak"), Leak},
      {"13", "device memory grows", Flags("no_leak"), DeviceLeak},
      {"14", "clock rises for 25 ms", Reads(kMs), ClockRamp},
      {"14", "throttle to 70 % late in the run", Flags("clock_held"), LateThrottle},
      {"14", "drift", Flags("steady"), Drift},
      {"15", "nominal clock wrong by two", Reads(kMs), WrongNominalClock},
      {"25", "heat left by the case before", Notes("steady"), HeatFromBefore},
      {"28", "another process on the CPU", Flags("cpu_contention"), ContendedCpu},
      {"28", "time stolen by the hypervisor", Flags("cpu_contention"), StolenTime},
      {"31", "two modes, 0.9 and 1.1", Flags("one_mode"), TwoModes},
      {"32", "p99 of 50 samples", Fails(absl::StatusCode::kFailedPrecondition), PercentileOfFew},
      {"-", "a thread more than were given", Flags("cpu_within_threads"), TakesAnotherThread},
      {"-", "one sample", Flags("samples"), OneSample},
      {"-", "no budget", Flags("samples"), NoBudget},
  };
}

}  // namespace assay::sampling
