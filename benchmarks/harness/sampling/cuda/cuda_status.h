// -----------------------------------------------------------------------------
// File: cuda_status.h
// -----------------------------------------------------------------------------
//
// Errors of NVIDIA's runtime library as the Status codes that device.h lists.
//
// Not for errors before a device is opened: those are NotFound (cuda_device.cc).
//
//   return CudaStatus(cudaDeviceSynchronize(), "waiting for the device");

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_STATUS_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_STATUS_H_

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/cuda_error.h"

namespace assay::sampling {

// "the driver is too old (cudaErrorInsufficientDriver)"
inline std::string CudaReason(cudaError_t error) {
  return absl::StrCat(cudaGetErrorString(error), " (", cudaGetErrorName(error), ")");
}

// The code of base/cuda_error.h: ResourceExhausted where memory ran out, Unavailable where the device
// failed, Internal where a kernel did; "<doing>: <reason>".
inline absl::Status CudaStatus(cudaError_t error, std::string_view doing) {
  if (error == cudaSuccess) return absl::OkStatus();
  return absl::Status(base::CodeOfCudaError(error), absl::StrCat(doing, ": ", CudaReason(error)));
}

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_STATUS_H_
