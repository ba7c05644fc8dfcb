#include "benchmarks/harness/sampling/cuda/cuda_plugin.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::sampling {
namespace {

constexpr size_t kErrorBytes = 2048;

absl::Status NoDevice(std::string_view reason, std::string_view mend) {
  return absl::NotFoundError(absl::StrCat("no CUDA device: ", reason, "\n  fix  ", mend));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> OpenCudaDevice(const std::string& plugin_path, int index) {
  if (access(plugin_path.c_str(), F_OK) != 0) {
    return NoDevice(
        absl::StrCat("this build has no CUDA in it",
                     plugin_path.empty() ? "" : absl::StrCat(" (", plugin_path, " is not there)")),
        "build and run with --config=cuda, or measure on the CPU");
  }
  setenv(kLaunchQueues, "4x", /*overwrite=*/0);
  // RTLD_LOCAL: the plugin has its own copies of static libraries, which must not replace the
  // program's.
  void* library = dlopen(plugin_path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return NoDevice(
        reason != nullptr ? reason : "the plugin cannot be loaded",
        "install the NVIDIA driver and build again with --config=cuda: where the driver is, "
        "that fetches the NVIDIA libraries, or takes them from LIBTORCH_PATH; or measure "
        "on the CPU");
  }
  auto* make = reinterpret_cast<MakeCudaDevice*>(dlsym(library, kMakeCudaDevice));
  if (make == nullptr) {
    return NoDevice(absl::StrCat(plugin_path, " is no CUDA plugin: it has no ", kMakeCudaDevice),
                    "build it again with --config=cuda");
  }
  char error[kErrorBytes] = "";
  std::unique_ptr<Device> device(make(index, error, sizeof(error)));
  if (device == nullptr) {
    return NoDevice(error,
                    "check with nvidia-smi that the driver runs and sees the GPU, and that "
                    "CUDA_VISIBLE_DEVICES does not hide it; or measure on the CPU");
  }
  return device;
}

}  // namespace assay::sampling
