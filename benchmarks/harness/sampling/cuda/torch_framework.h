// -----------------------------------------------------------------------------
// File: torch_framework.h
// -----------------------------------------------------------------------------
//
// CudaFramework for LibTorch: its current stream, its caching allocator, and graphs with a memory
// pool of their own.
//
// Not for anything outside the plugin: it needs LibTorch's CUDA part (cuda_plugin.h).
//
//   auto device = CudaDevice::Open(0, std::make_unique<TorchFramework>(/*index=*/0));

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_TORCH_FRAMEWORK_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_TORCH_FRAMEWORK_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda/cuda_framework.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

class TorchFramework : public CudaFramework {
 public:
  // `index`: the device whose allocator is asked.
  explicit TorchFramework(int index) : index_(static_cast<int8_t>(index)) {}

  cudaStream_t Stream() override;
  absl::StatusOr<std::unique_ptr<Graph>> Capture(absl::FunctionRef<void()> work) override;
  void ReadMemory(MemoryState& state) override;
  void ResetPeakMemory() override;
  // Records no stacks: finding their names would take minutes.
  absl::Status StartMemoryHistory() override;
  // Ends the history.
  absl::StatusOr<std::string> MemorySnapshot() override;

 private:
  const int8_t index_;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_TORCH_FRAMEWORK_H_
