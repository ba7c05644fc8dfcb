// The part of NVIDIA's runtime library that cuda_device.cc calls, as a script: for
// cuda_device_test.cc, which links it in place of the real one.

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_FAKE_CUDA_RUNTIME_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_FAKE_CUDA_RUNTIME_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <string>

namespace assay::sampling {

struct FakeCudaRuntime {
  int devices = 1;
  std::map<std::string, cudaError_t> failing;  // function -> what it returns
  int l2_bytes = 60 << 20;

  // What was called, in order: r record an event, s synchronize, m memset.
  std::string journal;
  int events = 0;           // that exist now
  size_t buffer_bytes = 0;  // of the memory that exists now
  size_t memset_bytes = 0;
  cudaStream_t last_stream = nullptr;
  float elapsed_ms = 0;
};

// The one that the functions work on.
FakeCudaRuntime& CudaScript();

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_FAKE_CUDA_RUNTIME_H_
