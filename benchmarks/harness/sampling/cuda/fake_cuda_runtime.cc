#include "benchmarks/harness/sampling/cuda/fake_cuda_runtime.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace assay::sampling {

FakeCudaRuntime& CudaScript() {
  static FakeCudaRuntime script;
  return script;
}

void FakeCudaRuntime::Note(char what) {
  const bool waits = what == 't' || what == 's' || (what == 'h' && blocking_launches);
  if (hold != nullptr && what != 'h' && hold->released >= hold_number) {
    journal += 'u';
    hold = nullptr;
  }
  journal += what;
  if (hold == nullptr || !waits || hold->released >= hold_number) return;
  journal += 'W';
  hold->timed_out = hold_number;
  hold = nullptr;
}

namespace {

// The error that the script sets for `function`.
cudaError_t Returned(const std::string& function) {
  const auto found = CudaScript().failing.find(function);
  if (found == CudaScript().failing.end()) return cudaSuccess;
  return CudaScript().last_error = found->second;
}

cudaError_t Queued(char what, const std::string& function, cudaStream_t stream) {
  CudaScript().Note(what);
  CudaScript().last_stream = stream;
  return Returned(function);
}

// A handle that Gone() frees, so that a forgotten one shows up as a leak, too.
template <typename Handle>
cudaError_t Made(Handle* handle, int& count, const std::string& function) {
  if (const cudaError_t error = Returned(function); error != cudaSuccess) return error;
  *handle = static_cast<Handle>(std::malloc(1));
  ++count;
  return cudaSuccess;
}

cudaError_t Gone(void* handle, int& count) {
  std::free(handle);
  --count;
  return cudaSuccess;
}

cudaError_t Allocated(void** memory, size_t bytes, std::map<void*, size_t>& from,
                      const std::string& function) {
  if (const cudaError_t error = Returned(function); error != cudaSuccess) return error;
  // No test reads a large buffer, so it gets one byte.
  *memory = std::calloc(1, bytes < 4096 ? bytes : 1);
  from[*memory] = bytes;
  return cudaSuccess;
}

cudaError_t Freed(void* memory, std::map<void*, size_t>& from) {
  if (from.erase(memory) != 1) return cudaErrorInvalidValue;
  std::free(memory);
  return cudaSuccess;
}

}  // namespace

cudaError_t Spin(int64_t, cudaStream_t stream) { return Queued('o', "Spin", stream); }

cudaError_t LaunchHold(HoldState* state, uint64_t number, int64_t, cudaStream_t stream) {
  CudaScript().hold = number > 0 ? state : nullptr;
  CudaScript().hold_number = number;
  return Queued('h', "LaunchHold", stream);
}

cudaError_t LaunchClockStamps(ClockStamp* stamps, uint64_t mark, int, cudaStream_t stream) {
  FakeCudaRuntime& script = CudaScript();
  script.device_ns += script.between_stamps_ns;
  const int sm = script.stamp_sms[script.stamps++ % script.stamp_sms.size()];
  if (sm < kStampedSms) {
    stamps[sm] = {.mark = mark,
                  .ns = script.device_ns,
                  // Each multiprocessor has its own count.
                  .cycles = script.device_ns * script.mhz / 1000 + int64_t{1'000'000} * sm};
  }
  return Queued('k', "LaunchClockStamps", stream);
}

cudaError_t LaunchTimerStep(int64_t* step_ns, cudaStream_t) {
  *step_ns = CudaScript().timer_step_ns;
  return Returned("LaunchTimerStep");
}

cudaError_t LaunchRead(const void*, size_t bytes, uint32_t*, int, cudaStream_t stream) {
  CudaScript().read_bytes = bytes;
  return Queued('p', "LaunchRead", stream);
}

}  // namespace assay::sampling

using assay::sampling::Allocated;
using assay::sampling::CudaScript;
using assay::sampling::Freed;
using assay::sampling::Gone;
using assay::sampling::Made;
using assay::sampling::Queued;
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
  properties->multiProcessorCount = 132;
  properties->memoryBusWidth = 5120;
  return Returned("cudaGetDeviceProperties");
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrClockRate ? 1'980'000 : 2'619'000;
  return Returned("cudaDeviceGetAttribute");
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13020;
  return Returned("cudaRuntimeGetVersion");
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  ++CudaScript().persisting_resets;
  return Returned("cudaCtxResetPersistingL2Cache");
}

cudaError_t cudaGetLastError() { return std::exchange(CudaScript().last_error, cudaSuccess); }

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return Made(event, CudaScript().events, "cudaEventCreate");
}

cudaError_t cudaEventDestroy(cudaEvent_t event) { return Gone(event, CudaScript().events); }

cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t stream) {
  return Queued('r', "cudaEventRecord", stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t) {
  CudaScript().Note('t');
  return Returned("cudaEventSynchronize");
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  if (start == stop) return cudaErrorInvalidValue;
  *milliseconds = CudaScript().elapsed_ms;
  return Returned("cudaEventElapsedTime");
}

cudaError_t cudaDeviceSynchronize() {
  CudaScript().Note('s');
  return Returned("cudaDeviceSynchronize");
}

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return Allocated(memory, bytes, CudaScript().device_memory, "cudaMalloc");
}

cudaError_t cudaFree(void* memory) { return Freed(memory, CudaScript().device_memory); }

cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned int) {
  return Allocated(memory, bytes, CudaScript().host_memory, "cudaHostAlloc");
}

cudaError_t cudaFreeHost(void* memory) { return Freed(memory, CudaScript().host_memory); }

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  *device = host;
  return Returned("cudaHostGetDevicePointer");
}

cudaError_t cudaMemsetAsync(void*, int, size_t bytes, cudaStream_t stream) {
  CudaScript().memset_bytes = bytes;
  return Queued('m', "cudaMemsetAsync", stream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) {
  return Made(stream, CudaScript().streams, "cudaStreamCreateWithFlags");
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) { return Gone(stream, CudaScript().streams); }

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  CudaScript().captured_stream = stream;
  return Queued('b', "cudaStreamBeginCapture", stream);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  if (const cudaError_t error = Queued('e', "cudaStreamEndCapture", stream); error != cudaSuccess)
    return error;
  return Made(graph, CudaScript().graphs, "");
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t, unsigned long long) {
  CudaScript().Note('i');
  return Made(ready, CudaScript().graphs, "cudaGraphInstantiate");
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t stream) {
  return Queued('g', "cudaGraphLaunch", stream);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return Gone(graph, CudaScript().graphs); }

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return Gone(graph, CudaScript().graphs); }

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorInsufficientDriver ? "CUDA driver version is insufficient"
                                              : "some error";
}

const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorInsufficientDriver ? "cudaErrorInsufficientDriver" : "cudaErrorSome";
}

}  // extern "C"
