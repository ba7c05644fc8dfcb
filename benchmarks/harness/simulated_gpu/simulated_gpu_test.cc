#include "benchmarks/harness/simulated_gpu/simulated_gpu.h"

#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/modes.h"

namespace assay::simulated_gpu {
namespace {

using sampling::Mode;

constexpr int64_t kMiB = int64_t{1} << 20;

double MedianNs(SimulatedGpu& gpu, Mode mode, const std::function<void()>& call) {
  sampling::SamplingOptions options;
  options.precision.budget = absl::Milliseconds(1);
  options.warmup.reset();
  options.checks = false;
  const absl::StatusOr<sampling::SampleSet> set = sampling::Measure(gpu, mode, call, options);
  EXPECT_TRUE(set.ok()) << set.status();
  return set.ok() ? set->samples_ns.at(set->samples_ns.size() / 2) : 0;
}

TEST(SimulatedGpu, SaysThatItIsSimulated) {
  for (const char* name : {"H100", "H200"}) {
    const std::optional<Card> card = FindCard(name);
    ASSERT_TRUE(card);
    EXPECT_EQ(card->facts.name.find("Simulated "), 0u);
    EXPECT_EQ(card->facts.driver, "simulated");
  }
  EXPECT_FALSE(FindCard("NVIDIA H100 80GB HBM3"));
}

TEST(SimulatedGpu, AnOperatorIsALaunchAndAKernel) {
  SimulatedGpu gpu(*FindCard("H100"));
  const at::Tensor a = at::ones({8});
  const size_t before = gpu.Journal().size();
  const at::Tensor view = at::add(a, a).view({2, 4});
  // Work of the host and an entry into the queue, once: a view is none, nor is what add calls within.
  EXPECT_EQ(gpu.Journal().substr(before), "we");
}

TEST(SimulatedGpu, WhatIsReadBackIsWaitedFor) {
  SimulatedGpu gpu(*FindCard("H100"));
  const at::Tensor sum = at::ones({4 * kMiB}).sum();
  const int64_t queued_ns = gpu.NowNs();
  EXPECT_GT(sum.item<float>(), 0);
  EXPECT_GT(gpu.NowNs() - queued_ns, 5'000);  // 16 MiB written and read, at 3.35 TB/s
}

TEST(SimulatedGpu, TimesAreThoseOfTheCard) {
  std::vector<double> cold_ns;
  for (const char* name : {"H100", "H200"}) {
    SimulatedGpu gpu(*FindCard(name));
    const at::Tensor a = at::ones({kMiB / 4});
    at::Tensor b;
    cold_ns.push_back(MedianNs(gpu, Mode::kCold, [&] { b = at::add(a, a); }));
  }
  // Two arguments and a result of 1 MiB, at three quarters of 3.35 and 4.92 TB/s.
  EXPECT_NEAR(cold_ns[0], 1'500 + 3 * kMiB / (0.75 * 3352), 60);
  EXPECT_NEAR(cold_ns[1], 1'500 + 3 * kMiB / (0.75 * 4917), 60);
}

TEST(SimulatedGpu, ModesDifferAsOnAGpu) {
  SimulatedGpu gpu(*FindCard("H100"));
  const at::Tensor a = at::ones({64, 64});
  at::Tensor b;
  const auto call = [&] { b = at::mm(a, a); };
  const double wall = MedianNs(gpu, Mode::kWall, call), cold = MedianNs(gpu, Mode::kCold, call);
  const double hot = MedianNs(gpu, Mode::kHot, call), graph = MedianNs(gpu, Mode::kGraph, call);
  const double enqueue = MedianNs(gpu, Mode::kEnqueue, call);
  EXPECT_GT(wall, hot);  // the wait
  EXPECT_GT(hot, cold);  // a small kernel: the host's launches are what takes long
  EXPECT_NEAR(hot, enqueue, 0.1 * hot);
  EXPECT_LE(graph, cold);
}

TEST(SimulatedGpu, EachRunHasTheSameTimes) {
  std::vector<double> runs[2];
  for (std::vector<double>& run : runs) {
    SimulatedGpu gpu(*FindCard("H100"));
    const at::Tensor a = at::ones({64, 64});
    for (const Mode mode : {Mode::kWall, Mode::kCold, Mode::kGraph})
      run.push_back(MedianNs(gpu, mode, [&] { at::mm(a, a); }));
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(SimulatedGpu, TensorsAreMemoryOfTheDevice) {
  SimulatedGpu gpu(*FindCard("H100"));
  const int64_t before = gpu.Memory().device_live_bytes;
  {
    const at::Tensor kept = at::empty({1000});
    EXPECT_EQ(gpu.Memory().device_live_bytes - before, 4096);  // whole units of 512 bytes
    gpu.ResetPeakMemory();
    at::empty({kMiB});
    EXPECT_EQ(gpu.Memory().device_peak_bytes - before, 4096 + 4 * kMiB);
  }
  EXPECT_EQ(gpu.Memory().device_live_bytes, before);
}

TEST(SimulatedGpu, NothingIsCountedOnceItIsGone) {
  const at::Tensor a = at::ones({8});
  { SimulatedGpu gpu(*FindCard("H100")); }
  EXPECT_EQ(at::add(a, a).sum().item<float>(), 16);
}

}  // namespace
}  // namespace assay::simulated_gpu
