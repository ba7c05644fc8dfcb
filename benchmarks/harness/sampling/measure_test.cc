#include "benchmarks/harness/sampling/measure.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

constexpr int64_t kUs = 1'000;
constexpr int64_t kNsPerMs = 1'000'000;

// The costs of a GPU on the host: none of them may show in a result that is about the call.
constexpr FakeDevice::Script kGpu = {.timers = 4,
                                     .clock_read_ns = 25,
                                     .synchronize_ns = 0,
                                     .timer_record_ns = 2 * kUs,
                                     .flush_ns = 60 * kUs};

SamplingOptions Count(StopRule& rule) { return {.rule = &rule}; }

TEST(Wall, IsTheTimeFromTheCallUntilTheDeviceIsDone) {
  FakeDevice device({.timers = 1, .clock_read_ns = 0, .synchronize_ns = 7});
  const auto call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(kNsPerMs);
  };
  const auto set = Measure(device, Mode::kWall, call, {});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->samples_ns, std::vector<double>(30, 5 * kUs + kNsPerMs + 7));
  EXPECT_EQ(set->stop_reason, StopReason::kPrecise);
  EXPECT_EQ(set->calls_per_sample, 1);
}

TEST(Wall, ContainsOneReadingOfTheClock) {
  FakeDevice device({.clock_read_ns = 25});
  const auto set = Measure(device, Mode::kWall, [&] { device.HostWork(1000); }, {});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->samples_ns.front(), 1025);
}

TEST(Wall, CountsTheCpuTimeOfAllThreads) {
  FakeDevice device({.cpu_share = 1.75});
  const auto set = Measure(device, Mode::kWall, [&] { device.HostWork(kNsPerMs); }, {});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->cpu_ns, 1.75 * kNsPerMs);
  EXPECT_EQ(set->elapsed_ns, 30 * kNsPerMs) << "the warm-up is not in it";
}

TEST(Measure, CountsTheInstructionsOfOneCall) {
  for (const Mode mode : {Mode::kWall, Mode::kThroughput, Mode::kCold}) {
    FakeDevice device({.flush_ns = 1, .instructions = 2.5});
    const auto set = Measure(device, mode, [&] { device.HostWork(100 * kUs); }, {});
    ASSERT_TRUE(set.ok()) << set.status();
    ASSERT_TRUE(set->instructions.has_value()) << ModeName(mode);
    EXPECT_DOUBLE_EQ(*set->instructions, 2.5 * 100 * kUs) << ModeName(mode);
    EXPECT_EQ(set->instructions_missing, "");
  }
}

TEST(Measure, HasNoInstructionsThatAreNotCounted) {
  for (const Mode mode : {Mode::kWall, Mode::kCold}) {
    for (const auto& [instructions, why] :
         {std::pair(-1.0, "no counter"), {0.0, "the hardware's counter stands still"}}) {
      FakeDevice device(
          {.flush_ns = 1, .instructions = instructions, .missing_instructions = "no counter"});
      const auto set = Measure(device, mode, [&] { device.HostWork(100 * kUs); }, {});
      ASSERT_TRUE(set.ok()) << set.status();
      EXPECT_FALSE(set->instructions.has_value()) << ModeName(mode);
      EXPECT_EQ(set->instructions_missing, why) << ModeName(mode);
    }
  }
}

TEST(Throughput, OverlapsLaunchAndRun) {
  FakeDevice device(kGpu);
  // The host needs 10 us a call, the device 8 us: a chunk takes 10 us a call plus the last run.
  const auto call = [&] {
    device.HostWork(10 * kUs);
    device.Enqueue(8 * kUs);
  };
  const auto set = Measure(device, Mode::kThroughput, call, {});
  ASSERT_TRUE(set.ok()) << set.status();
  const double calls = static_cast<double>(set->calls_per_sample);
  EXPECT_GE(calls, 100);
  EXPECT_DOUBLE_EQ(set->samples_ns.front(), 10 * kUs + (8 * kUs + 25) / calls);
}

