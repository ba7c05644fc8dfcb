#include "benchmarks/harness/sampling/evidence.h"

#include <cstdint>
#include <functional>

#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/shot.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

constexpr int64_t kShotUs = 1'000;

TEST(ShotTally, SumsWhatEachShotHas) {
  ShotTally tally({.clock = Protocol::Clock::kHost}, {});
  tally.Add({.duration_ns = 10, .start_ns = 100, .end_ns = 130});
  EXPECT_FALSE(tally.cpu_known);
  EXPECT_EQ(tally.cpu_wall_ns + tally.cpu_ns, 0);
  EXPECT_EQ(tally.enqueued_wall_ns + tally.enqueue_ns, 0);
  tally.Add({.duration_ns = 20, .start_ns = 200, .end_ns = 240, .enqueue_ns = 7, .cpu_ns = 0});
  tally.Add({.duration_ns = 30, .start_ns = 300, .end_ns = 350, .enqueue_ns = 0, .cpu_ns = 9});
  EXPECT_EQ(tally.shots, 3);
  EXPECT_EQ(tally.duration_ns, 60);
  EXPECT_EQ(tally.enqueue_ns, 7);
  EXPECT_EQ(tally.enqueued_wall_ns, 90);
  EXPECT_TRUE(tally.cpu_known);
  EXPECT_EQ(tally.cpu_ns, 9);
  EXPECT_EQ(tally.cpu_wall_ns, 90);
  EXPECT_EQ(tally.instructions, -1) << "two shots have none";
  EXPECT_EQ(tally.unheld, 0);
  tally.Add({.held = false});
  EXPECT_EQ(tally.unheld, 1);
}

// A shot of so long by the timer and as long by the host's clock.
Shot Timed(int64_t duration_ns) { return {.duration_ns = duration_ns, .end_ns = duration_ns}; }

ShotTally Tallied(const Protocol& protocol, const Shot& shot, const NullReading& null = {}) {
  ShotTally tally(protocol, null);
  tally.Add(shot);
  return tally;
}

constexpr Protocol kTimed = {.clock = Protocol::Clock::kTimer};

// 5 us, or 2 % of the duration where these are more; what an empty function takes is no work.
TEST(ShotTally, WorkIsLateBeyondTwoClocksDifference) {
  const auto late = [](int64_t duration_ns, int64_t residual_ns, int64_t null_ns = 0) {
    Shot shot = Timed(duration_ns);
    shot.residual_ns = residual_ns;
    const ShotTally tally = Tallied(kTimed, shot, {.residual_ns = null_ns});
    EXPECT_EQ(tally.worst_late_ns, residual_ns - null_ns);
    return tally.late;
  };
  EXPECT_EQ(late(100 * kShotUs, 5 * kShotUs), 0);
  EXPECT_EQ(late(100 * kShotUs, 5 * kShotUs + 1), 1);
  EXPECT_EQ(late(1'000 * kShotUs, 20 * kShotUs), 0);
  EXPECT_EQ(late(1'000 * kShotUs, 20 * kShotUs + 1), 1);
  EXPECT_EQ(late(100 * kShotUs, 8 * kShotUs, 3 * kShotUs), 0);
  EXPECT_EQ(late(100 * kShotUs, 8 * kShotUs + 1, 3 * kShotUs), 1);
  Shot shot = Timed(1);
  shot.residual_ns = 50 * kShotUs;
  EXPECT_EQ(Tallied({.clock = Protocol::Clock::kHost}, shot).late, 0) << "it reads one clock";
}

// By how many ns one clock may differ from the other: 2 % of the duration and 5 us.
void ExpectLimit(const Protocol& protocol, int64_t limit_ns,
                 const std::function<void(Shot& shot, int64_t ns)>& move, bool held = true) {
  for (const int64_t beyond : {0, 1}) {
    Shot shot = Timed(1'000 * kShotUs);
    shot.held = held;
    move(shot, limit_ns + beyond);
    EXPECT_EQ(Tallied(protocol, shot).apart, beyond) << limit_ns;
  }
}

TEST(ShotTally, ClocksAreApartBeyondTwoPerCentAndWhatALaunchTakes) {
  const auto longer = [](Shot& shot, int64_t ns) { shot.end_ns += ns; };
  const auto shorter = [](Shot& shot, int64_t ns) { shot.end_ns -= ns; };
  ExpectLimit(kTimed, 75 * kShotUs, longer);
  ExpectLimit(kTimed, 25 * kShotUs, shorter);
  Protocol flushed = kTimed;
  flushed.flush = true;
  ExpectLimit(flushed, 25 * kShotUs, shorter);
  Shot late = Timed(1'000 * kShotUs);
  late.end_ns *= 2;
  EXPECT_EQ(Tallied(flushed, late).apart, 0) << "a flush is in the host's time";
}

TEST(ShotTally, TheDevicesOwnClockAllowsALaunchWhereNoQueueIsHeld) {
  const auto longer = [](Shot& shot, int64_t ns) { shot.clock.span_ns = shot.duration_ns + ns; };
  const auto shorter = [](Shot& shot, int64_t ns) { shot.clock.span_ns = shot.duration_ns - ns; };
  Protocol held = kTimed;
  held.hold = true;
  ExpectLimit(kTimed, 75 * kShotUs, longer);
  ExpectLimit(held, 25 * kShotUs, longer);
  ExpectLimit(held, 75 * kShotUs, longer, /*held=*/false);
  ExpectLimit(kTimed, 25 * kShotUs, shorter);
  Shot shot = Timed(1'000 * kShotUs);
  shot.clock.span_ns = 1'010 * kShotUs;
  EXPECT_EQ(Tallied(held, shot).worst_apart_ns, 10 * kShotUs);
}

TEST(ShotTally, SumsInstructionsIfEachShotHasThem) {
  ShotTally tally({.clock = Protocol::Clock::kHost}, {});
  tally.Add({.cpu_ns = 1, .instructions = 40});
  tally.Add({.cpu_ns = 1, .instructions = 2});
  EXPECT_EQ(tally.instructions, 42);
  tally.Add({.cpu_ns = 1});
  tally.Add({.cpu_ns = 1, .instructions = 2});
  EXPECT_EQ(tally.instructions, -1);
}

}  // namespace
}  // namespace assay::sampling
