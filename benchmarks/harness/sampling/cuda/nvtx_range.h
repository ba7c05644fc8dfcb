// -----------------------------------------------------------------------------
// File: nvtx_range.h
// -----------------------------------------------------------------------------
//
// Named spans for NVIDIA's tools, in the NVTX domain of device.h (kRangeDomain).
//
// They are start/end ranges: push/pop ranges belong to the thread that opened them, and autograd
// launches the kernels of a backward pass from a thread of its own. NVTX is a header; where the
// toolkit has none, these functions do nothing. Without a tool around the process a range costs
// nothing.
//
//   const uint64_t range = StartNvtxRange("mlp_fp32_b8/forward");
//   ...
//   EndNvtxRange(range);

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_NVTX_RANGE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_NVTX_RANGE_H_

#include <cstdint>
#include <string>

namespace assay::sampling {

uint64_t StartNvtxRange(const std::string& name);
void EndNvtxRange(uint64_t range);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_NVTX_RANGE_H_
