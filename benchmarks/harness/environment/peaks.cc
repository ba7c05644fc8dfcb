#include "benchmarks/harness/environment/peaks.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "absl/strings/match.h"

namespace assay::environment {
namespace {

constexpr double kClockMargin = 1.25;

// Operations of float32 in a cycle of a core: two units, each one multiply-add a lane. Arm's widest
// cores have four of 128 bits; with SVE two of 512 or four of 256.
double Float32PerCycle(VectorUnits units) {
  switch (units) {
    case VectorUnits::kUnknown:
      return 0;
    case VectorUnits::kSse:
      return 16;
    case VectorUnits::kAvx2:
    case VectorUnits::kNeon:
      return 32;
    case VectorUnits::kAvx512:
    case VectorUnits::kAmx:
    case VectorUnits::kSve:
      return 64;
  }
  return 0;
}

double PerCycle(Dtype dtype, VectorUnits units) {
  const double float32 = Float32PerCycle(units);
  if (dtype == FP64) return float32 / 2;
  if (dtype == FP32) return float32;
  // A 16x16 tile product over 32 elements every 16 cycles (Intel, AMX).
  if (units == VectorUnits::kAmx) return 2048;
  // BFMMLA: a product of 2x4 and 4x2 in each 128 bits.
  if (units == VectorUnits::kNeon || units == VectorUnits::kSve) return 4 * float32;
  return 2 * float32;
}

struct Gpu {
  std::string_view name;
  double float16, tf32, float32, float64, bytes;  // a second
};

constexpr Gpu kGpus[] = {
    {"H200", 989.5e12, 494.7e12, 66.9e12, 66.9e12, 4.8e12},
    {"H100 80GB HBM3", 989.5e12, 494.7e12, 66.9e12, 66.9e12, 3.35e12},
    {"A100-SXM4-80GB", 312e12, 156e12, 19.5e12, 19.5e12, 2.039e12},
};

}  // namespace

VectorUnits HostVectorUnits() {
#if defined(__x86_64__)
  unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned int kAmxTile = 1u << 24;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & kAmxTile) != 0)
    return VectorUnits::kAmx;
  if (__builtin_cpu_supports("avx512f")) return VectorUnits::kAvx512;
  if (__builtin_cpu_supports("avx2")) return VectorUnits::kAvx2;
  return VectorUnits::kSse;
#elif defined(__aarch64__)
  return ArmVectorUnits(getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
#else
  return VectorUnits::kUnknown;
#endif
}

VectorUnits ArmVectorUnits(uint64_t hwcap, uint64_t hwcap2) {
  constexpr uint64_t kAsimd = 1u << 1, kSve = 1u << 22, kSme = 1u << 23;
  if ((hwcap2 & kSme) != 0) return VectorUnits::kUnknown;
  if ((hwcap & kSve) != 0) return VectorUnits::kSve;
  return (hwcap & kAsimd) != 0 ? VectorUnits::kNeon : VectorUnits::kUnknown;
}

Peaks CpuPeaks(Dtype dtype, int cores, int32_t core_mhz, VectorUnits units) {
  return {.flops_per_s = PerCycle(dtype, units) * cores * core_mhz * 1e6 * kClockMargin};
}

Peaks GpuPeaks(Dtype dtype, std::string_view gpu_name, bool tf32) {
  for (const Gpu& gpu : kGpus) {
    if (!absl::StrContains(gpu_name, gpu.name)) continue;
    Peaks peaks = {.flops_per_s = gpu.float16, .bytes_per_s = gpu.bytes};
    if (dtype == FP32) peaks.flops_per_s = tf32 ? gpu.tf32 : gpu.float32;
    if (dtype == FP64) peaks.flops_per_s = gpu.float64;
    return peaks;
  }
  return {};
}

}  // namespace assay::environment
