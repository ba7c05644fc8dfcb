#include "tools/kernel/report/verdicts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::kernel {
namespace {

// The answer of one process: ATen takes 100 us, with a hot and a cold cache.
KernelCandidate Timed(double hot_speedup, double cold_speedup) {
  KernelCandidate answer;
  KernelSize& size = *answer.add_sizes();
  for (auto [times, speedup] :
       {std::pair(size.mutable_hot(), hot_speedup), std::pair(size.mutable_cold(), cold_speedup)}) {
    times->add_aten_ns(1e5);
    times->add_candidate_ns(1e5 / speedup);
    times->set_speedup(speedup);
    times->set_samples(10);
  }
  size.set_bytes(8);
  return answer;
}

KernelCandidate Checked() {
  KernelCandidate candidate;
  candidate.set_verdict("RIGHT");
  candidate.add_sizes()->set_right(true);
  return candidate;
}

TEST(VerdictsTest, SpeedupsOfProcessesMakeAnInterval) {
  KernelCandidate candidate = Checked();
  Conclude({Timed(2.00, 0.50), Timed(2.02, 0.51), Timed(1.98, 0.49), Timed(2.01, 0.50),
            Timed(1.99, 0.50)},
           candidate);
  const KernelSize& size = candidate.sizes(0);
  EXPECT_EQ(size.hot().conclusion(), "FASTER");
  EXPECT_EQ(size.cold().conclusion(), "SLOWER");
  EXPECT_NEAR(size.hot().speedup(), 2, 0.01);
  EXPECT_LT(size.hot().low(), 2);
  EXPECT_GT(size.hot().high(), 2);
  EXPECT_EQ(size.hot().samples(), 50);
  EXPECT_EQ(size.hot().candidate_ns_size(), 5);
  EXPECT_EQ(size.bytes(), 8);
  EXPECT_NEAR(candidate.mean_speedup(), size.hot().speedup(), 1e-12);
}

TEST(VerdictsTest, SharesOfThePeaksAreAbsentWhereTheyAreUnknown) {
  KernelCandidate candidate = Checked(), timed = Timed(2, 1);
  timed.mutable_sizes(0)->set_bytes(5e5);  // cold in 100 us: 5 GB/s
  timed.mutable_sizes(0)->set_memory_bytes(64);
  Conclude({timed, timed}, candidate);
  EXPECT_FALSE(candidate.sizes(0).cold().has_peak_share());
  EXPECT_EQ(candidate.sizes(0).memory_bytes(), 64);

  candidate = Checked();
  candidate.mutable_peaks()->set_bytes_per_s(2e10);
  candidate.mutable_peaks()->set_flops_per_s(1e11);
  Conclude({timed, timed}, candidate);
  EXPECT_NEAR(candidate.sizes(0).cold().peak_share(), 0.25, 1e-9);
  EXPECT_FALSE(candidate.sizes(0).hot().has_peak_share());  // a cache is faster than memory

  candidate.mutable_sizes(0)->Clear();
  timed.mutable_sizes(0)->set_flops(4e6);  // 40 us at the peak; hot in 50 us
  Conclude({timed, timed}, candidate);
  EXPECT_NEAR(candidate.sizes(0).hot().peak_share(), 0.8, 1e-9);
  EXPECT_NEAR(candidate.sizes(0).cold().peak_share(), 0.4, 1e-9);
}

TEST(VerdictsTest, NoiseIsNoVerdict) {
  KernelCandidate candidate = Checked();
  Conclude({Timed(2, 1), Timed(0.5, 1), Timed(1, 1)}, candidate);
  EXPECT_EQ(candidate.sizes(0).hot().conclusion(), "INCONCLUSIVE");
  EXPECT_EQ(candidate.sizes(0).cold().conclusion(), "SAME");
}

TEST(VerdictsTest, AFlagOfOneProcessIsTheSizes) {
  KernelCandidate candidate = Checked(), flagged = Timed(3, 3);
  flagged.mutable_sizes(0)->set_flagged("clocks differ");
  Conclude({Timed(3, 3), flagged}, candidate);
  EXPECT_EQ(candidate.sizes(0).flagged(), "clocks differ");
  EXPECT_EQ(FastShare(candidate, 1), 0);
  EXPECT_EQ(candidate.mean_speedup(), 0)
      << "who ranks by it must not rank what is not to be believed";
}

TEST(VerdictsTest, TheFastShareCountsSizesThatAreRightAndFast) {
  KernelCandidate candidate = Checked();
  candidate.mutable_sizes(0)->mutable_hot()->set_speedup(1.5);
  candidate.add_sizes()->mutable_hot()->set_speedup(4);  // not right
  EXPECT_EQ(FastShare(candidate, 1.5), 0.5);
  EXPECT_EQ(FastShare(candidate, 1.6), 0);
  candidate.set_verdict("WRONG");
  EXPECT_EQ(FastShare(candidate, 1), 0);
  EXPECT_EQ(FastShare({}, 1), 0);
}

TEST(VerdictsTest, OnlyTheGateAsksForTimes) {
  KernelReport report;
  KernelCandidate& candidate = *report.add_candidates();
  candidate = Checked();
  EXPECT_EQ(ExitCode(report, /*gate=*/true), 0);
  candidate.mutable_sizes(0)->set_flagged("clocks differ");
  EXPECT_EQ(ExitCode(report, /*gate=*/false), 0);
  EXPECT_EQ(ExitCode(report, /*gate=*/true), 2);
  candidate.mutable_sizes(0)->mutable_cold()->set_conclusion("SLOWER");
  EXPECT_EQ(ExitCode(report, /*gate=*/false), 0);
  EXPECT_EQ(ExitCode(report, /*gate=*/true), 1);
  candidate.set_verdict("UNAVAILABLE");
  candidate.clear_sizes();
  EXPECT_EQ(ExitCode(report, /*gate=*/false), 2);
  report.add_candidates()->set_verdict("WRONG");
  EXPECT_EQ(ExitCode(report, /*gate=*/false), 1);
}

}  // namespace
}  // namespace assay::kernel
