#include "benchmarks/harness/sampling/probes.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

constexpr int64_t kMicrosecond = 1'000;

// Queues 100 us a call, and less where the call before was on the same inputs: `again_ns`.
class QueuedWork : public TimedWork {
 public:
  QueuedWork(FakeDevice& device, int64_t again_ns) : device_(device), again_ns_(again_ns) {}
  void Call() override {
    device_.Enqueue(set_ == last_ ? again_ns_ : 100 * kMicrosecond);
    last_ = set_;
  }
  int InputSets() const override { return 2; }
  void UseInputs(int set) override { set_ = set; }

 private:
  FakeDevice& device_;
  const int64_t again_ns_;
  int set_ = 0, last_ = -1;
};

TEST(TryFreshInputs, TimesOneCallOfADeviceThatQueues) {
  FakeDevice device({.timers = 1});
  QueuedWork work(device, 100 * kMicrosecond);
  const absl::StatusOr<FreshInputs> fresh = TryFreshInputs(device, work, 5);
  ASSERT_TRUE(fresh.ok()) << fresh.status();
  EXPECT_EQ(fresh->same_ns, 100 * kMicrosecond);
  EXPECT_EQ(fresh->other_over_same, 1);
}

TEST(TryFreshInputs, SeesThatTheSameInputsTakeLess) {
  FakeDevice device({.timers = 1});
  QueuedWork work(device, 60 * kMicrosecond);
  const absl::StatusOr<FreshInputs> fresh = TryFreshInputs(device, work, 5);
  ASSERT_TRUE(fresh.ok()) << fresh.status();
  EXPECT_EQ(fresh->same_ns, 60 * kMicrosecond);
  EXPECT_DOUBLE_EQ(fresh->other_over_same, 100.0 / 60);
}

TEST(TryFreshInputs, TakesForFirstVisitsOneOfEachOtherSet) {
  struct Remembering : TimedWork {
    explicit Remembering(FakeDevice& device) : device(device) {}
    void Call() override { device.Enqueue((seen.insert(set).second ? 100 : 60) * kMicrosecond); }
    int InputSets() const override { return 3; }
    void UseInputs(int used) override { set = used; }
    FakeDevice& device;
    std::set<int> seen;
    int set = 0;
  };
  for (const int pairs : {1, 2, 5}) {
    FakeDevice device({.timers = 1});
    Remembering work(device);
    const absl::StatusOr<FreshInputs> fresh = TryFreshInputs(device, work, pairs);
    ASSERT_TRUE(fresh.ok()) << fresh.status();
    EXPECT_EQ(fresh->first_visits, std::min(pairs, 2));
    EXPECT_EQ(fresh->least_first_visit_ns, 100 * kMicrosecond);
    EXPECT_EQ(fresh->same_ns, 60 * kMicrosecond);
  }
}

// Choosing inputs may queue a copy; it is no part of the call.
TEST(TryFreshInputs, LeavesOutWhatChoosingTheInputsQueues) {
  struct Copying : QueuedWork {
    explicit Copying(FakeDevice& device) : QueuedWork(device, 100 * kMicrosecond), device(device) {}
    void UseInputs(int set) override {
      QueuedWork::UseInputs(set);
      device.Enqueue(70 * kMicrosecond);
    }
    FakeDevice& device;
  };
  FakeDevice device({.timers = 1});
  Copying work(device);
  const absl::StatusOr<FreshInputs> fresh = TryFreshInputs(device, work, 5);
  ASSERT_TRUE(fresh.ok()) << fresh.status();
  EXPECT_EQ(fresh->same_ns, 100 * kMicrosecond);
  EXPECT_EQ(fresh->least_first_visit_ns, 100 * kMicrosecond);
}

// Its host loses 200 us in each of the waits numbered in `disturbed`, from 1.
class DisturbedDevice : public FakeDevice {
 public:
  explicit DisturbedDevice(std::set<int> disturbed)
      : FakeDevice({.timers = 1}), disturbed_(std::move(disturbed)) {}
  absl::Status Synchronize() override {
    if (disturbed_.count(++waits_) == 1) HostWork(200 * kMicrosecond);
    return FakeDevice::Synchronize();
  }

 private:
  const std::set<int> disturbed_;
  int waits_ = 0;
};

TEST(Probes, FlushAsOftenAsTheyAreReckonedWith) {
  FakeDevice device({.flush_ns = 1});
  ASSERT_TRUE(ReadNull(device, {.flush = true}).ok());
  EXPECT_EQ(absl::c_count(device.Journal(), 'f'), 3);
  ASSERT_TRUE(ProbeCache(device).ok());
  EXPECT_EQ(absl::c_count(device.Journal(), 'f'), kFlushesOfProbes);
}

TEST(LookForLateWork, TakesOneLongWaitForTheMachines) {
  int64_t calls = 0;
  for (const std::set<int>& disturbed : {std::set<int>{}, {1}, {20}, {85}}) {
    DisturbedDevice device(disturbed);
    calls = 0;
    const auto late = LookForLateWork(device, 20'000'000, [&] { ++calls; });
    ASSERT_TRUE(late.ok()) << late.status();
    EXPECT_EQ(late->device_ns, 0);
    EXPECT_EQ(late->longest_ns, disturbed.empty() ? 0 : 200 * kMicrosecond);
    EXPECT_EQ(calls, disturbed.size()) << "it calls again only where there is a doubt";
  }
}

TEST(LookForLateWork, TakesTwoLongWaitsForWork) {
  DisturbedDevice device({20, 30});
  const auto late = LookForLateWork(device, 20'000'000, nullptr);
  ASSERT_TRUE(late.ok()) << late.status();
  EXPECT_EQ(late->device_ns, 200 * kMicrosecond);
}

// Queued while the host waits for the call: it is over before the host would look a quarter of a
// millisecond later.
TEST(LookForLateWork, SeesWorkThatIsQueuedDuringTheWait) {
  FakeDevice device({.timers = 1});
  const auto call = [&] {
    device.Enqueue(50 * kMicrosecond);
    device.EnqueueLater(40 * kMicrosecond, 100 * kMicrosecond);
  };
  call();
  ASSERT_TRUE(device.Synchronize().ok());
  const auto late = LookForLateWork(device, 20'000'000, call);
  ASSERT_TRUE(late.ok()) << late.status();
  EXPECT_EQ(late->device_ns, 100 * kMicrosecond);
}

TEST(LookForLateWork, CallsAgainToTellWorkFromAMachine) {
  FakeDevice device({.timers = 1});
  const auto call = [&] { device.EnqueueLater(1'000 * kMicrosecond, 800 * kMicrosecond); };
  call();
  const auto late = LookForLateWork(device, 20'000'000, call);
  ASSERT_TRUE(late.ok()) << late.status();
  EXPECT_EQ(late->device_ns, 800 * kMicrosecond);
}

}  // namespace
}  // namespace assay::sampling