TEST(Throughput, CountsTheCpuTimeOfOneCall) {
  FakeDevice device({.cpu_share = 1.75});
  const auto set = Measure(device, Mode::kThroughput, [&] { device.HostWork(10 * kUs); }, {});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_GE(set->calls_per_sample, 100);
  EXPECT_NEAR(set->cpu_ns, 1.75 * 10 * kUs, 1);
}

TEST(Throughput, TakesOneCallAsAChunkWhereThatIsLongEnough) {
  FakeDevice device;
  const auto set = Measure(device, Mode::kThroughput, [&] { device.HostWork(3 * kNsPerMs); }, {});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->calls_per_sample, 1);
  EXPECT_EQ(set->samples_ns.front(), 3 * kNsPerMs);
}

TEST(Throughput, FillsTheChunkWithShortCalls) {
  FakeDevice device({.clock_read_ns = 50});
  const auto set = Measure(device, Mode::kThroughput, [&] { device.HostWork(10); }, {});
  ASSERT_TRUE(set.ok());
  EXPECT_GE(set->calls_per_sample * 10, kNsPerMs - 50);
  EXPECT_LE(set->calls_per_sample * 10, 2 * kNsPerMs);
  EXPECT_NEAR(set->samples_ns.front(), 10, 0.0006) << "the clock costs 50 ns a chunk";
}

TEST(Hot, IsTheDevicesTimeAloneOnceLaunchesOverlap) {
  FakeDevice device(kGpu);
  const auto call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(100 * kUs);
  };
  const auto set = Measure(device, Mode::kHot, call, {});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_GE(set->calls_per_sample, 20);
  // The queue is empty at the start of a chunk: recording the timer and the first launch show once.
  const double calls = static_cast<double>(set->calls_per_sample);
  EXPECT_DOUBLE_EQ(set->samples_ns.front(), 100 * kUs + 7 * kUs / calls);
  EXPECT_EQ(set->stop_reason, StopReason::kPrecise);
}

TEST(Hot, QueuesAtLeastTwentyCallsEvenIfFewerFillTheChunk) {
  FakeDevice device(kGpu);
  const auto set = Measure(device, Mode::kHot, [&] { device.Enqueue(500 * kUs); }, {});
  ASSERT_TRUE(set.ok());
  EXPECT_GE(set->calls_per_sample, 20);
  EXPECT_LE(set->calls_per_sample, 40);
}

TEST(Hot, IsAChunkOnTheHostsClockWhereThereAreNoTimers) {
  FakeDevice device({.flush_ns = 1});
  const auto set = Measure(device, Mode::kHot, [&] { device.HostWork(100 * kUs); }, {});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->calls_per_sample, 10);
  EXPECT_EQ(set->samples_ns.front(), 100 * kUs);
}

TEST(Measure, KnowsTheHostsTimeToQueueACall) {
  for (const Mode mode : {Mode::kWall, Mode::kThroughput, Mode::kHot, Mode::kEnqueue}) {
    FakeDevice device({.timers = 1});
    const auto call = [&] {
      device.HostWork(5 * kUs);
      device.Enqueue(20 * kUs);
    };
    const auto set = Measure(device, mode, call, {});
    ASSERT_TRUE(set.ok()) << set.status();
    EXPECT_DOUBLE_EQ(set->enqueue_ns, 5 * kUs) << ModeName(mode);
  }
  FakeDevice cpu;
  EXPECT_EQ(Measure(cpu, Mode::kWall, [&] { cpu.HostWork(kUs); }, {})->enqueue_ns, 0) << "no queue";
}

Check CheckOf(const SampleSet& set, std::string_view name) {
  const auto check = std::find_if(set.checks.begin(), set.checks.end(),
                                  [&](const Check& c) { return c.name == name; });
  EXPECT_NE(check, set.checks.end()) << name;
  return check == set.checks.end() ? Check{} : *check;
}

