#include "benchmarks/harness/sampling/probes.h"

#include <cstdint>
#include <optional>

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

}  // namespace
}  // namespace assay::sampling
