#include "benchmarks/operators/kernel/faster.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/operators/kernel/test_kernels.h"

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;

PairTimes Timed(
    const std::string& fault, Heat heat, absl::Duration budget = absl::Milliseconds(20),
    std::unique_ptr<sampling::Device> device = std::make_unique<sampling::CpuDevice>()) {
  at::set_num_threads(1);
  const Candidate candidate = {.name = fault, .row = ReluRow(), .threads = 1};
  absl::StatusOr<TimedPair> pair =
      TimedPair::Make(candidate, {.sizes = SizesAt(3, 40), .seed = 5, .budget = budget});
  EXPECT_TRUE(pair.ok()) << pair.status();
  const SecondClock second;
  absl::StatusOr<PairTimes> times = pair->Time(*device, second, heat);
  EXPECT_TRUE(times.ok()) << times.status();
  return *std::move(times);
}

TEST(FasterTest, BothSidesHaveAsManySamplesAndTimedResultsAreLookedAt) {
  for (const Heat heat : {Heat::kHot, Heat::kCold}) {
    const PairTimes times = Timed("kernel_test::right", heat);
    EXPECT_EQ(times.wrong, "");
    EXPECT_EQ(times.candidate_ns.size(), times.aten_ns.size());
    EXPECT_GE(times.candidate_ns.size(), heat == Heat::kHot ? 6 : 2);
    EXPECT_GE(times.checked, 2);
    EXPECT_EQ(times.aten_bytes, 3 * 40 * 4);  // the result
    EXPECT_GE(times.candidate_bytes, times.aten_bytes);
  }
}

// Cheats that are right where a kernel is only checked.
struct Cheat {
  const char *name, *text;
  int64_t budget_ms = 20;
  // Whether a cold cache shows it as well: a sample is one call there, and samples are few.
  bool cold = true;
};
class FasterCheatTest : public ::testing::TestWithParam<Cheat> {};

TEST_P(FasterCheatTest, IsFoundWhileItIsTimed) {
  const std::string op = absl::StrCat("cheats::", GetParam().name);
  EXPECT_THAT(Timed(op, Heat::kHot, absl::Milliseconds(GetParam().budget_ms)).wrong,
              HasSubstr(GetParam().text));
  if (GetParam().cold) {
    EXPECT_THAT(Timed(op, Heat::kCold).wrong, HasSubstr(GetParam().text));
  }
  EXPECT_EQ(Timed(op + "_twin", Heat::kHot).wrong, "");
}

INSTANTIATE_TEST_SUITE_P(
    Cheats, FasterCheatTest,
    ::testing::Values(Cheat{"previous_output", "result ["}, Cheat{"idle_after_3", "result ["},
                      Cheat{"idle_after_1000", "result [", 500, false},
                      Cheat{"idle_when_timed", "result ["}, Cheat{"batched", "result ["},
                      Cheat{"batched_by_sample", "result [", 100, false},
                      Cheat{"by_address", "result ["},
                      Cheat{"by_first_values", "result [", 20, false},
                      Cheat{"later_thread_when_timed", "result ["},
                      Cheat{"zeroes_input_when_timed", "writes to input 'self'"}),
    [](const auto& cheat) { return std::string(cheat.param.name); });

struct SlowClock : sampling::CpuDevice {
  int64_t NowNs() override { return CpuDevice::NowNs() / 2; }
};
struct ManyCpus : sampling::CpuDevice {
  int64_t ProcessCpuNs() override { return 100 * CpuDevice::ProcessCpuNs(); }
};

TEST(FasterTest, SaysWhyTimesAreNotToBeBelieved) {
  const std::string right = "kernel_test::right";
  EXPECT_EQ(Timed(right, Heat::kHot).flagged, "");
  EXPECT_THAT(
      Timed(right, Heat::kHot, absl::Milliseconds(20), std::make_unique<SlowClock>()).flagged,
      HasSubstr("the processor's counter differ"));
  EXPECT_THAT(
      Timed(right, Heat::kHot, absl::Milliseconds(20), std::make_unique<ManyCpus>()).flagged,
      HasSubstr("of other threads, and it has one thread"));
}

TEST(FasterTest, ACallThatDoesNotComeToItsEndAloneIsNotTimed) {
  at::set_num_threads(1);
  const Candidate candidate = {.name = "kernel_test::throws", .row = ReluRow(), .threads = 1};
  const absl::StatusOr<TimedPair> pair = TimedPair::Make(candidate, {.sizes = SizesAt(3, 40)});
  EXPECT_TRUE(absl::IsFailedPrecondition(pair.status()));
  EXPECT_THAT(pair.status().message(), HasSubstr("threw: no kernel for this"));
}

}  // namespace
}  // namespace assay::kernel