// An event a launch apart from the next, and a driver that waits for 8 us where there is nothing to
// wait for, as on an H100 in a virtual machine.
TEST(Measure, RefusesNoShortCallForWhatADriverTakes) {
  for (const auto& [mode, status] : {std::pair{Mode::kHot, CheckStatus::kOk},
                                     {Mode::kThroughput, CheckStatus::kOk},
                                     {Mode::kWall, CheckStatus::kNoted}}) {
    FakeDevice device({.timers = 1, .synchronize_ns = 8 * kUs, .timer_record_ns = 6 * kUs});
    const auto call = [&] {
      device.HostWork(4 * kUs);
      device.Enqueue(20 * kUs);
    };
    const auto set = Measure(device, mode, call, {});
    ASSERT_TRUE(set.ok()) << set.status();
    const Check check = CheckOf(*set, "null_small");
    EXPECT_EQ(check.status, status) << ModeName(mode) << ": " << check.detail;
  }
}

// The start's stamp runs at once where the queue is not held, the timer's start a launch later.
TEST(Cold, TakesALaunchForNoFaultOfAClockWithoutAHold) {
  for (const bool waits : {false, true}) {
    FakeDevice device({.timers = 1,
                       .clock_mark_ns = 20 * kUs,
                       .flush_ns = 10 * kUs,
                       .hold = waits,
                       .mhz = 1'980});
    const auto call = [&] {
      device.Enqueue(100 * kUs);
      if (waits) device.Wait();
    };
    const auto set = Measure(device, Mode::kCold, call, {});
    ASSERT_TRUE(set.ok()) << set.status();
    const Check check = CheckOf(*set, "clocks_agree");
    EXPECT_EQ(check.status, CheckStatus::kOk) << waits << ": " << check.detail;
  }
}

// The first call that waits comes when samples are being taken already.
TEST(Cold, TakesALaunchForNoFaultOnceAHoldHasEnded) {
  FakeDevice device({.timers = 1,
                     .clock_mark_ns = 20 * kUs,
                     .flush_ns = 10 * kUs,
                     .hold = true,
                     .hold_timeout_ns = 10 * kNsPerMs,
                     .mhz = 1'980});
  int64_t calls = 0;
  const auto call = [&] {
    device.Enqueue(100 * kUs);
    if (++calls > 5) device.Wait();
  };
  const auto set = Measure(device, Mode::kCold, call,
                           {.precision = {.min_samples = 100}, .warmup = std::nullopt});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(CheckOf(*set, "hold").status, CheckStatus::kNoted);
  const Check check = CheckOf(*set, "clocks_agree");
  EXPECT_EQ(check.status, CheckStatus::kOk) << check.detail;
}

TEST(Cold, StillSeesALyingTimerWhereTheQueueIsHeld) {
  FakeDevice device({.timers = 1,
                     .clock_mark_ns = 20 * kUs,
                     .flush_ns = 10 * kUs,
                     .hold = true,
                     .mhz = 1'980,
                     .timer_scale = 0.85});
  const auto set = Measure(device, Mode::kCold, [&] { device.Enqueue(100 * kUs); }, {});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(CheckOf(*set, "clocks_agree").status, CheckStatus::kFlagged);
}

TEST(Graph, ReplaysManyCallsWithoutTheirLaunches) {
  FakeDevice::Script script = kGpu;
  script.graphs = true;
  script.graph_launch_ns = 6 * kUs;
  FakeDevice device(script);
  const auto call = [&] {
    device.HostWork(50 * kUs);
    device.Enqueue(10 * kUs);
  };
  const auto set = Measure(device, Mode::kGraph, call, {});
  ASSERT_TRUE(set.ok()) << set.status();
  const double calls = static_cast<double>(set->calls_per_sample);
  EXPECT_GE(calls, 20);
  EXPECT_DOUBLE_EQ(set->samples_ns.front(), 10 * kUs + 8 * kUs / calls) << "launch of the graph";
}

TEST(Graph, HoldsTheQueueUntilTheReplayIsInIt) {
  FakeDevice::Script script = kGpu;
  script.graphs = script.hold = true;
  script.graph_launch_ns = 6 * kUs;
  FakeDevice device(script);
  const auto set = Measure(device, Mode::kGraph, [&] { device.Enqueue(10 * kUs); }, {});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->samples_ns.front(), 10 * kUs) << "to the nanosecond";
}

// A first launch that waits for the device would wait for its own hold.
TEST(Graph, IsOnTheDeviceBeforeTheFirstSample) {
  FakeDevice device({.timers = 1,
                     .hold = true,
                     .graphs = true,
                     .graph_launch_ns = 6 * kUs,
                     .graph_upload_ns = 400 * kUs});
  const auto set = Measure(device, Mode::kGraph, [&] { device.Enqueue(10 * kUs); }, {});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(CheckOf(*set, "hold").status, CheckStatus::kOk) << "no watchdog ended it";
  EXPECT_EQ(set->samples_ns, std::vector<double>(set->samples_ns.size(), 10 * kUs));
}

TEST(Graph, PassesOnWhyTheWorkCannotBeRecorded) {
  FakeDevice device(kGpu);
  const auto set = Measure(device, Mode::kGraph, [&] { device.Enqueue(10 * kUs); }, {});
  EXPECT_EQ(set.status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(Enqueue, IsTheHostsTimeUntilTheCallReturns) {
  FakeDevice device(kGpu);
  const auto call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(kNsPerMs);
  };
  const auto set = Measure(device, Mode::kEnqueue, call, {});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->samples_ns.front(), 5 * kUs + 25);
}

TEST(Hot, DoesNotQueueTwentyCallsOfALongOne) {
  FakeDevice device(kGpu);
  const auto set = Measure(device, Mode::kHot, [&] { device.Enqueue(400 * kNsPerMs); }, {});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->calls_per_sample, 1);
  EXPECT_EQ(set->samples_ns.size(), 6);
}

TEST(Cold, FlushesBeforeEveryCallAndOutsideTheTimers) {
  FakeDevice device(kGpu);
  const auto call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(device.TakeCold() ? 300 * kUs : 100 * kUs);
  };
  const auto set = Measure(device, Mode::kCold, call, {});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->samples_ns, std::vector<double>(30, 300 * kUs)) << "to the nanosecond";
}

