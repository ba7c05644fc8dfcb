// -----------------------------------------------------------------------------
// File: peaks.h
// -----------------------------------------------------------------------------
//
// Upper bounds of the hardware's speed, to find times that are impossible.
//
// The figures are meant never to be too low. A processor's is the width of its vector units times a
// clock a quarter above the one measured. A GPU's is the maker's: NVIDIA's data sheets of A100 80
// GB, H100 SXM and H200, for dense operands at the boost clock.
//
// Not for judging how good a kernel is: no kernel reaches these bounds. runner/measure/peak_probes.h
// measures what a machine does reach.
//
//   Peaks peaks = CpuPeaks(FP32, /*cores=*/2, sampling::CoreMhz(), HostVectorUnits());

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_PEAKS_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_PEAKS_H_

#include <cstdint>
#include <string_view>

#include "defs/proto/suite.pb.h"

namespace assay::environment {

// 0: unknown.
struct Peaks {
  double flops_per_s = 0;
  double bytes_per_s = 0;  // of device memory
};

enum class VectorUnits { kUnknown, kSse, kAvx2, kAvx512, kAmx, kNeon, kSve };

// The CPU itself or the kernel says it, whatever ATEN_CPU_CAPABILITY says: oneDNN does not follow that
// variable.
VectorUnits HostVectorUnits();

// Of 64-bit Arm by Linux's AT_HWCAP and AT_HWCAP2. Unknown with SME, whose units do not belong to one
// core.
VectorUnits ArmVectorUnits(uint64_t hwcap, uint64_t hwcap2);

Peaks CpuPeaks(Dtype dtype, int cores, int32_t core_mhz, VectorUnits units);

// Found by the driver's name for the GPU; no peaks for a GPU that is not in the table. `tf32`:
// whether float32 products may be rounded to it.
Peaks GpuPeaks(Dtype dtype, std::string_view gpu_name, bool tf32);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_PEAKS_H_
