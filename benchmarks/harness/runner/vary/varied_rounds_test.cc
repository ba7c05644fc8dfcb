#include "benchmarks/harness/runner/vary/varied_rounds.h"

#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "benchmarks/harness/sampling/device/fake_device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;

// Calls of size i take (i + 1) ms, and a switch of sizes as much more as the test says.
class SizedWork final : public VariedWork {
 public:
  SizedWork(sampling::FakeDevice& device, int64_t switch_ns)
      : device_(device), switch_ns_(switch_ns) {}

  void Use(size_t size, int64_t call) override {
    device_.HostWork(50'000);  // not to be timed
    EXPECT_EQ(call, calls_++);
    used_ = size;
  }
  void Call() override {
    device_.HostWork(static_cast<int64_t>(used_ + 1) * 1'000'000 +
                     (used_ == last_ ? 0 : switch_ns_));
    last_ = used_;
    order_.push_back(used_);
    if (called) called();
  }

  const std::vector<size_t>& order() const { return order_; }
  std::function<void()> called = nullptr;

 private:
  sampling::FakeDevice& device_;
  const int64_t switch_ns_;
  int64_t calls_ = 0;
  size_t used_ = 0, last_ = 99;
  std::vector<size_t> order_;
};

class MeasureVariedTest : public testing::Test {
 protected:
  absl::StatusOr<VariedTimes> Measure(SizedWork& work, double budget_s = 1) {
    return MeasureVaried(device_, mix_, work,
                         {.budget = absl::Seconds(budget_s), .interrupted = &interrupted_});
  }

  sampling::FakeDevice device_;
  Mix mix_ = *ParseMix("n=1,2:2,3", 5);
  std::atomic<bool> interrupted_{false};
};

TEST_F(MeasureVariedTest, TimesEachSizeByItselfAndAsDealt) {
  SizedWork work(device_, 0);
  const auto times = Measure(work, 0.1);
  ASSERT_TRUE(times.ok());
  EXPECT_GE(times->decks, 6);
  EXPECT_EQ(times->dealt_ns.size(), times->decks);
  EXPECT_THAT(times->dealt_ns, Each(2e6));  // (1 + 2 + 2 + 3) / 4
  for (size_t size = 0; size < 3; ++size) {
    EXPECT_EQ(times->between_ns[size].size(), mix_.sizes[size].weight * times->decks);
    EXPECT_EQ(times->alone_ns[size].size(), mix_.sizes[size].weight * times->decks);
    EXPECT_THAT(times->between_ns[size], Each(1e6 * static_cast<double>(size + 1)));
    EXPECT_THAT(times->alone_ns[size], Each(1e6 * static_cast<double>(size + 1)));
    EXPECT_EQ(RatioOf(mix_, *times, size).median, 1);
  }
  const VariedRatio all = RatioOf(mix_, *times);
  EXPECT_EQ(all.median, 1);
  EXPECT_EQ(all.low, 1);
  EXPECT_EQ(all.high, 1);
}

TEST_F(MeasureVariedTest, FindsWhatASwitchOfSizesCosts) {
  mix_ = *ParseMix("n=1,2", 5);
  SizedWork work(device_, 3'000'000);
  const auto times = Measure(work);
  ASSERT_TRUE(times.ok());
  EXPECT_THAT(times->alone_ns[0], Each(1e6));
  EXPECT_THAT(times->alone_ns[1], Each(2e6));
  // A deck of two calls switches once or twice: 6 or 9 ms as dealt, 3 alone.
  const VariedRatio all = RatioOf(mix_, *times);
  EXPECT_GE(all.median, 2);
  EXPECT_LE(all.median, 3);
}

TEST_F(MeasureVariedTest, DealsTheDecksOfTheMix) {
  SizedWork work(device_, 0);
  const auto times = Measure(work, 0.01);
  ASSERT_TRUE(times.ok());
  // The first round that is kept: as dealt, then three calls of each size before those that are timed.
  std::vector<size_t> round = mix_.Deck(0);
  for (const size_t size : {0, 1, 2})
    round.insert(round.end(), 3 + static_cast<size_t>(mix_.sizes[size].weight), size);
  const auto first = work.order().begin() + 2 * static_cast<std::ptrdiff_t>(round.size());
  EXPECT_EQ(std::vector(first, first + static_cast<std::ptrdiff_t>(round.size())), round);
}

// The halves of a round change places.
TEST_F(MeasureVariedTest, TurnsAboutSoThatADriftFallsOnBoth) {
  int64_t slower_ns = 0;
  SizedWork work(device_, 0);
  work.called = [&] { device_.HostWork(slower_ns += 2'000); };
  const auto times = Measure(work);
  ASSERT_TRUE(times.ok());
  EXPECT_THAT(RatioOf(mix_, *times).median, DoubleNear(1, 0.02));
}

TEST_F(MeasureVariedTest, EndsAtTheBudget) {
  SizedWork work(device_, 0);
  const auto times = Measure(work, 1);
  ASSERT_TRUE(times.ok());
  EXPECT_EQ(times->decks, 125);  // 8 ms each
}

TEST_F(MeasureVariedTest, GivesUpAfterTenBudgetsWithOneRound) {
  SizedWork work(device_, 0);
  const auto times = Measure(work, 1e-6);
  ASSERT_TRUE(times.ok());
  EXPECT_EQ(times->decks, 1);
  EXPECT_EQ(RatioOf(mix_, *times).low, 0);
}

TEST_F(MeasureVariedTest, KeepsWholeDecksWhenInterrupted) {
  SizedWork work(device_, 0);
  work.called = [&] { interrupted_ = work.order().size() > 100; };
  const auto times = Measure(work, 10);
  ASSERT_TRUE(times.ok());
  EXPECT_EQ(work.order().size(), 101);  // no call more, in the middle of the fourth round
  EXPECT_EQ(times->decks, 3);
  EXPECT_EQ(times->dealt_ns.size(), 3);
  EXPECT_EQ(times->between_ns[1].size(), 6);
  EXPECT_EQ(times->alone_ns[1].size(), 6);
  SizedWork other(device_, 0);
  EXPECT_EQ(Measure(other).status().code(), absl::StatusCode::kCancelled);
}

TEST_F(MeasureVariedTest, SeesThatThreadsWaitedAndThatSamplesAreFew) {
  device_.counters() = {.run_delay_ns = 0};
  SizedWork work(device_, 0);
  work.called = [&] { device_.counters().run_delay_ns += 2'000'000; };
  const auto times = Measure(work);
  ASSERT_TRUE(times.ok());
  const auto status = [&](std::string_view name, const std::vector<double>& samples_ns) {
    for (const sampling::Check& check : ChecksOf(*times, samples_ns)) {
      if (check.name == name) return check.status;
    }
    return sampling::CheckStatus::kNotRun;
  };
  EXPECT_EQ(status("cpu_contention", times->dealt_ns), sampling::CheckStatus::kFlagged);
  EXPECT_EQ(status("samples", times->dealt_ns), sampling::CheckStatus::kOk);
  EXPECT_EQ(status("samples", {1, 2, 3}), sampling::CheckStatus::kNoted);
  EXPECT_EQ(status("samples", {1, 2, 3, 4, 5, 6, 7, 8, 9}), sampling::CheckStatus::kNoted);
}

TEST_F(MeasureVariedTest, PassesALostDeviceOn) {
  sampling::FakeDevice lost({.fail_synchronize = 30});
  SizedWork work(lost, 0);
  EXPECT_EQ(MeasureVaried(lost, mix_, work, {}).status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace assay::runner
