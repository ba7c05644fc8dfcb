// Plugins for cuda_plugin_test.cc: one works, one finds no device, one exports nothing.

#include <cstddef>
#include <cstdio>

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
#else
extern "C" int something_else() { return 0; }
#endif
