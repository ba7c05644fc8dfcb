#include "benchmarks/harness/sampling/fake_cuda_runtime.h"

#include <cstdio>
#include <cstdlib>

namespace assay::sampling {

FakeCudaRuntime& CudaScript() {
  static FakeCudaRuntime script;
  return script;
}

namespace {

cudaError_t Returned(const std::string& function) {
  const auto found = CudaScript().failing.find(function);
  return found == CudaScript().failing.end() ? cudaSuccess : found->second;
}

}  // namespace
}  // namespace assay::sampling

using assay::sampling::CudaScript;
using assay::sampling::Returned;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = CudaScript().devices;
  return Returned("cudaGetDeviceCount");
}

cudaError_t cudaSetDevice(int) { return Returned("cudaSetDevice"); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::snprintf(properties->name, sizeof(properties->name), "NVIDIA Fake");
  properties->totalGlobalMem = size_t{80} << 30;
  properties->l2CacheSize = CudaScript().l2_bytes;
  properties->major = 9;
  properties->minor = 0;
  return Returned("cudaGetDeviceProperties");
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13020;
  return Returned("cudaRuntimeGetVersion");
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  if (const cudaError_t error = Returned("cudaEventCreate"); error != cudaSuccess) return error;
  *event = static_cast<cudaEvent_t>(std::malloc(1));
  ++CudaScript().events;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  std::free(event);
  --CudaScript().events;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t stream) {
  CudaScript().journal += 'r';
  CudaScript().last_stream = stream;
  return Returned("cudaEventRecord");
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  if (start == stop) return cudaErrorInvalidValue;
  *milliseconds = CudaScript().elapsed_ms;
  return Returned("cudaEventElapsedTime");
}

cudaError_t cudaDeviceSynchronize() {
  CudaScript().journal += 's';
  return Returned("cudaDeviceSynchronize");
}

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  if (const cudaError_t error = Returned("cudaMalloc"); error != cudaSuccess) return error;
  *memory = std::malloc(1);
  CudaScript().buffer_bytes = bytes;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  std::free(memory);
  CudaScript().buffer_bytes = 0;
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void*, int, size_t bytes, cudaStream_t stream) {
  CudaScript().journal += 'm';
  CudaScript().memset_bytes = bytes;
  CudaScript().last_stream = stream;
  return Returned("cudaMemsetAsync");
}

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorInsufficientDriver ? "CUDA driver version is insufficient"
                                              : "some error";
}

const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorInsufficientDriver ? "cudaErrorInsufficientDriver" : "cudaErrorSome";
}

}  // extern "C"
