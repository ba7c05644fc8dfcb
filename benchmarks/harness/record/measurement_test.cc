#include "benchmarks/harness/record/measurement.h"

#include <cmath>

#include "gtest/gtest.h"

namespace assay::record {
namespace {

sampling::SampleSet OneTo(int n) {
  sampling::SampleSet set{.mode = sampling::Mode::kHot};
  set.samples_ns.resize(n);
  // 1 to n, from n on, in an order in which neighbours have nothing to do with each other.
  for (int i = 0; i < n; ++i) set.samples_ns[i] = n - i * 17 % n;
  set.calls_per_sample = 20;
  set.stop_reason = sampling::StopReason::kPrecise;
  set.cpu_ns = 7.5;
  return set;
}

TEST(ToMeasurement, KeepsEverySampleInOrderAndTheFigures) {
  sampling::SampleSet set = OneTo(30);
  set.warmup =
      sampling::WarmupReport{.first_call_ns = 900, .total_ns = 1200, .calls = 4, .steady = true};
  const auto m = ToMeasurement(set, "forward");
  ASSERT_TRUE(m.ok()) << m.status();
  EXPECT_EQ(m->mode(), "hot");
  EXPECT_EQ(m->step(), "forward");
  EXPECT_EQ(m->stop_reason(), "precise");
  EXPECT_EQ(m->calls_per_sample(), 20);
  ASSERT_EQ(m->samples_ns_size(), 30);
  EXPECT_EQ(m->samples_ns(0), 30);
  EXPECT_EQ(m->median_ns(), 15.5);
  EXPECT_EQ(m->ci_low_ns(), 10);
  EXPECT_EQ(m->ci_high_ns(), 21);
  EXPECT_NEAR(m->p10_ns(), 3.9, 1e-12);
  EXPECT_NEAR(m->p90_ns(), 27.1, 1e-12);
  EXPECT_EQ(m->minimum_ns(), 1);
  EXPECT_EQ(m->mean_ns(), 15.5);
  EXPECT_EQ(m->cpu_ns(), 7.5);
  EXPECT_FALSE(m->has_instructions_per_call());
  EXPECT_EQ(m->first_call_ns(), 900);
  EXPECT_EQ(m->warmup_ns(), 1200);
  EXPECT_EQ(m->warmup_calls(), 4);
  EXPECT_TRUE(m->steady());
  EXPECT_EQ(m->flops_per_call(), 0);
}

TEST(ToMeasurement, KeepsInstructionsOrWhyThereAreNone) {
  sampling::SampleSet set = OneTo(30);
  set.instructions = 1234.5;
  EXPECT_EQ(ToMeasurement(set, "forward")->instructions_per_call(), 1234.5);
  set.instructions.reset();
  set.instructions_missing = "no counter";
  const auto m = ToMeasurement(set, "forward");
  EXPECT_FALSE(m->has_instructions_per_call());
  EXPECT_EQ(m->instructions_missing(), "no counter");
}

TEST(ToMeasurement, LeavesFiguresUnsetThatTheSamplesCannotCarry) {
  const auto m = ToMeasurement(OneTo(5), "forward");
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->median_ns(), 3);
  EXPECT_EQ(m->ci_low_ns(), 0);
  EXPECT_EQ(m->ci_high_ns(), 0);
  EXPECT_EQ(m->p90_ns(), 0);
}

TEST(ToMeasurement, OfNoSamplesHasNoFigures) {
  const auto m = ToMeasurement(OneTo(0), "forward");
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->median_ns(), 0);
  EXPECT_EQ(m->samples_ns_size(), 0);
}

TEST(ToMeasurement, KeepsWhatTheChecksFoundAndWhyOthersWereNotRun) {
  sampling::SampleSet set = OneTo(30);
  set.checks = {{.name = "steady", .status = sampling::CheckStatus::kFlagged, .detail = "-9 %"},
                {.name = "warm", .status = sampling::CheckStatus::kNotRun, .detail = "no warm-up"}};
  set.clock_mhz = std::vector<uint32_t>(30, 2400);
  set.elapsed_ns = int64_t{2} * 465 * 20;  // the samples add up to 465, of 20 calls each
  set.leaked_bytes = 77;
  const auto m = ToMeasurement(set, "forward");
  ASSERT_TRUE(m.ok());
  ASSERT_EQ(m->checks_size(), 2);
  EXPECT_EQ(m->checks(0).name(), "steady");
  EXPECT_EQ(m->checks(0).status(), CHECK_FLAGGED);
  EXPECT_EQ(m->checks(0).detail(), "-9 %");
  EXPECT_EQ(m->checks(1).status(), CHECK_NOT_RUN);
  EXPECT_EQ(m->clock_mhz_size(), 30);
  EXPECT_DOUBLE_EQ(m->timed_share(), 0.5);
  EXPECT_EQ(m->leaked_bytes(), 77);
}

TEST(ToMeasurement, CountsOutliersAndKeepsThem) {
  sampling::SampleSet set = OneTo(300);
  set.samples_ns[7] = 2'000;
  const auto m = ToMeasurement(set, "forward");
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->outliers_mild(), 0);
  EXPECT_EQ(m->outliers_severe(), 1);
  EXPECT_EQ(m->samples_ns(7), 2'000);
  EXPECT_GT(m->p99_ns(), 290);
}

TEST(ToMeasurement, RefusesANonFiniteSample) {
  sampling::SampleSet set = OneTo(10);
  set.samples_ns[4] = std::nan("");
  EXPECT_EQ(ToMeasurement(set, "forward").status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace assay::record
