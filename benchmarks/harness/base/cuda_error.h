#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_CUDA_ERROR_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_CUDA_ERROR_H_

// ---------------------------------------------------------------------------------------------
// cuda_error.h: the Status code of a CUDA error, by the error's number. The outcome of a run and its
// exit code follow from it, so LibTorch's exceptions and our own calls of CUDA must agree on it.
//
// A device or driver that fails is the surroundings' fault (DEVICE_LOST, exit code 2). A kernel that
// reads a wrong address, asserts or is launched wrongly is the product's (CRASH, exit code 1), even
// though the process can use the device no more after that, either.
//
// Numbers stand here and no names, since it is compiled without CUDA's headers, too. They are those
// of cudaError_t in CUDA 13's driver_types.h; CUDA has never given a number another meaning.
//
// Example:
//   return absl::Status(CodeOfCudaError(error), "waiting for the device");
// ---------------------------------------------------------------------------------------------

#include <algorithm>
#include <array>

#include "absl/status/status.h"

namespace assay::base {

inline constexpr int kCudaOutOfMemory = 2;

inline constexpr auto kCudaDeviceLost = std::to_array<int>({
    3,    // initialization error
    4,    // the driver shuts down
    34,   // a stub library in the driver's place
    35,   // the driver is too old
    36,   // the call needs a newer driver
    46,   // the devices are busy or unavailable
    49,   // the driver's context does not fit
    100,  // no device
    101,  // no such device
    102,  // no licence
    103,  // the system's integrity is not established
    127,  // start-up failure
    201,  // the device is not initialized
    214,  // uncorrectable ECC error
    216,  // another process has the device for itself
    220,  // uncorrectable NVLink error
    226,  // an error that the hardware contained
    304,  // a call of the operating system failed
    702,  // the display's watchdog ended a kernel
    709,  // the context is destroyed
    802,  // the system is not ready
    803,  // driver and library do not match
    804,  // this device does not have forward compatibility
    805,  // 805 to 810: the multi-process service
    806, 807, 808, 809, 810,
    999,  // unknown
});

// ResourceExhausted where memory ran out, Unavailable where the device or the driver failed,
// Internal for every other error. OK for 0.
inline absl::StatusCode CodeOfCudaError(int error) {
  if (error == 0) return absl::StatusCode::kOk;
  if (error == kCudaOutOfMemory) return absl::StatusCode::kResourceExhausted;
  const bool lost =
      std::find(kCudaDeviceLost.begin(), kCudaDeviceLost.end(), error) != kCudaDeviceLost.end();
  return lost ? absl::StatusCode::kUnavailable : absl::StatusCode::kInternal;
}

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_CUDA_ERROR_H_
