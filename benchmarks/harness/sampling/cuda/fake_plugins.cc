// Plugins for tests: one works, one finds no device, one exports nothing, and the device of one is
// broken, as a GPU is for a process in which a kernel has read a wrong address.

#include <cstddef>
#include <cstdio>

#include "absl/status/status.h"
#include "benchmarks/harness/sampling/cuda/cuda_plugin.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"

#if defined(WORKING)
extern "C" assay::sampling::Device* assay_make_cuda_device(int, char*, size_t) {
  return new assay::sampling::CpuDevice;
}
#elif defined(DEVICELESS)
extern "C" assay::sampling::Device* assay_make_cuda_device(int index, char* error, size_t bytes) {
  std::snprintf(error, bytes, "device %d was asked for, but CUDA sees 0", index);
  return nullptr;
}
#elif defined(BROKEN)
namespace {

class BrokenDevice : public assay::sampling::CpuDevice {
 public:
  absl::Status Synchronize() override {
    return absl::InternalError("waiting for the device: an illegal memory access was encountered");
  }
};

}  // namespace

extern "C" assay::sampling::Device* assay_make_cuda_device(int, char*, size_t) {
  return new BrokenDevice;
}
#else
extern "C" int something_else() { return 0; }
#endif
