#include "benchmarks/harness/environment/peaks.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace assay::environment {
namespace {

TEST(CpuPeaks, GrowWithUnitsCoresAndClock) {
  const double avx2 = CpuPeaks(FP32, 1, 1000, VectorUnits::kAvx2).flops_per_s;
  EXPECT_EQ(avx2, 32 * 1e9 * 1.25);
  EXPECT_EQ(CpuPeaks(FP32, 2, 1000, VectorUnits::kAvx2).flops_per_s, 2 * avx2);
  EXPECT_EQ(CpuPeaks(FP32, 1, 3000, VectorUnits::kAvx2).flops_per_s, 3 * avx2);
  EXPECT_EQ(CpuPeaks(FP64, 1, 1000, VectorUnits::kAvx2).flops_per_s, avx2 / 2);
  EXPECT_EQ(CpuPeaks(FP32, 1, 1000, VectorUnits::kAvx512).flops_per_s, 2 * avx2);
  EXPECT_GT(CpuPeaks(BF16, 1, 1000, VectorUnits::kAmx).flops_per_s, 40 * avx2);
}

TEST(CpuPeaks, AreUnknownWithoutAClockOrUnits) {
  EXPECT_EQ(CpuPeaks(FP32, 1, 0, VectorUnits::kAvx2).flops_per_s, 0);
  EXPECT_EQ(CpuPeaks(FP32, 1, 1000, VectorUnits::kUnknown).flops_per_s, 0);
}

TEST(GpuPeaks, AreTheDataSheets) {
  const Peaks h200 = GpuPeaks(BF16, "NVIDIA H200", false);
  EXPECT_EQ(h200.flops_per_s, 989.5e12);
  EXPECT_EQ(h200.bytes_per_s, 4.8e12);
  EXPECT_EQ(GpuPeaks(FP32, "NVIDIA H200", true).flops_per_s, 494.7e12);
  EXPECT_EQ(GpuPeaks(FP32, "NVIDIA H200", false).flops_per_s, 66.9e12);
  EXPECT_EQ(GpuPeaks(FP64, "NVIDIA H100 80GB HBM3", false).bytes_per_s, 3.35e12);
}

TEST(GpuPeaks, AreUnknownForAGpuThatIsNotListed) {
  EXPECT_EQ(GpuPeaks(FP32, "NVIDIA GeForce RTX 9090", false).flops_per_s, 0);
  EXPECT_EQ(GpuPeaks(FP32, "", false).bytes_per_s, 0);
}

TEST(CpuPeaks, OfArmAreThoseOfItsWidestCores) {
  const double neon = CpuPeaks(FP32, 1, 1000, VectorUnits::kNeon).flops_per_s;
  EXPECT_EQ(neon, 32 * 1e9 * 1.25);
  EXPECT_EQ(CpuPeaks(BF16, 1, 1000, VectorUnits::kNeon).flops_per_s, 4 * neon);
  EXPECT_EQ(CpuPeaks(FP64, 1, 1000, VectorUnits::kSve).flops_per_s, neon);
}

#if defined(__x86_64__)
TEST(HostVectorUnits, AreKnownHere) { EXPECT_NE(HostVectorUnits(), VectorUnits::kUnknown); }
#endif

// The bits are those of Linux's arch/arm64/include/uapi/asm/hwcap.h.
TEST(ArmVectorUnits, AreTheWidestThatLinuxNames) {
  constexpr uint64_t kFp = 1u << 0, kAsimd = 1u << 1, kSve = 1u << 22, kSve2 = 1u << 1,
                     kSme = 1u << 23;
  EXPECT_EQ(ArmVectorUnits(kFp | kAsimd, 0), VectorUnits::kNeon);
  EXPECT_EQ(ArmVectorUnits(kFp | kAsimd | kSve, kSve2), VectorUnits::kSve);
  EXPECT_EQ(ArmVectorUnits(kFp | kAsimd | kSve, kSve2 | kSme), VectorUnits::kUnknown);
  EXPECT_EQ(ArmVectorUnits(kFp, 0), VectorUnits::kUnknown);
}

}  // namespace
}  // namespace assay::environment
