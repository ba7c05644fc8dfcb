// -----------------------------------------------------------------------------
// File: cuda_plugin.h
// -----------------------------------------------------------------------------
//
// Opens a CUDA device through a shared library that is loaded only now.
//
// Everything that needs NVIDIA's libraries, LibTorch's CUDA part included, hangs on that library
// (libassay_cuda.so, built with --config=cuda). So a program with CUDA in its build starts on a
// machine without driver or libraries, and there says what is missing and what to do.
//
// Load it before anything else asks LibTorch about CUDA (at::hasCUDA, a seed for all devices):
// LibTorch asks once whether its CUDA part is there, and keeps the answer.
//
// Not for unloading: the library stays until the process ends, since LibTorch cannot be taken down
// safely.
//
//   absl::StatusOr<std::unique_ptr<Device>> device = OpenCudaDevice(runfiles + "/" + kCudaPlugin);
//   if (absl::IsNotFound(device.status())) return NO_DEVICE;

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_PLUGIN_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_PLUGIN_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

// The library's path in the workspace and in runfiles.
inline constexpr std::string_view kCudaPlugin = "benchmarks/harness/sampling/cuda/libassay_cuda.so";

// Sets this variable to "4x" before the driver is loaded, unless the user has set it: the driver
// then queues four times as many launches before it makes the host wait. A call that has more of
// them than fit cannot be held (queue_hold.h). The environment of a record has it, like any other
// variable that changes numbers. Drivers that do not know it ignore it.
inline constexpr char kLaunchQueues[] = "CUDA_SCALE_LAUNCH_QUEUES";

// NotFound, with the reason and the fix, when there is no plugin, when a library that it needs is
// missing, and when there is no such device. `index` counts the devices that CUDA_VISIBLE_DEVICES
// leaves.
absl::StatusOr<std::unique_ptr<Device>> OpenCudaDevice(const std::string& plugin_path,
                                                       int index = 0);

// The function that the library exports under the name kMakeCudaDevice. It returns a new device, or
// null with a text for the user in `error`. Program and library come from one build, so that the
// C++ types agree.
using MakeCudaDevice = Device*(int index, char* error, size_t error_bytes);
inline constexpr char kMakeCudaDevice[] = "assay_make_cuda_device";

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_PLUGIN_H_
