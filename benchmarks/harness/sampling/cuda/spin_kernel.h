// -----------------------------------------------------------------------------
// File: spin_kernel.h
// -----------------------------------------------------------------------------
//
// A kernel whose cost is known: it keeps the GPU busy until the GPU's own nanosecond clock says so.
// Not for anything but proving that measurements are right.
//
//   assay::sampling::Spin(/*ns=*/1'000'000, stream);

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_SPIN_KERNEL_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_SPIN_KERNEL_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace assay::sampling {

// Queues one block of one thread that returns once %globaltimer has advanced by `ns`. That timer
// moves in steps, of 32 ns to 1 us by chip, so the cost is exact to one step.
cudaError_t Spin(int64_t ns, cudaStream_t stream);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_SPIN_KERNEL_H_
