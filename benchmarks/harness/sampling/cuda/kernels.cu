#include "benchmarks/harness/sampling/cuda/kernels.h"

namespace assay::sampling {
namespace {

constexpr int kReadThreads = 256;
constexpr int kReadBlocksPerSm = 8;
constexpr int kTimerSteps = 8;

__device__ int64_t GlobalTimerNs() {
  int64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)::"memory");
  return now;
}

__device__ uint32_t SmNumber() {
  uint32_t number;
  asm volatile("mov.u32 %0, %smid;" : "=r"(number));
  return number;
}

__global__ void SpinKernel(int64_t ns) {
  const int64_t start = GlobalTimerNs();
  while (GlobalTimerNs() - start < ns) {
  }
}

__global__ void HoldKernel(HoldState* state, uint64_t number, int64_t timeout_ns) {
  // volatile: the host writes it while this kernel runs.
  volatile uint64_t* released = &state->released;
  const int64_t start = GlobalTimerNs();
  while (*released < number) {
    if (GlobalTimerNs() - start < timeout_ns) continue;
    *static_cast<volatile uint64_t*>(&state->timed_out) = number;
    __threadfence_system();
    return;
  }
}

__global__ void ClockStampsKernel(ClockStamp* stamps, uint64_t mark) {
  const uint32_t sm = SmNumber();
  if (sm >= kStampedSms) return;
  const int64_t ns = GlobalTimerNs();
  const int64_t cycles = clock64();
  stamps[sm] = {.mark = mark, .ns = ns, .cycles = cycles};
}

__global__ void TimerStepKernel(int64_t* step_ns) {
  int64_t least = INT64_MAX;
  int64_t before = GlobalTimerNs();
  for (int i = 0; i < kTimerSteps; ++i) {
    int64_t now = before;
    while (now == before) now = GlobalTimerNs();
    least = min(least, now - before);
    before = now;
  }
  *step_ns = least;
}

__global__ void ReadKernel(const uint4* data, size_t count, uint32_t* result) {
  uint32_t mixed = 0;
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const uint4 four = data[i];
    mixed ^= four.x ^ four.y ^ four.z ^ four.w;
  }
  // Never true for the zeros in the buffer, but the compiler cannot know that.
  if (mixed != 0) *result = mixed;
}

}  // namespace

cudaError_t Spin(int64_t ns, cudaStream_t stream) {
  SpinKernel<<<1, 1, 0, stream>>>(ns);
  return cudaGetLastError();
}

cudaError_t LaunchHold(HoldState* state, uint64_t number, int64_t timeout_ns, cudaStream_t stream) {
  HoldKernel<<<1, 1, 0, stream>>>(state, number, timeout_ns);
  return cudaGetLastError();
}

cudaError_t LaunchClockStamps(ClockStamp* stamps, uint64_t mark, int sms, cudaStream_t stream) {
  ClockStampsKernel<<<sms, 1, 0, stream>>>(stamps, mark);
  return cudaGetLastError();
}

cudaError_t LaunchTimerStep(int64_t* step_ns, cudaStream_t stream) {
  TimerStepKernel<<<1, 1, 0, stream>>>(step_ns);
  return cudaGetLastError();
}

cudaError_t LaunchRead(const void* data, size_t bytes, uint32_t* result, int sms,
                       cudaStream_t stream) {
  ReadKernel<<<kReadBlocksPerSm * sms, kReadThreads, 0, stream>>>(static_cast<const uint4*>(data),
                                                                  bytes / sizeof(uint4), result);
  return cudaGetLastError();
}

}  // namespace assay::sampling
