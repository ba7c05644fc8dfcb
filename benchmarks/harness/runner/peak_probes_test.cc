#include "benchmarks/harness/runner/peak_probes.h"

#include "absl/strings/match.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

constexpr PeakOptions kShort = {.budget = absl::Milliseconds(10)};

TEST(MeasurePeaks, FindsOperationsAndBytesASecondWithTheirIntervals) {
  sampling::CpuDevice device;
  const absl::StatusOr<std::vector<Peak>> peaks = MeasurePeaks(device, c10::kCPU, BF16, kShort);
  ASSERT_TRUE(peaks.ok()) << peaks.status();
  ASSERT_EQ(peaks->size(), 2u);
  EXPECT_EQ((*peaks)[0].name(), "gemm");
  EXPECT_EQ((*peaks)[0].dtype(), BF16);
  EXPECT_EQ((*peaks)[0].probe().rfind("mm ", 0), 0u) << (*peaks)[0].probe();
  EXPECT_EQ((*peaks)[1].name(), "stream");
  for (const Peak& peak : *peaks) {
    EXPECT_GT(peak.ci_low_per_s(), 0) << peak.name();
    EXPECT_LE(peak.ci_low_per_s(), peak.per_s()) << peak.name();
    EXPECT_GE(peak.ci_high_per_s(), peak.per_s()) << peak.name();
  }
}

TEST(MeasurePeaks, HasNoProductOfIntegers) {
  sampling::CpuDevice device;
  const absl::StatusOr<std::vector<Peak>> peaks =
      MeasurePeaks(device, c10::kCPU, DTYPE_UNSPECIFIED, kShort);
  ASSERT_TRUE(peaks.ok()) << peaks.status();
  ASSERT_EQ(peaks->size(), 1u);
  EXPECT_EQ((*peaks)[0].name(), "stream");
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
  Peak& gemm = *record.add_peaks();
  gemm.set_name("gemm");
  gemm.set_dtype(FP32);
  gemm.set_per_s(160e9);
  gemm.set_ci_low_per_s(159e9);
  gemm.set_ci_high_per_s(161e9);
  gemm.set_probe("mm 512 x 512 x 512");
  Peak& stream = *record.add_peaks();
  stream = gemm;
  stream.set_name("stream");
  stream.set_probe("copy_ of 256 MiB");
  EXPECT_EQ(PeaksLine(record),
            "peaks              gemm fp32 160 GFLOP/s ±0.62 % (mm 512 x 512 x 512); "
            "stream 160 GB/s ±0.62 % (copy_ of 256 MiB)\n");
}

}  // namespace
}  // namespace assay::runner
