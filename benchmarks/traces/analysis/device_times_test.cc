#include "benchmarks/traces/analysis/device_times.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace assay::traces {
namespace {

constexpr int64_t kUs = 1000;

Trace Fixture() {
  absl::StatusOr<Trace> trace = LoadTrace("benchmarks/traces/testdata/kineto_gpu.json");
  EXPECT_TRUE(trace.ok()) << trace.status();
  return *std::move(trace);
}

// HTA 0.5.0 prints the same for device 0: get_temporal_breakdown(), get_comm_comp_overlap(),
// get_cuda_kernel_launch_stats(), and the host wait of stream 7 in get_idle_time_breakdown().
//
// In us; the launching call below its kernel:
//   stream 7   gemm 20-50, add 50-54, relu 70-90, gemm 100-120, copy 130-150, fill 160-165
//   launch          5-15       30-38       60-66        82-86        95-155       -
//   stream 20  collective 80-110          stream 21  copy 72-76
//   launch               70-75                           40-45
TEST(DeviceTimes, SplitsTheTimeOfADevice) {
  const std::vector<DeviceTime> devices = DeviceTimes(Fixture().about);
  ASSERT_EQ(devices.size(), 2u);
  const DeviceTime& d = devices[0];
  EXPECT_EQ(d.device, 0);
  EXPECT_EQ(d.kernels, 8u);
  EXPECT_EQ(d.streams, 3u);
  EXPECT_EQ(d.overlapping, 0u);
  EXPECT_EQ(d.whole_ns, 145 * kUs);
  EXPECT_EQ(d.busy_ns, (34 + 50 + 20 + 5) * kUs);
  EXPECT_EQ(d.compute_ns, (34 + 20 + 20) * kUs);
  EXPECT_EQ(d.communication_ns, 30 * kUs);
  EXPECT_EQ(d.hidden_communication_ns, (10 + 10) * kUs);
  EXPECT_EQ(d.memory_ns, (4 + 20 + 5) * kUs);
  EXPECT_EQ(d.hidden_memory_ns, 4 * kUs);
  EXPECT_EQ(d.IdleNs(), 36 * kUs);
  EXPECT_EQ(d.late_ns, 16 * kUs);      // 54-70: launched at 60
  EXPECT_EQ(d.launched_ns, 10 * kUs);  // 120-130: launched at 95
  EXPECT_EQ(d.unknown_ns, 10 * kUs);   // 150-160
}

TEST(DeviceTimes, KnowsTheLaunches) {
  const std::vector<DeviceTime> devices = DeviceTimes(Fixture().about);
  ASSERT_EQ(devices.size(), 2u);
  const LaunchTimes& launches = devices[0].launches;
  EXPECT_EQ(launches.calls, 7u);
  EXPECT_EQ(launches.short_calls, 3u);           // add, both copies
  EXPECT_EQ(launches.long_calls, 1u);            // of the copy to the host
  EXPECT_EQ(launches.median_delay_ns, 5 * kUs);  // of 0 4 5 5 12 14 27
  EXPECT_EQ(launches.longest_delay_ns, 27 * kUs);
  EXPECT_EQ(launches.long_delays, 0u);
  EXPECT_EQ(devices[1].launches.long_delays, 2u);  // 197 and 199 us
}

TEST(DeviceTimes, CountsKernelsThatOverlapOnAStream) {
  const DeviceTime& d = DeviceTimes(Fixture().about).at(1);
  EXPECT_EQ(d.overlapping, 1u);
  EXPECT_EQ(d.whole_ns, 12 * kUs);
  EXPECT_EQ(d.busy_ns, 12 * kUs);
  EXPECT_EQ(d.compute_ns, 12 * kUs);
}

TEST(DeviceTimes, OneCallMayLaunchManyKernels) {
  TraceReading about;
  for (const int64_t start : {100, 120, 140}) {
    about.kernels.push_back({.start_ns = start * kUs,
                             .duration_ns = 10 * kUs,
                             .launch_ns = 60 * kUs,
                             .launch_duration_ns = 20 * kUs,
                             .correlation = 4});
  }
  const DeviceTime d = DeviceTimes(about).at(0);
  EXPECT_EQ(d.launches.calls, 1u);
  EXPECT_EQ(d.launches.short_calls, 0u);  // 30 us of kernels, 20 of the call
  EXPECT_EQ(d.launches.longest_delay_ns, 20 * kUs);
  EXPECT_EQ(d.launched_ns, 20 * kUs);
  EXPECT_EQ(d.late_ns, 0);
}

TEST(DeviceTimes, WithoutLaunchesAndWithoutKernels) {
  TraceReading about;
  EXPECT_TRUE(DeviceTimes(about).empty());
  about.kernels.push_back({.start_ns = 5, .duration_ns = 0});
  const DeviceTime d = DeviceTimes(about).at(0);
  EXPECT_EQ(d.launches.calls, 0u);
  EXPECT_TRUE(std::isnan(d.launches.median_delay_ns));
  EXPECT_EQ(d.whole_ns, 0);
}

TEST(KernelTotals, CountsByNameAndNamesTheOperator) {
  const std::vector<KernelTotal> totals = KernelTotals(Fixture());
  ASSERT_EQ(totals.size(), 8u);
  EXPECT_EQ(totals[0].name, "gemm");
  EXPECT_EQ(totals[0].calls, 2u);
  EXPECT_EQ(totals[0].ns, 50 * kUs);
  EXPECT_EQ(totals[0].launched_by, "aten::mm");
  EXPECT_EQ(totals[1].kind, KernelKind::kCommunication);
  EXPECT_EQ(totals[1].launched_by, "c10d::allreduce_");
  EXPECT_EQ(totals.back().kind, KernelKind::kMemory);  // the copy of 4 us, which is behind add
  EXPECT_EQ(totals[6].name, "add");
}

}  // namespace
}  // namespace assay::traces
