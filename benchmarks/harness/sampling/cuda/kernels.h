// -----------------------------------------------------------------------------
// File: kernels.h
// -----------------------------------------------------------------------------
//
// The few kernels that measuring on a GPU needs: one holds a stream until the host lets go, one
// notes the GPU's clocks, one reads a buffer, one takes a known time.
//
// %globaltimer is the GPU's own nanosecond clock. It moves in steps, of 32 ns to 1 us by chip, so a
// time taken with it is exact to one step.
//
// Not for models' work. Each function queues its kernel in `stream` and returns at once; what it
// points to is memory that the GPU can address. Includes no CUDA header beyond the runtime's API,
// so that a script can stand in for the kernels (fake_cuda_runtime.h).
//
//   assay::sampling::Spin(/*ns=*/1'000'000, stream);

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_KERNELS_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_KERNELS_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace assay::sampling {

// Keeps one thread busy until %globaltimer has advanced by `ns`.
cudaError_t Spin(int64_t ns, cudaStream_t stream);

// The state of holds, shared by host and GPU. Holds are numbered from 1 upwards; a number is never
// used again, so that nothing has to be reset while a kernel may still look at it.
struct HoldState {
  uint64_t released = 0;   // by the host: every hold up to this one may end
  uint64_t timed_out = 0;  // by the GPU: the last hold that its watchdog ended
};

// Keeps the stream busy until `state->released` has reached `number`, or for `timeout_ns`.
cudaError_t LaunchHold(HoldState* state, uint64_t number, int64_t timeout_ns, cudaStream_t stream);

// Both clocks of one multiprocessor (SM) at one moment. Cycle counts of different SMs are
// unrelated.
struct ClockStamp {
  uint64_t mark = 0;  // which LaunchClockStamps wrote this
  int64_t ns = 0;     // %globaltimer
  int64_t cycles = 0;
};

inline constexpr int kStampedSms = 16;

// Launches one block for each of `sms` multiprocessors; those numbered below kStampedSms write
// their stamp to stamps[number]. Where the blocks land is the GPU's choice, so some may be left
// out.
cudaError_t LaunchClockStamps(ClockStamp* stamps, uint64_t mark, int sms, cudaStream_t stream);

// Measures the smallest step in which %globaltimer moves.
cudaError_t LaunchTimerStep(int64_t* step_ns, cudaStream_t stream);

// Reads `bytes` (a multiple of 16) of `data` once. `result` may be written, which keeps the
// compiler from dropping the reads.
cudaError_t LaunchRead(const void* data, size_t bytes, uint32_t* result, int sms,
                       cudaStream_t stream);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_KERNELS_H_