TEST(Cold, QueuesEverythingBeforeItWaits) {
  FakeDevice device(kGpu);
  SampleCountRule rule(1);
  SamplingOptions options = Count(rule);
  options.warmup.reset();
  options.checks = false;
  const auto set = Measure(
      device, Mode::kCold, [&] { device.Enqueue(kNsPerMs); }, options);
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(device.Journal(), "sf(e)ts");
}

TEST(Cold, HoldsTheQueueWhileTheHostFillsIt) {
  FakeDevice::Script script = kGpu;
  script.hold = true;
  FakeDevice device(script);
  const auto call = [&] {
    device.HostWork(100 * kUs);  // longer than the flush takes
    device.Enqueue(50 * kUs);
  };
  SampleCountRule rule(2);
  SamplingOptions options = Count(rule);
  options.warmup.reset();
  options.checks = false;
  const auto set = Measure(device, Mode::kCold, call, options);
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->samples_ns, std::vector<double>(2, 50 * kUs)) << "to the nanosecond";
  EXPECT_EQ(device.Journal(),
            "fh(we)rts"
            "sfh(we)rtsfh(we)rts")
      << "one that does not count";
}

TEST(Cold, GoesOnWithoutAHoldWhereTheCallWaitsForTheDevice) {
  FakeDevice::Script script = kGpu;
  script.hold = true;
  FakeDevice device(script);
  const auto call = [&] {
    device.Enqueue(50 * kUs);
    device.Wait();
  };
  const auto set = Measure(device, Mode::kCold, call, {});
  ASSERT_TRUE(set.ok()) << set.status();
  const Check hold = CheckOf(*set, "hold");
  EXPECT_EQ(hold.status, CheckStatus::kNoted) << hold.detail;
  EXPECT_NEAR(set->samples_ns.back(), 50 * kUs, 10 * kUs);
  EXPECT_LT(set->elapsed_ns, 1'100 * kNsPerMs) << "the watchdog ran before the budget did";
}

// The limit of a device whose queue cannot be held.
TEST(Cold, ShowsALaunchThatOutlastsTheFlush) {
  FakeDevice device(kGpu);
  const auto call = [&] {
    device.HostWork(100 * kUs);
    device.Enqueue(50 * kUs);
  };
  const auto set = Measure(device, Mode::kCold, call, {});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->samples_ns.front(), 50 * kUs + 100 * kUs + 2 * kUs + 25 - 60 * kUs);
}

