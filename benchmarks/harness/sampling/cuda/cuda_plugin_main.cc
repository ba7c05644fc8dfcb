// The one function that libassay_cuda.so exports (cuda_plugin.h). Loading this library loads
// LibTorch's CUDA part, which registers itself with the LibTorch that the program already has.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "ATen/detail/CUDAHooksInterface.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/sampling/cuda/cuda_device.h"
#include "benchmarks/harness/sampling/cuda/cuda_plugin.h"
#include "benchmarks/harness/sampling/cuda/torch_framework.h"
#include "c10/util/Exception.h"

namespace assay::sampling {
namespace {

// cuDNN counts 9.13.0 as 91300.
std::string CudnnVersion() {
  const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
  if (!hooks.hasCuDNN()) return "";
  const long version = hooks.versionRuntimeCuDNN();
  return absl::StrCat(version / 10000, ".", version % 10000 / 100, ".", version % 100);
}

absl::StatusOr<std::unique_ptr<CudaDevice>> Make(int index) {
  absl::StatusOr<std::unique_ptr<CudaDevice>> device =
      CudaDevice::Open(index, std::make_unique<TorchFramework>(index));
  if (!device.ok()) return device;
  if (!at::detail::getCUDAHooks().hasCUDA()) {
    return absl::FailedPreconditionError(
        "LibTorch was asked about CUDA before its CUDA part was loaded, and keeps its answer");
  }
  (*device)->mutable_facts().cudnn_version = CudnnVersion();
  return device;
}

void Copy(std::string_view text, char* to, size_t bytes) {
  if (bytes == 0) return;
  const size_t length = std::min(text.size(), bytes - 1);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

}  // namespace
}  // namespace assay::sampling

extern "C" __attribute__((visibility("default"))) assay::sampling::Device* assay_make_cuda_device(
    int index, char* error, size_t error_bytes) {
  // No exception may cross into the program, which has its own copy of every static library.
  try {
    absl::StatusOr<std::unique_ptr<assay::sampling::CudaDevice>> device =
        assay::sampling::Make(index);
    if (device.ok()) return device->release();
    assay::sampling::Copy(device.status().message(), error, error_bytes);
  } catch (const c10::Error& failure) {
    assay::sampling::Copy(failure.what_without_backtrace(), error, error_bytes);
  } catch (const std::exception& failure) {
    assay::sampling::Copy(failure.what(), error, error_bytes);
  }
  return nullptr;
}

// The header promises this name and this type.
static_assert(std::string_view(assay::sampling::kMakeCudaDevice) == "assay_make_cuda_device");
static_assert(std::is_same_v<decltype(assay_make_cuda_device), assay::sampling::MakeCudaDevice>);
