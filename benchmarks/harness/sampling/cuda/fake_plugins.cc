// Plugins for tests: one works, one has a GPU of compute capability 9.0 whose tensors lie on the CPU, one
// finds no device, one exports nothing, and the device of one is broken, as a GPU is for a process in
// which a kernel has read a wrong address.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/sampling/cuda/cuda_plugin.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/device/device_facts.h"

namespace {

// The text that a driver would read when it is loaded. Read by the one plugin that has a text to say.
[[maybe_unused]] const std::string launch_queues = [] {
  const char* value = std::getenv(assay::sampling::kLaunchQueues);
  return value == nullptr ? "none" : value;
}();

}  // namespace

#if defined(WORKING)
namespace {

// Its tensors would lie on a GPU, which the CPU's LibTorch refuses: each call is a CRASH.
class WorkingDevice : public assay::sampling::CpuDevice {
 public:
  bool UsesHostMemory() const override { return false; }
};

}  // namespace

extern "C" assay::sampling::Device* assay_make_cuda_device(int, char*, size_t) {
  return new WorkingDevice;
}
#elif defined(HOPPER)
namespace {

class HopperDevice : public assay::sampling::CpuDevice {
 public:
  HopperDevice() {
    facts_.name = "Fake H100";
    facts_.compute_capability = "9.0";
  }
  const assay::sampling::DeviceFacts& Facts() const override { return facts_; }

 private:
  assay::sampling::DeviceFacts facts_;
};

}  // namespace

extern "C" assay::sampling::Device* assay_make_cuda_device(int, char*, size_t) {
  return new HopperDevice;
}
#elif defined(DEVICELESS)
extern "C" assay::sampling::Device* assay_make_cuda_device(int index, char* error, size_t bytes) {
  std::snprintf(error, bytes, "device %d was asked for, but CUDA sees 0; launch queues %s", index,
                launch_queues.c_str());
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
