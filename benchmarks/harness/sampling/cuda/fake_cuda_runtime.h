// The part of NVIDIA's runtime library that the CUDA device calls, and its kernels, as a script:
// for cuda_device_test.cc, which links it in place of the real ones.

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_FAKE_CUDA_RUNTIME_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_FAKE_CUDA_RUNTIME_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/harness/sampling/cuda/kernels.h"

namespace assay::sampling {

struct FakeCudaRuntime {
  // The scripted machine.
  int devices = 1;
  int l2_bytes = 60 << 20;
  bool blocking_launches = false;              // each launch waits for its kernel
  std::map<std::string, cudaError_t> failing;  // function -> what it returns
  float elapsed_ms = 0;                        // between any two events
  int64_t timer_step_ns = 32;
  int64_t between_stamps_ns = 0;  // how far the device's clock advances between two stamps
  int64_t mhz = 1000;
  std::vector<int> stamp_sms = {0};  // multiprocessors that take stamps, in turn, over and over

  // The calls, in order: m memset, h hold, k clock stamps, p read, r record an event, t wait for an
  // event, s synchronize, b begin capture, e end capture, i instantiate, g launch a graph; u before
  // the first call after the hold's release, W where its watchdog ends it.
  std::string journal;
  void Note(char what);

  // Objects that exist now.
  int events = 0, streams = 0, graphs = 0;
  std::map<void*, size_t> device_memory, host_memory;

  // Sizes of the last requests.
  size_t memset_bytes = 0, read_bytes = 0;
  cudaStream_t last_stream = nullptr;
  cudaStream_t captured_stream = nullptr;
  cudaError_t last_error = cudaSuccess;
  int persisting_resets = 0;

  HoldState* hold = nullptr;  // until it ends
  uint64_t hold_number = 0;
  int64_t device_ns = 1'000'000;
  size_t stamps = 0;
};

// The script that the functions follow.
FakeCudaRuntime& CudaScript();

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_FAKE_CUDA_RUNTIME_H_
