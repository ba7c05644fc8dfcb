#include "benchmarks/operators/kernel/faster.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/operators/kernel/test_kernels.h"

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;

PairTimes Timed(const std::string& fault, Heat heat) {
  at::set_num_threads(1);
  const Candidate candidate = {.name = "kernel_test::" + fault, .row = ReluRow(), .threads = 1};
  absl::StatusOr<TimedPair> pair = TimedPair::Make(
      candidate, {.sizes = SizesAt(3, 40), .seed = 5, .budget = absl::Milliseconds(20)});
  EXPECT_TRUE(pair.ok()) << pair.status();
  sampling::CpuDevice device;
  const SecondClock second;
  absl::StatusOr<PairTimes> times = pair->Time(device, second, heat);
  EXPECT_TRUE(times.ok()) << times.status();
  return *std::move(times);
}

TEST(FasterTest, BothSidesHaveAsManySamplesAndTimedResultsAreLookedAt) {
  for (const Heat heat : {Heat::kHot, Heat::kCold}) {
    const PairTimes times = Timed("right", heat);
    EXPECT_EQ(times.wrong, "");
    EXPECT_EQ(times.candidate_ns.size(), times.aten_ns.size());
    EXPECT_GE(times.candidate_ns.size(), heat == Heat::kHot ? 6 : 2);
    EXPECT_GE(times.checked, 2);
    EXPECT_EQ(times.aten_bytes, 3 * 40 * 4);  // the result
    EXPECT_GE(times.candidate_bytes, times.aten_bytes);
  }
}

// Cheats that are right where a kernel is only checked.
class FasterCheatTest : public ::testing::TestWithParam<const char*> {};

TEST_P(FasterCheatTest, IsFoundWhileItIsTimed) {
  for (const Heat heat : {Heat::kHot, Heat::kCold})
    EXPECT_THAT(Timed(GetParam(), heat).wrong, HasSubstr("result [")) << static_cast<int>(heat);
}

INSTANTIATE_TEST_SUITE_P(Cheats, FasterCheatTest,
                         ::testing::Values("previous_output", "lazy_when_timed", "batched",
                                           "by_address", "later_thread"),
                         [](const auto& cheat) { return std::string(cheat.param); });

TEST(FasterTest, ACallThatDoesNotComeToItsEndAloneIsNotTimed) {
  at::set_num_threads(1);
  const Candidate candidate = {.name = "kernel_test::throws", .row = ReluRow(), .threads = 1};
  const absl::StatusOr<TimedPair> pair = TimedPair::Make(candidate, {.sizes = SizesAt(3, 40)});
  EXPECT_TRUE(absl::IsFailedPrecondition(pair.status()));
  EXPECT_THAT(pair.status().message(), HasSubstr("threw: no kernel for this"));
}

}  // namespace
}  // namespace assay::kernel
