#include "benchmarks/harness/sampling/presets.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

// Every cost is another power of ten, so that a sum shows what is in it.
constexpr int64_t kForwardHost = 1, kForwardDevice = 10'000;
constexpr int64_t kBackwardHost = 2, kBackwardDevice = 30'000;
constexpr int64_t kGradients = 500'000;
constexpr FakeDevice::Script kQuietGpu = {
    .timers = 2, .synchronize_ns = 100, .timer_record_ns = 0, .flush_ns = 7'000'000};

PresetCalls Calls(FakeDevice& device, bool backward) {
  PresetCalls calls;
  calls.forward = [&device] {
    device.HostWork(kForwardHost);
    device.Enqueue(kForwardDevice);
  };
  if (!backward) return calls;
  calls.gradients = [&device] { device.HostWork(kGradients); };
  calls.backward = [&device] {
    device.HostWork(kBackwardHost);
    device.Enqueue(kBackwardDevice);
  };
  return calls;
}

using Times = std::vector<double>;

TEST(Discrete, TimesEachIterationFromWaitToWait) {
  FakeDevice device(kQuietGpu);
  const auto result =
      MeasurePreset(device, Preset::kDiscrete, Calls(device, true), {.warmup = 2, .iterations = 3});
  ASSERT_TRUE(result.ok()) << result.status();
  const double forward = kForwardHost + kForwardDevice + 100;
  const double backward = kBackwardHost + kBackwardDevice + 100;
  EXPECT_EQ(result->forward.warmup_ns, Times(2, forward));
  EXPECT_EQ(result->forward.measured_ns, Times(3, forward));
  EXPECT_EQ(result->backward.warmup_ns, Times(2, backward));
  EXPECT_EQ(result->backward.measured_ns, Times(3, backward)) << "no gradients, no forward in it";
  EXPECT_EQ(result->forward.warmup_peak_device_bytes.size(), 2);
  EXPECT_EQ(result->forward.peak_device_bytes.size(), 3);
}

TEST(Discrete, FlushesBeforeEachIterationAndOutsideTheTime) {
  FakeDevice device(kQuietGpu);
  const auto result = MeasurePreset(device, Preset::kDiscrete, Calls(device, false),
                                    {.iterations = 2, .flush = true});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->forward.measured_ns, Times(2, kForwardHost + kForwardDevice + 100));
  EXPECT_EQ(device.Journal(), "fswesfswesfswes") << "one warm-up, two measured";
}

TEST(Presets, ChangeInputsBeforeEachForwardAndOutsideTheTime) {
  constexpr int64_t kChange = 900'000'000;
  for (Preset preset : {Preset::kDiscrete, Preset::kContinuousEvents, Preset::kDoBench}) {
    for (const bool backward : {false, true}) {
      if (backward && preset == Preset::kDoBench) continue;
      FakeDevice device(kQuietGpu);
      PresetCalls calls = Calls(device, backward);
      int changes = 0;
      calls.inputs = [&] {
        device.HostWork(kChange);
        ++changes;
      };
      const auto result = MeasurePreset(device, preset, calls, {.warmup = 2, .iterations = 3});
      ASSERT_TRUE(result.ok()) << result.status();
      for (const double ns : result->forward.measured_ns) EXPECT_LT(ns, kChange);
      for (const double ns : result->backward.measured_ns) EXPECT_LT(ns, kChange);
      const auto timed = static_cast<int>(result->forward.measured_ns.size());
      EXPECT_GE(changes, preset == Preset::kDoBench ? timed : backward ? 10 : 5);
    }
  }
}

TEST(Continuous, IsOneFigureTotalByCount) {
  FakeDevice device(kQuietGpu);
  const auto result = MeasurePreset(device, Preset::kContinuous, Calls(device, false),
                                    {.warmup = 1, .iterations = 4, .flush = true});
  ASSERT_TRUE(result.ok());
  // Launches overlap the device's work: all but the first are hidden, and there is one wait.
  EXPECT_EQ(result->forward.measured_ns, Times(1, (kForwardHost + 4 * kForwardDevice + 100) / 4.0));
  EXPECT_EQ(result->forward.peak_device_bytes.size(), 1);
  EXPECT_EQ(device.Journal().find('f'), std::string::npos) << "no flush in this mode";
}

TEST(Continuous, IsBothPassesLessForwardForBackward) {
  FakeDevice device(kQuietGpu);
  const auto result =
      MeasurePreset(device, Preset::kContinuous, Calls(device, true), {.iterations = 4});
  ASSERT_TRUE(result.ok());
  const double forward = (kForwardHost + 4 * kForwardDevice + 100) / 4.0;
  EXPECT_EQ(result->forward.measured_ns, Times(1, forward));
  // Making the gradients keeps the host busy for longer than the device has work: nothing overlaps.
  const double both =
      (4 * (kForwardHost + kGradients + kBackwardHost) + kBackwardDevice + 100) / 4.0;
  EXPECT_EQ(result->backward.measured_ns, Times(1, both - forward));
}

