#include "benchmarks/harness/runner/measure/peak_probes.h"

#include "absl/strings/match.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::ContainsRegex;

constexpr PeakOptions kShort = {.budget = absl::Milliseconds(10), .array_bytes = 1 << 20};

TEST(MeasurePeaks, FindsOperationsAndBytesASecondWithTheirIntervals) {
  sampling::CpuDevice device;
  const absl::StatusOr<std::vector<Peak>> peaks = MeasurePeaks(device, c10::kCPU, BF16, kShort);
  ASSERT_TRUE(peaks.ok()) << peaks.status();
  ASSERT_EQ(peaks->size(), 3u);
  EXPECT_EQ((*peaks)[0].name(), "compute");
  EXPECT_EQ((*peaks)[0].dtype(), BF16);
  EXPECT_THAT((*peaks)[0].probe(), ContainsRegex("^(mm |conv2d |fma loop )"));
  EXPECT_EQ((*peaks)[1].name(), "stream");
  EXPECT_EQ((*peaks)[2].name(), "read");
  EXPECT_THAT((*peaks)[2].probe(), ContainsRegex("^(sum of|loop over) "));
  for (const Peak& peak : *peaks) {
    EXPECT_GT(peak.per_s(), 0) << peak.name();
    // A busy machine leaves the probe with too few samples for an interval.
    if (peak.ci_low_per_s() == 0 && peak.ci_high_per_s() == 0) continue;
    EXPECT_GT(peak.ci_low_per_s(), 0) << peak.name();
    EXPECT_LE(peak.ci_low_per_s(), peak.per_s()) << peak.name();
    EXPECT_GE(peak.ci_high_per_s(), peak.per_s()) << peak.name();
  }
}

TEST(SetRate, HasAnIntervalWhereTheSamplesAreEnoughForOne) {
  Peak peak;
  SetRate(1000, {100, 100, 125, 125, 125, 200, 200, 200}, peak);
  EXPECT_DOUBLE_EQ(peak.per_s(), 8e9);
  EXPECT_DOUBLE_EQ(peak.ci_low_per_s(), 5e9);
  EXPECT_DOUBLE_EQ(peak.ci_high_per_s(), 10e9);
  Peak without;
  SetRate(1000, {100, 125, 200}, without);
  EXPECT_DOUBLE_EQ(without.per_s(), 8e9);
  EXPECT_EQ(without.ci_low_per_s(), 0);
  EXPECT_EQ(without.ci_high_per_s(), 0);
}

TEST(MeasurePeaks, HasKernelsOfEachFloatingPointDtype) {
  sampling::CpuDevice device;
  for (const Dtype dtype : {FP16, FP64}) {
    const absl::StatusOr<std::vector<Peak>> peaks = MeasurePeaks(device, c10::kCPU, dtype, kShort);
    EXPECT_TRUE(peaks.ok()) << Dtype_Name(dtype) << ": " << peaks.status();
  }
}

TEST(MeasurePeaks, HasNoProductOfIntegers) {
  sampling::CpuDevice device;
  const absl::StatusOr<std::vector<Peak>> peaks =
      MeasurePeaks(device, c10::kCPU, DTYPE_UNSPECIFIED, kShort);
  ASSERT_TRUE(peaks.ok()) << peaks.status();
  ASSERT_EQ(peaks->size(), 2u);
  EXPECT_EQ((*peaks)[0].name(), "stream");
}

TEST(GpuArrayBytes, LeavesNextToNothingInTheCacheAndMostOfTheMemoryFree) {
  constexpr int64_t kMiB = int64_t{1} << 20, kGiB = int64_t{1} << 30;
  struct Gpu {
    const char* name;
    int64_t l2_bytes, memory_bytes, expected;
  };
  for (const Gpu& gpu : {Gpu{"H100", 50 * kMiB, 80 * kGiB, kGiB},
                         {"H200", 60 * kMiB, 141 * kGiB, kGiB},
                         {"B200", 126 * kMiB, 180 * kGiB, 2016 * kMiB},
                         {"A2", 2 * kMiB, 4 * kGiB, 512 * kMiB},
                         {"4 GB and a little", 2 * kMiB, 4 * kGiB + 12345, 512 * kMiB},
                         {"unknown", 0, 0, kGiB}}) {
    sampling::DeviceFacts facts;
    facts.memory_bytes = gpu.memory_bytes;
    facts.l2_bytes = gpu.l2_bytes;
    EXPECT_EQ(GpuArrayBytes(facts), gpu.expected) << gpu.name;
  }
}

TEST(MeasurePeaks, EndsWhereItIsInterrupted) {
  sampling::CpuDevice device;
  const std::atomic<bool> interrupted = true;
  PeakOptions options = kShort;
  options.interrupted = &interrupted;
  EXPECT_TRUE(absl::IsCancelled(MeasurePeaks(device, c10::kCPU, FP32, options).status()));
}

TEST(PeaksLine, SaysEachPeakWithItsProbe) {
  Record record;
  EXPECT_EQ(PeaksLine(record), "");
  Peak& compute = *record.add_peaks();
  compute.set_name("compute");
  compute.set_dtype(FP32);
  compute.set_per_s(160e9);
  compute.set_ci_low_per_s(159e9);
  compute.set_ci_high_per_s(161e9);
  compute.set_probe("mm 512 x 512 x 512");
  Peak& stream = *record.add_peaks();
  stream = compute;
  stream.set_name("stream");
  stream.set_probe("copy_ of 256 MiB");
  EXPECT_EQ(PeaksLine(record),
            "peaks              compute fp32 160 GFLOP/s ±0.62 % (mm 512 x 512 x 512); "
            "stream 160 GB/s ±0.62 % (copy_ of 256 MiB)\n");
  compute.set_per_s(160e12);
  compute.set_ci_low_per_s(159e12);
  compute.set_ci_high_per_s(161e12);
  EXPECT_THAT(PeaksLine(record), ::testing::HasSubstr(" compute fp32 160 TFLOP/s ±0.62 % "));
  record.mutable_peaks()->RemoveLast();
  record.mutable_peaks(0)->clear_ci_low_per_s();
  record.mutable_peaks(0)->clear_ci_high_per_s();
  EXPECT_EQ(PeaksLine(record),
            "peaks              compute fp32 160 TFLOP/s (mm 512 x 512 x 512)\n");
}

}  // namespace
}  // namespace assay::runner
