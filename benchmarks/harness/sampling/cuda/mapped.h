// -----------------------------------------------------------------------------
// File: mapped.h
// -----------------------------------------------------------------------------
//
// A value in the host's memory that a running kernel can read and write as well.
//
// Not for bulk: each access of the GPU goes over the bus.
//
//   absl::StatusOr<Mapped<HoldState>> state = Mapped<HoldState>::Make();
//   LaunchHold(state->on_device(), ...);
//   state->on_host().released ...

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_MAPPED_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_MAPPED_H_

#include <cuda_runtime_api.h>

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda/cuda_status.h"

namespace assay::sampling {

template <typename T>
class Mapped {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  static absl::StatusOr<Mapped> Make() {
    Mapped mapped;
    void* memory = nullptr;
    absl::Status status = CudaStatus(cudaHostAlloc(&memory, sizeof(T), cudaHostAllocMapped),
                                     "memory that host and device share");
    if (!status.ok()) return status;
    mapped.host_.reset(new (memory) T());
    void* device = nullptr;
    status = CudaStatus(cudaHostGetDevicePointer(&device, memory, 0),
                        "the device's address of shared memory");
    if (!status.ok()) return status;
    mapped.device_ = static_cast<T*>(device);
    return mapped;
  }

  // Fields that the GPU may write at the same time are accessed through std::atomic_ref.
  T& on_host() { return *host_; }
  T* on_device() { return device_; }

 private:
  struct Free {
    void operator()(T* memory) const { cudaFreeHost(memory); }
  };
  Mapped() = default;

  std::unique_ptr<T, Free> host_;
  T* device_ = nullptr;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_MAPPED_H_
