// -----------------------------------------------------------------------------
// File: cuda_framework.h
// -----------------------------------------------------------------------------
//
// The facts that a CUDA device must know about the code that queues the work: in which stream it goes, how it is
// recorded as a graph, what its allocator has handed out. torch_framework.h implements it for
// LibTorch, bare_framework.h for a program that calls CUDA itself.
//
// Not for anything that NVIDIA's runtime library answers.
//
//   absl::StatusOr<std::unique_ptr<CudaDevice>> device =
//       CudaDevice::Open(0, std::make_unique<BareFramework>(stream));

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_FRAMEWORK_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_FRAMEWORK_H_

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

class CudaFramework {
 public:
  virtual ~CudaFramework() = default;

  // The stream in which called functions put their work at this moment.
  virtual cudaStream_t Stream() = 0;

  // Implements Device::Capture(): runs `work` once to warm it up in the stream that it will be
  // recorded in, then records it. FailedPrecondition with the reason where it cannot be recorded,
  // ResourceExhausted where memory ran out. Afterwards work can be queued as before.
  virtual absl::StatusOr<std::unique_ptr<Graph>> Capture(absl::FunctionRef<void()> work) = 0;

  // Fills in the fields about the device's allocator, if there is one.
  virtual void ReadMemory(MemoryState& /*state*/) {}
  virtual void ResetPeakMemory() {}

  // Implement the device's functions of the same names.
  virtual absl::Status StartMemoryHistory() {
    return absl::FailedPreconditionError("no allocator that remembers");
  }
  virtual absl::StatusOr<std::string> MemorySnapshot() {
    return absl::FailedPreconditionError("no allocator that remembers");
  }
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_FRAMEWORK_H_
