#include "benchmarks/harness/sampling/spin_kernel.h"

namespace assay::sampling {
namespace {

__device__ int64_t GlobalTimerNs() {
  int64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__global__ void SpinKernel(int64_t ns) {
  const int64_t start = GlobalTimerNs();
  while (GlobalTimerNs() - start < ns) {
  }
}

}  // namespace

cudaError_t Spin(int64_t ns, cudaStream_t stream) {
  SpinKernel<<<1, 1, 0, stream>>>(ns);
  return cudaGetLastError();
}

}  // namespace assay::sampling
