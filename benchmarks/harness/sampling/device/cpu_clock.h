// -----------------------------------------------------------------------------
// File: cpu_clock.h
// -----------------------------------------------------------------------------
//
// The rate at which this core runs at this moment, from a chain of integer instructions, each of which
// needs the result of the one before. On x86-64 they are multiplications: three cycles each on Intel
// since Nehalem and AMD since Zen (Fog, "Instruction tables"). Additions would not do: some cores fold
// a chain of them. On 64-bit Arm they are additions, one cycle each (Arm, "Software Optimization
// Guide" of each core); multiplications take two to five there. Virtual machines and containers often
// hide the frequency; this method needs no permission.
//
// Not exact: an interrupt makes a chain slower, so the fastest of three short chains counts.
//
//   int32_t mhz = CoreMhz();      // takes about 5 us

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_CPU_CLOCK_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_CPU_CLOCK_H_

#include <cstdint>

namespace assay::sampling {

// 0 on a processor of another kind.
int32_t CoreMhz();

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_CPU_CLOCK_H_
