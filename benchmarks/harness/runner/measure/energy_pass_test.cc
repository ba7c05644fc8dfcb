#include "benchmarks/harness/runner/measure/energy_pass.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/harness/sampling/device/fake_device.h"
#include "benchmarks/harness/sampling/timed_work.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using environment::EnergyCounter;
using testing::HasSubstr;

constexpr int64_t kCallNs = 20'000'000;

// A machine of which the processor takes 10 W, and 30 W more while a call runs.
class EnergyMeterTest : public testing::Test {
 protected:
  // Counts `share` of what the processor takes, in microjoules.
  EnergyCounter Counter(const std::string& name, double share = 1, uint64_t range = 0) {
    return {.name = name,
            .in_sum = name != "psys",
            .joules_per_count = 1e-6,
            .range = range,
            .read = [this, share, range]() -> std::optional<uint64_t> {
              const double busy_s = 1e-9 * kCallNs * static_cast<double>(calls_);
              const double joules = 10e-9 * static_cast<double>(device_.NowNs()) + 30 * busy_s;
              const auto counts = static_cast<uint64_t>(share * 1e6 * joules);
              return range > 0 ? counts % range : counts;
            }};
  }

  absl::Status Measure(std::vector<EnergyCounter> counters) {
    EnergyMeter meter({.found = std::move(counters)}, device_, &interrupted_);
    Measurement& m = *record_.add_measurements();
    m.set_step("forward");
    m.set_unit("image");
    m.set_units_per_call(4);
    m.set_median_ns(kCallNs);
    m.add_samples_ns(kCallNs);
    const absl::Status measured = meter.MeasureSteps(
        record_.measurements(),
        [&](std::string_view) -> absl::StatusOr<sampling::TimedWork*> { return work_; },
        [&](const std::string&, const Energy& energy) { *m.mutable_energy() = energy; });
    missing_ = meter.Missing();
    return measured;
  }

  const Energy& energy() const { return record_.measurements(0).energy(); }

  sampling::FakeDevice device_;
  int64_t calls_ = 0;
  int64_t call_ns_ = kCallNs;
  sampling::TimedFunction function_{[this] {
    ++calls_;
    device_.HostWork(call_ns_);
  }};
  sampling::TimedWork* work_ = &function_;
  std::atomic<bool> interrupted_{false};
  Record record_;
  std::string missing_;
};

TEST_F(EnergyMeterTest, DividesWhatWasCountedByTheCallsWithIdlePowerBeside) {
  ASSERT_TRUE(Measure({Counter("package-0"), Counter("dram-0", 0.5), Counter("psys", 2)}).ok());
  EXPECT_EQ(missing_, "");
  EXPECT_GE(energy().window_s(), 5);
  EXPECT_LT(energy().window_s(), 5.2);
  EXPECT_EQ(energy().calls(), calls_);
  // 40 W for 20 ms, and half as much for the memory; the platform is in no sum.
  EXPECT_NEAR(energy().joules_per_call(), 1.5 * 0.8, 1e-3);
  EXPECT_NEAR(energy().watts(), 60, 0.05);
  EXPECT_NEAR(energy().idle_watts(), 15, 0.05);
  ASSERT_EQ(energy().domains_size(), 3);
  EXPECT_NEAR(energy().domains(2).watts(), 80, 0.1);
  EXPECT_FALSE(energy().domains(2).in_sum());
  EXPECT_THAT(EnergyLines(record_, ""),
              HasSubstr("energy    forward    1.2 J a call, 0.3 J/image; 60 W during 250 calls in "
                        "5.0 s, idle 15 W; package-0 40 W, dram-0 20 W, psys 80 W (in no sum)"));
}

TEST_F(EnergyMeterTest, ACounterThatBeginsAgainIsCountedOn) {
  constexpr uint64_t kRange = 6'000'000'000;  // 6 kJ, which 40 W need 150 s for
  device_.StepClock(590'000'000'000);         // 100 J before it begins again
  ASSERT_TRUE(Measure({Counter("package-0", 1, kRange)}).ok());
  EXPECT_NEAR(energy().watts(), 40, 0.05);
}

TEST_F(EnergyMeterTest, ALongCallGivesALongWindowAndNoFigureOfACounterThatMayHaveBegunTwice) {
  call_ns_ = 70'000'000'000;
  record_.Clear();
  ASSERT_TRUE(Measure({Counter("package-0", 1, 65'532'610'987)}).ok());
  EXPECT_FALSE(record_.measurements(0).has_energy());
  EXPECT_THAT(missing_, HasSubstr("forward: package-0 counts 6.55e+04 J and then begins at 0 "
                                  "again, in a window of 3"));
}

TEST_F(EnergyMeterTest, WhatCannotBeReadIsAbsentAndNever0) {
  EnergyCounter still = Counter("dram-0");
  still.read = [] { return std::optional<uint64_t>(7); };
  ASSERT_TRUE(Measure({still}).ok());
  EXPECT_FALSE(record_.measurements(0).has_energy());
  EXPECT_EQ(missing_, "dram-0 stands still");
  EXPECT_EQ(calls_, 0);
  EXPECT_EQ(EnergyLines(record_, missing_), "energy    not read   dram-0 stands still\n");

  record_.Clear();
  EnergyCounter lost = Counter("gpu-0");
  lost.read = [this, read = lost.read] { return calls_ > 0 ? std::nullopt : read(); };
  ASSERT_TRUE(Measure({lost}).ok());
  EXPECT_FALSE(record_.measurements(0).has_energy());
  EXPECT_EQ(missing_, "forward: gpu-0 is no longer read");

  record_.Clear();
  lost.read = [read = Counter("gpu-0").read, left = 1]() mutable {
    return left-- > 0 ? read() : std::nullopt;
  };
  ASSERT_TRUE(Measure({lost}).ok()) << "lost while the process does nothing";
  EXPECT_FALSE(record_.measurements(0).has_energy());
  EXPECT_EQ(missing_, "gpu-0 is no longer read");

  record_.Clear();
  ASSERT_TRUE(Measure({Counter("psys")}).ok());
  EXPECT_FALSE(record_.measurements(0).has_energy()) << "a platform alone";
}

class Prepared final : public sampling::TimedWork {
 public:
  void Call() override {}
  bool HasPreparation() const override { return true; }
};

TEST_F(EnergyMeterTest, AStepWithAPreparationHasNone) {
  Prepared prepared;
  work_ = &prepared;
  ASSERT_TRUE(Measure({Counter("package-0")}).ok());
  EXPECT_FALSE(record_.measurements(0).has_energy());
  EXPECT_THAT(missing_, HasSubstr("forward: each call needs another one before it"));
}

TEST_F(EnergyMeterTest, EndsWhereItIsInterrupted) {
  interrupted_ = true;
  EXPECT_EQ(Measure({Counter("package-0")}).code(), absl::StatusCode::kCancelled);
}

TEST_F(EnergyMeterTest, WithoutCountersNothingIsCalled) {
  const int64_t start_ns = device_.NowNs();
  ASSERT_TRUE(Measure({}).ok());
  EXPECT_EQ(device_.NowNs(), start_ns);
  EXPECT_EQ(EnergyLines(record_, ""), "");
}

}  // namespace
}  // namespace assay::runner
