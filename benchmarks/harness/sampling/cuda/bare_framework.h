// -----------------------------------------------------------------------------
// File: bare_framework.h
// -----------------------------------------------------------------------------
//
// CUDA without a framework: functions queue their work in Stream() themselves. Recording makes
// Stream() another stream for its time, since the default stream cannot be recorded.
//
// Not for LibTorch, whose memory a recorded graph must own: torch_framework.h.
//
//   BareFramework& bare = ...;
//   auto call = [&] { kernel<<<1, 1, 0, bare.Stream()>>>(); };

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_BARE_FRAMEWORK_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_BARE_FRAMEWORK_H_

#include <cuda_runtime_api.h>

#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda/cuda_framework.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

class BareFramework : public CudaFramework {
 public:
  explicit BareFramework(cudaStream_t stream) : stream_(stream) {}

  cudaStream_t Stream() override { return stream_; }
  absl::StatusOr<std::unique_ptr<Graph>> Capture(absl::FunctionRef<void()> work) override;

 private:
  cudaStream_t stream_;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_BARE_FRAMEWORK_H_