TEST(ContinuousEvents, TimesEachIterationOnTheDeviceWithOneWait) {
  FakeDevice device(kQuietGpu);
  const auto result = MeasurePreset(device, Preset::kContinuousEvents, Calls(device, false),
                                    {.warmup = 0, .iterations = 5});
  ASSERT_TRUE(result.ok()) << result.status();
  // The first finds the queue empty, so its launch shows; the others wait in the queue.
  EXPECT_EQ(result->forward.measured_ns, (Times{kForwardHost + kForwardDevice, kForwardDevice,
                                                kForwardDevice, kForwardDevice, kForwardDevice}));
  EXPECT_EQ(device.Journal(), "s(we)(we)(we)(we)(we)s") << "more timers than the device had";
  EXPECT_EQ(result->forward.peak_device_bytes.size(), 1);
}

TEST(ContinuousEvents, HasOnlyBackwardBetweenTheEvents) {
  FakeDevice device(kQuietGpu);
  const auto result = MeasurePreset(device, Preset::kContinuousEvents, Calls(device, true),
                                    {.warmup = 0, .iterations = 2});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->backward.measured_ns, Times(2, kBackwardHost + kBackwardDevice));
  EXPECT_EQ(device.Journal(),
            "s(we)(we)s"
            "swew(we)wew(we)s");
}

TEST(Presets, TimeEachIterationByItselfOnTheCpu) {
  for (Preset preset : {Preset::kDiscrete, Preset::kContinuous, Preset::kContinuousEvents}) {
    FakeDevice cpu;
    int64_t n = 0;
    const PresetCalls calls = {.forward = [&] { cpu.HostWork(++n); },
                               .backward = [&] { cpu.HostWork(100); }};
    const auto result = MeasurePreset(cpu, preset, calls, {.warmup = 1, .iterations = 3});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->forward.measured_ns, (Times{2, 3, 4})) << PresetName(preset);
    EXPECT_EQ(result->backward.measured_ns, Times(3, 100)) << PresetName(preset);
  }
}

TEST(DoBench, FollowsTritonsSteps) {
  FakeDevice::Script script = kQuietGpu;
  script.flush_ns = 900'000;
  FakeDevice device(script);
  int64_t calls = 0;
  const PresetCalls work = {.forward = [&] {
    ++calls;
    device.Enqueue(100'000);
  }};
  const auto result = MeasurePreset(device, Preset::kDoBench, work, {});
  ASSERT_TRUE(result.ok()) << result.status();
  // The estimate is 1 ms a call, flush included, by the device's timers.
  constexpr int64_t warmups = 25, repeats = 100;
  EXPECT_EQ(calls, 1 + 5 + warmups + repeats);
  EXPECT_EQ(result->forward.measured_ns, Times(repeats, 100'000));
  EXPECT_TRUE(result->forward.warmup_ns.empty()) << "not kept by Triton either";
}

// get_empty_cache_for_benchmark() of Triton 3.6.
TEST(DoBench, FlushesAsMuchAsTriton) {
  struct Flushed : FakeDevice {
    using FakeDevice::FakeDevice;
    absl::Status FlushCache(int64_t bytes) override {
      flushes.insert(bytes);
      return FakeDevice::FlushCache(bytes);
    }
    std::set<int64_t> flushes;
  };
  Flushed gpu(kQuietGpu), cpu;
  for (Flushed* device : {&gpu, &cpu}) {
    const PresetCalls work = {.forward = [&] {
      device->HostWork(1'000);
      device->Enqueue(10'000'000);
    }};
    ASSERT_TRUE(MeasurePreset(*device, Preset::kDoBench, work, {}).ok());
    EXPECT_EQ(device->flushes, std::set<int64_t>{256 * 1024 * 1024});
  }
}

TEST(DoBench, CallsALongFunctionOnceEach) {
  FakeDevice device(kQuietGpu);
  int64_t calls = 0;
  const PresetCalls work = {.forward = [&] {
    ++calls;
    device.Enqueue(300'000'000);
  }};
  const auto result = MeasurePreset(device, Preset::kDoBench, work, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(calls, 1 + 5 + 1 + 1);
}

TEST(DoBench, TakesTheHostsClockOnTheCpu) {
  FakeDevice cpu({.flush_ns = 0});
  const auto result =
      MeasurePreset(cpu, Preset::kDoBench, {.forward = [&] { cpu.HostWork(10'000'000); }}, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->forward.measured_ns, Times(10, 10'000'000));
}

TEST(Presets, RefuseCountsThatMakeNoSense) {
  FakeDevice device(kQuietGpu);
  const PresetCalls calls = Calls(device, false);
  for (const PresetOptions& bad : {PresetOptions{.iterations = 0}, PresetOptions{.warmup = -1}}) {
    const auto result = MeasurePreset(device, Preset::kDiscrete, calls, bad);
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(MeasurePreset(device, Preset::kDoBench, Calls(device, true), {}).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(Presets, PassOnALostDevice) {
  for (Preset preset :
       {Preset::kDiscrete, Preset::kContinuous, Preset::kContinuousEvents, Preset::kDoBench}) {
    FakeDevice device({.timers = 1, .fail_synchronize = 2});
    const auto result =
        MeasurePreset(device, preset, {.forward = [&] { device.Enqueue(1'000'000); }}, {});
    EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable) << PresetName(preset);
  }
}

TEST(ParsePreset, ReadsWhatPresetNameWrites) {
  for (const char* name : {"discrete", "continuous", "continuous_events", "do_bench"}) {
    EXPECT_EQ(PresetName(*ParsePreset(name)), name);
  }
  EXPECT_NE(ParsePreset("Discrete").status().message().find("discrete, continuous"),
            std::string_view::npos);
}

}  // namespace
}  // namespace assay::sampling