TEST(Cold, WorksOnTheHostsClockWhereThereAreNoTimers) {
  FakeDevice device({.flush_ns = 60 * kUs});
  const auto call = [&] { device.HostWork(device.TakeCold() ? 300 : 100); };
  const auto set = Measure(device, Mode::kCold, call, {});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->samples_ns, std::vector<double>(30, 300)) << "the flush is not in it";
}

TEST(Measure, RefusesModesThatTheDeviceCannotDo) {
  FakeDevice device;
  bool called = false;
  for (Mode mode : {Mode::kGraph, Mode::kEnqueue}) {
    const auto set = Measure(device, mode, [&] { called = true; }, {});
    EXPECT_EQ(set.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_NE(set.status().message().find("use wall, throughput, cold or hot"), std::string::npos);
  }
  EXPECT_FALSE(called);
}

TEST(Measure, RefusesOptionsThatMakeNoSense) {
  FakeDevice device;
  const auto call = [&] { device.HostWork(1); };
  EXPECT_EQ(Measure(device, Mode::kWall, call, {.max_samples = 0}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      Measure(device, Mode::kWall, call,
              {.chunk = {.min_duration = absl::Seconds(1), .max_duration = absl::Milliseconds(1)}})
          .status()
          .code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(Measure, LeavesSlowFirstCallsOutOfTheSamples) {
  FakeDevice device;
  int64_t n = 0;
  const auto call = [&] {
    device.HostWork(n == 0 ? 8'000 * kNsPerMs : n == 1 ? 1'000 * kNsPerMs : kNsPerMs);
    ++n;
  };
  const auto set = Measure(device, Mode::kWall, call, {});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->warmup->first_call_ns, 8'000 * kNsPerMs);
  EXPECT_EQ(set->samples_ns, std::vector<double>(30, kNsPerMs));
}

TEST(Measure, SamplesFromTheFirstCallWithoutWarmup) {
  FakeDevice device;
  SampleCountRule rule(3);
  SamplingOptions options = Count(rule);
  options.warmup.reset();
  int64_t n = 0;
  const auto set = Measure(
      device, Mode::kWall, [&] { device.HostWork(++n); }, options);
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->samples_ns, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(set->stop_reason, StopReason::kSampleCount);
  EXPECT_FALSE(set->warmup.has_value());
}

TEST(Measure, WaitsForEarlierWorkBeforeTheFirstSample) {
  FakeDevice device({.timers = 1});
  device.Enqueue(1'000 * kNsPerMs);
  SampleCountRule rule(1);
  SamplingOptions options = Count(rule);
  options.warmup.reset();
  const auto set = Measure(
      device, Mode::kWall, [&] { device.Enqueue(kNsPerMs); }, options);
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->samples_ns.front(), kNsPerMs);
}

TEST(Measure, KeepsWhatIsDoneWhenInterrupted) {
  FakeDevice device;
  std::atomic<bool> interrupted = false;
  int64_t calls = 0;
  const auto call = [&] {
    device.HostWork(kNsPerMs);
    interrupted = ++calls == 9;
  };
  const auto set =
      Measure(device, Mode::kWall, call, {.warmup = std::nullopt, .interrupted = &interrupted});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->stop_reason, StopReason::kInterrupted);
  EXPECT_EQ(set->samples_ns, std::vector<double>(9, kNsPerMs));
  EXPECT_EQ(set->cpu_ns, kNsPerMs);
}

TEST(Measure, ReturnsNoSamplesWhenInterruptedInTheWarmup) {
  FakeDevice device;
  const std::atomic<bool> interrupted = true;
  for (Mode mode : {Mode::kWall, Mode::kThroughput}) {
    const auto set =
        Measure(device, mode, [&] { device.HostWork(kNsPerMs); }, {.interrupted = &interrupted});
    ASSERT_TRUE(set.ok());
    EXPECT_EQ(set->stop_reason, StopReason::kInterrupted);
    EXPECT_TRUE(set->samples_ns.empty());
    EXPECT_EQ(set->warmup->calls, 1);
  }
}

TEST(Measure, StopsAtTheCapacityOfTheLog) {
  FakeDevice device;
  int64_t n = 0;
  const auto call = [&] { device.HostWork(++n % 2 == 0 ? 900 : 1100); };
  const auto set = Measure(device, Mode::kWall, call, {.max_samples = 50});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->stop_reason, StopReason::kLogFull);
  EXPECT_EQ(set->samples_ns.size(), 50);
}

TEST(Measure, KeepsTheBudgetIncludingWhatIsNotTimed) {
  // Flushes, waits, probes, sizing of chunks and checks all fit into a tenth of the budget.
  for (Mode mode : {Mode::kWall, Mode::kThroughput, Mode::kCold, Mode::kHot, Mode::kEnqueue}) {
    FakeDevice device({.timers = 1, .flush_ns = 9 * kNsPerMs});
    const auto call = [&] {
      device.HostWork(kNsPerMs);
      device.Enqueue(kNsPerMs);
    };
    const int64_t start_ns = device.NowNs();
    const auto set = Measure(device, mode, call, {.precision = {.relative_half_width = -1}});
    ASSERT_TRUE(set.ok());
    EXPECT_EQ(set->stop_reason, StopReason::kBudget);
    EXPECT_GE(set->elapsed_ns, 700 * kNsPerMs) << ModeName(mode);
    EXPECT_LE(device.NowNs() - start_ns - set->warmup->total_ns, 1'100 * kNsPerMs)
        << ModeName(mode);
  }
}

// A work that answers every question, so that every check is made.
class OpenWorkload : public TimedWork {
 public:
  OpenWorkload(FakeDevice& device, int64_t ns) : device_(device), ns_(ns) {}
  void Call() override { device_.HostWork(ns_); }
  int InputSets() const override { return 2; }
  void UseInputs(int set) override { set_ = set; }
  std::optional<uint64_t> OutputDigest() override { return set_; }
  std::optional<uint64_t> InputDigest() override { return 7; }

 private:
  FakeDevice& device_;
  const int64_t ns_;
  int set_ = 0;
};

// Records which set each call used.
class Rotated : public OpenWorkload {
 public:
  Rotated(FakeDevice& device, bool prepares)
      : OpenWorkload(device, kNsPerMs / 4), prepares_(prepares) {}
  bool HasPreparation() const override { return prepares_; }
  void Prepare() override { prepared_ = set_; }
  void Call() override {
    OpenWorkload::Call();
    called_.push_back(prepares_ ? prepared_ : set_);
  }
  int InputSets() const override { return 3; }
  int64_t InputBytes() const override { return 100; }
  void UseInputs(int set) override {
    OpenWorkload::UseInputs(set);
    set_ = set;
  }
  // How many calls used another set than the call before them.
  int64_t Changes() const {
    int64_t changes = 0;
    for (size_t i = 1; i < called_.size(); ++i) changes += called_[i] != called_[i - 1];
    return changes;
  }
  int set() const { return set_; }

 private:
  const bool prepares_;
  int set_ = 0, prepared_ = -1;
  std::vector<int> called_;
};

TEST(Measure, RotatesInputsFromCallToCallAndLeavesTheFirst) {
  for (Mode mode : {Mode::kWall, Mode::kCold, Mode::kThroughput}) {
    for (const bool prepares : {false, true}) {
      if (prepares && mode == Mode::kThroughput) continue;
      for (const bool rotates : {false, true}) {
        FakeDevice device({.flush_ns = 1});
        Rotated work(device, prepares);
        const auto set =
            Measure(device, mode, work,
                    {.rotate_inputs = rotates, .warmup = std::nullopt, .checks = false});
        ASSERT_TRUE(set.ok()) << set.status();
        const auto calls = static_cast<int64_t>(set->samples_ns.size()) * set->calls_per_sample;
        EXPECT_GE(work.Changes(), rotates ? calls - 1 : 0) << ModeName(mode);
        EXPECT_EQ(work.Changes() > 0, rotates) << ModeName(mode);
        EXPECT_EQ(set->bytes_touched, rotates ? 300 : 0);
        EXPECT_EQ(work.set(), 0);
      }
    }
  }
}

TEST(Measure, KeepsAStrictBudgetWithAllItsChecks) {
  for (const int64_t call_ms : {1, 18, 60, 100, 230, 400, 600}) {
    for (Mode mode : {Mode::kWall, Mode::kCold, Mode::kThroughput}) {
      // The call that sizes the chunks and one sample do not fit into the budget.
      if (mode == Mode::kThroughput && call_ms > 500) continue;
      FakeDevice device({.flush_ns = 1});
      OpenWorkload work(device, call_ms * kNsPerMs);
      const int64_t start_ns = device.NowNs();
      const auto set =
          Measure(device, mode, work,
                  {.precision = {.relative_half_width = -1, .min_samples_in_budget = 1},
                   .strict_budget = true});
      ASSERT_TRUE(set.ok());
      EXPECT_LE(device.NowNs() - start_ns - set->warmup->total_ns, 1'100 * kNsPerMs)
          << ModeName(mode) << " " << call_ms << " ms";
      EXPECT_GE(set->samples_ns.size() * call_ms * set->calls_per_sample, 400)
          << ModeName(mode) << " " << call_ms << " ms";
    }
  }
}

// A pair of calls on other inputs takes three calls: 0.297 ms.
TEST(Measure, LooksForThreeHundredthsOfTheBudgetAtOtherInputsAndForFiveAtAnIdleDevice) {
  struct Watched : FakeDevice {
    void IdleNs(int64_t ns) override {
      idle_ns += ns;
      FakeDevice::IdleNs(ns);
    }
    int64_t idle_ns = 0;
  };
  struct Paired : OpenWorkload {
    using OpenWorkload::OpenWorkload;
    void UseInputs(int set) override {
      pairs += set == 1;
      OpenWorkload::UseInputs(set);
    }
    int pairs = 0;
  };
  for (const auto& [budget_ms, pairs, idle_ms] : {std::tuple{100, 10, 5}, {1'000, 20, 20}}) {
    Watched device;
    Paired work(device, 99 * kUs);
    const auto set = Measure(device, Mode::kWall, work,
                             {.precision = {.budget = absl::Milliseconds(budget_ms)}});
    ASSERT_TRUE(set.ok()) << set.status();
    EXPECT_EQ(work.pairs, pairs) << "3 ms, and 20 pairs at most";
    EXPECT_EQ(device.idle_ns, idle_ms * kNsPerMs) << "20 ms at most";
  }
}

// Four calls of 81 ms follow the samples, for which a fifth of a strict budget is kept. The eleventh
// sample would end at 1.091 s.
TEST(Measure, KeepsAFifthOfAStrictBudgetForItsChecks) {
  FakeDevice device;
  OpenWorkload work(device, 81 * kNsPerMs);
  const auto set = Measure(device, Mode::kWall, work,
                           {.precision = {.relative_half_width = -1, .min_samples_in_budget = 1},
                            .strict_budget = true});
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->samples_ns.size(), 10);
}

// Writes a buffer that the first flush allocates, as the CPU's device does.
class SlowFlush : public FakeDevice {
 public:
  using FakeDevice::FakeDevice;
  absl::Status FlushCache(int64_t) override {
    HostWork((flushes_++ == 0 ? 200 : 60) * kNsPerMs);
    return FakeDevice::FlushCache();
  }

 private:
  int flushes_ = 0;
};

TEST(Cold, ProbesOnlyWhereFlushesLeaveAStrictBudgetTimeForSamples) {
  for (const auto& [budget_ms, status, samples] :
       {std::tuple{200, CheckStatus::kNotRun, 3},
        {590, CheckStatus::kNotRun, 6},  // the probes' five flushes are half of 600 ms
        {610, CheckStatus::kOk, 3},
        {2'000, CheckStatus::kOk, 20}}) {
    SlowFlush device;
    const int64_t start_ns = device.NowNs();
    const auto set = Measure(device, Mode::kCold, [&] { device.HostWork(kNsPerMs / 10); },
                             {.precision = {.relative_half_width = -1,
                                            .budget = absl::Milliseconds(budget_ms),
                                            .min_samples_in_budget = 1},
                              .strict_budget = true});
    ASSERT_TRUE(set.ok()) << set.status();
    EXPECT_LE(device.NowNs() - start_ns - set->warmup->total_ns, 1.1 * budget_ms * kNsPerMs)
        << budget_ms;
    EXPECT_GE(set->samples_ns.size(), samples) << budget_ms;
    for (const char* name : {"cache_cold", "null_small"}) {
      const Check check = CheckOf(*set, name);
      EXPECT_EQ(check.status, status) << name << ", " << budget_ms << ": " << check.detail;
    }
  }
}

TEST(Measure, KeepsAStrictBudgetWithFewSamples) {
  for (const auto& [call_ms, samples] : {std::pair{400, 2}, {600, 1}, {5'000, 1}}) {
    FakeDevice device;
    const auto set =
        Measure(device, Mode::kWall, [&, ms = call_ms] { device.HostWork(ms * kNsPerMs); },
                {.precision = {.min_samples_in_budget = 1}, .strict_budget = true});
    ASSERT_TRUE(set.ok());
    EXPECT_EQ(set->samples_ns.size(), samples) << call_ms;
  }
}

// Six samples of a slow call exceed the budget; nothing exceeds ten times as much.
TEST(Measure, HasAnUpperEndForSlowCalls) {
  for (const bool strict : {false, true}) {
    for (const int64_t call_ms : {120, 600, 2'000, 20'000}) {
      FakeDevice device({.flush_ns = 1});
      OpenWorkload work(device, call_ms * kNsPerMs);
      const int64_t start_ns = device.NowNs();
      const auto set =
          Measure(device, Mode::kWall, work,
                  {.precision = {.budget = absl::Milliseconds(500)}, .strict_budget = strict});
      ASSERT_TRUE(set.ok());
      const int64_t took_ms = (device.NowNs() - start_ns - set->warmup->total_ns) / kNsPerMs;
      EXPECT_LE(took_ms, std::max<int64_t>(5'000, call_ms + 100)) << call_ms;
      EXPECT_GE(set->samples_ns.size(), call_ms > 600 ? (call_ms > 5'000 ? 1 : 2) : 6) << call_ms;
    }
  }
}

TEST(Measure, PassesOnALostDeviceWhereverItHappens) {
  for (Mode mode : AllModes()) {
    for (int64_t fail = 1; fail < 60; ++fail) {
      FakeDevice device({.timers = 1, .fail_synchronize = fail, .graphs = true});
      const auto set = Measure(device, mode, [&] { device.Enqueue(kNsPerMs); }, {});
      if (set.ok()) {
        EXPECT_GT(fail, 30) << ModeName(mode);
      } else {
        EXPECT_EQ(set.status().code(), absl::StatusCode::kUnavailable) << ModeName(mode);
      }
    }
  }
}

TEST(Measure, LetsExceptionsOfTheCallThrough) {
  FakeDevice device;
  int64_t n = 0;
  const auto call = [&] {
    device.HostWork(kNsPerMs);
    if (++n == 40) throw std::runtime_error("CUDA out of memory");
  };
  EXPECT_THROW(Measure(device, Mode::kWall, call, {}).IgnoreError(), std::runtime_error);
}

}  // namespace
}  // namespace assay::sampling
