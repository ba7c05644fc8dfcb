#include "benchmarks/harness/sampling/cuda/cuda_device.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/sampling/cuda/cuda_status.h"
#include "benchmarks/harness/sampling/cuda/kernels.h"

namespace assay::sampling {
namespace {

constexpr size_t kLeastFlushBytes = size_t{64} << 20;
constexpr size_t kMostProbeBytes = size_t{16} << 20;
constexpr int kNullSpans = 5;

// CUDA counts 13.0 as 13000.
std::string CudaVersion(int version) {
  return absl::StrCat(version / 1000, ".", version % 1000 / 10);
}

std::string ReadDriverVersion() {
  std::ifstream stream("/proc/driver/nvidia/version");
  std::stringstream text;
  if (stream) text << stream.rdbuf();
  return DriverVersion(text.str());
}

absl::Status CheckPresent(int index) {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    return absl::NotFoundError(CudaReason(error));
  }
  if (index < 0 || index >= count) {
    return absl::NotFoundError(
        absl::StrFormat("device %d was asked for, but CUDA sees %d", index, count));
  }
  return absl::OkStatus();
}

// 0 where the driver does not say.
int32_t Attribute(cudaDeviceAttr attribute, int index) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, attribute, index) == cudaSuccess) return value;
  cudaGetLastError();
  return 0;
}

absl::Status MakePersistingLinesNormal() {
  const cudaError_t error = cudaCtxResetPersistingL2Cache();
  if (error != cudaErrorNotSupported) return CudaStatus(error, "resetting persisting cache lines");
  // Clears the error: the next caller of cudaGetLastError() would take it for its own.
  cudaGetLastError();
  return absl::OkStatus();
}

}  // namespace

std::string DriverVersion(std::string_view proc_text) {
  // NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 07:11:15 UTC 2025
  // The open module says "for x86_64" behind "Kernel Module": take the first word like a version.
  for (std::string_view word :
       absl::StrSplit(proc_text, absl::ByAnyChar(" \t\n"), absl::SkipEmpty())) {
    const bool version = absl::ascii_isdigit(word[0]) && word.find('.') != word.npos &&
                         word.find_first_not_of("0123456789.") == word.npos;
    if (version) return std::string(word);
  }
  return "";
}

absl::StatusOr<std::unique_ptr<CudaDevice>> CudaDevice::Open(
    int index, std::unique_ptr<CudaFramework> framework) {
  if (absl::Status status = CheckPresent(index); !status.ok()) return status;
  absl::Status status = CudaStatus(cudaSetDevice(index), "choosing the device");
  if (!status.ok()) return status;
  auto device = std::unique_ptr<CudaDevice>(new CudaDevice(std::move(framework)));
  status = device->ReadFacts(index);
  if (status.ok()) status = MakePersistingLinesNormal();
  if (status.ok()) status = device->MakeParts();
  if (status.ok()) status = device->TryHold();
  if (!status.ok()) return status;
  return device;
}

CudaDevice::~CudaDevice() {
  // The hold goes first, since it waits for kernels that may still use what is freed next. Errors
  // here were reported before, or there is nobody to report them to.
  hold_.reset();
  for (const Timer& timer : timers_) {
    cudaEventDestroy(timer.start);
    if (timer.stop != nullptr) cudaEventDestroy(timer.stop);
  }
  for (const Buffer& buffer : {flush_, probe_, probe_result_}) {
    if (buffer.data != nullptr) cudaFree(buffer.data);
  }
}

absl::Status CudaDevice::ReadFacts(int index) {
  cudaDeviceProp properties;
  absl::Status status =
      CudaStatus(cudaGetDeviceProperties(&properties, index), "reading the device's properties");
  if (!status.ok()) return status;
  facts_.name = properties.name;
  facts_.memory_bytes = static_cast<int64_t>(properties.totalGlobalMem);
  facts_.l2_bytes = properties.l2CacheSize;
  facts_.compute_capability = absl::StrCat(properties.major, ".", properties.minor);
  facts_.multiprocessors = properties.multiProcessorCount;
  facts_.memory_bus_bits = properties.memoryBusWidth;
  facts_.core_mhz = Attribute(cudaDevAttrClockRate, index) / 1000;
  facts_.memory_mhz = Attribute(cudaDevAttrMemoryClockRate, index) / 1000;
  int runtime = 0;
  if (cudaRuntimeGetVersion(&runtime) == cudaSuccess) facts_.cuda_runtime = CudaVersion(runtime);
  facts_.driver = ReadDriverVersion();
  return absl::OkStatus();
}

// Makes everything that samples need and launches each kernel once: CUDA loads a kernel at its
// first launch, and would wait for the device to do so.
absl::Status CudaDevice::MakeParts() {
  if (absl::Status status = ReserveTimers(kTimers); !status.ok()) return status;
  cudaStream_t stream = framework_->Stream();
  absl::StatusOr<std::unique_ptr<ClockStamps>> stamps =
      ClockStamps::Make(facts_.multiprocessors, stream);
  if (!stamps.ok()) return stamps.status();
  stamps_ = *std::move(stamps);
  absl::StatusOr<std::unique_ptr<QueueHold>> hold = QueueHold::Make(stream);
  if (!hold.ok()) return hold.status();
  hold_ = *std::move(hold);
  absl::Status status = CudaStatus(LaunchRead(nullptr, 0, nullptr, facts_.multiprocessors, stream),
                                   "loading a kernel");
  return status.ok() ? Synchronize() : status;
}

// Finds out whether the queue can be held, and the span that the clock's marks read around nothing.
absl::Status CudaDevice::TryHold() {
  can_hold_ = true;
  int64_t overhead_ns = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < kNullSpans && can_hold_; ++i) {
    absl::Status status = Hold();
    if (status.ok()) status = MarkClockStart();
    if (status.ok()) status = StartTimer(0);
    if (status.ok()) status = StopTimer(0);
    if (status.ok()) status = MarkClockStop();
    can_hold_ = hold_->End();
    if (status.ok()) status = Synchronize();
    if (!status.ok()) return status;
    const absl::StatusOr<int64_t> timer_ns = TimerNs(0);
    if (!timer_ns.ok()) return timer_ns.status();
    overhead_ns = std::min(overhead_ns, stamps_->Read().span_ns - *timer_ns);
  }
  stamps_->set_overhead_ns(std::max<int64_t>(overhead_ns, 0));
  return absl::OkStatus();
}

absl::Status CudaDevice::Take(Buffer& buffer, size_t bytes, std::string_view what) {
  if (buffer.bytes >= bytes) return absl::OkStatus();
  // Frees the old buffer first: both together may not fit.
  if (buffer.data != nullptr) cudaFree(buffer.data);
  buffer = {};
  absl::Status status = CudaStatus(cudaMalloc(&buffer.data, bytes), what);
  if (!status.ok()) {
    cudaGetLastError();
    buffer.data = nullptr;
    return status;
  }
  buffer.bytes = bytes;
  return absl::OkStatus();
}

absl::Status CudaDevice::Synchronize() {
  return CudaStatus(cudaDeviceSynchronize(), "waiting for the device");
}

absl::Status CudaDevice::ReserveTimers(int count) {
  timers_.reserve(static_cast<size_t>(std::max(count, 0)));
  while (TimerCount() < count) {
    Timer timer;
    absl::Status status = CudaStatus(cudaEventCreate(&timer.start), "making a timer");
    if (!status.ok()) return status;
    status = CudaStatus(cudaEventCreate(&timer.stop), "making a timer");
    if (!status.ok()) {
      cudaEventDestroy(timer.start);
      return status;
    }
    timers_.push_back(timer);
  }
  return absl::OkStatus();
}

absl::Status CudaDevice::StartTimer(int timer) {
  return CudaStatus(cudaEventRecord(timers_[timer].start, framework_->Stream()),
                    "starting a timer");
}

absl::Status CudaDevice::StopTimer(int timer) {
  return CudaStatus(cudaEventRecord(timers_[timer].stop, framework_->Stream()), "stopping a timer");
}

absl::Status CudaDevice::WaitTimer(int timer) {
  return CudaStatus(cudaEventSynchronize(timers_[timer].stop), "waiting for a timer");
}

absl::StatusOr<int64_t> CudaDevice::TimerNs(int timer) {
  float milliseconds = 0;
  const cudaError_t error =
      cudaEventElapsedTime(&milliseconds, timers_[timer].start, timers_[timer].stop);
  if (error == cudaErrorNotReady) {
    cudaGetLastError();
    return absl::FailedPreconditionError("the timer has not stopped yet");
  }
  if (absl::Status status = CudaStatus(error, "reading a timer"); !status.ok()) return status;
  if (!std::isfinite(milliseconds) || milliseconds < 0) {
    return absl::DataLossError(absl::StrFormat(
        "the device's timer returned %f ms; no figure of this run can be trusted", milliseconds));
  }
  return std::llround(static_cast<double>(milliseconds) * 1e6);
}

absl::Status CudaDevice::FlushCache(int64_t bytes) {
  const size_t wanted = std::max({2 * static_cast<size_t>(facts_.l2_bytes), kLeastFlushBytes,
                                  static_cast<size_t>(std::max<int64_t>(bytes, 0))});
  absl::Status status = Take(flush_, wanted, "memory for flushing the cache");
  if (!status.ok()) return status;
  return CudaStatus(cudaMemsetAsync(flush_.data, 0, flush_.bytes, framework_->Stream()),
                    "flushing the cache");
}

absl::Status CudaDevice::ReadProbe() {
  cudaStream_t stream = framework_->Stream();
  if (probe_.data == nullptr) {
    const size_t quarter = static_cast<size_t>(facts_.l2_bytes) / 4 / 16 * 16;
    absl::Status status = Take(probe_result_, sizeof(uint32_t), "memory for probing the cache");
    if (status.ok())
      status = Take(probe_, quarter > 0 ? std::min(quarter, kMostProbeBytes) : kMostProbeBytes,
                    "memory for probing the cache");
    if (status.ok())
      status = CudaStatus(cudaMemsetAsync(probe_.data, 0, probe_.bytes, stream), "zeroing memory");
    if (!status.ok()) return status;
  }
  return CudaStatus(
      LaunchRead(probe_.data, probe_.bytes, static_cast<uint32_t*>(probe_result_.data),
                 facts_.multiprocessors, stream),
      "probing the cache");
}

absl::Status CudaDevice::Hold() {
  if (!can_hold_) return Device::Hold();
  return hold_->Begin(framework_->Stream());
}

absl::StatusOr<bool> CudaDevice::Release() { return hold_->End(); }

absl::StatusOr<ClockReading> CudaDevice::ReadClock(int64_t) { return stamps_->Read(); }

absl::StatusOr<std::unique_ptr<Graph>> CudaDevice::Capture(absl::FunctionRef<void()> work) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = framework_->Capture(work);
  if (graph.ok()) return graph;
  // A failed recording leaves its error for the next call of cudaGetLastError(). A lost device
  // reports its error again.
  cudaGetLastError();
  if (absl::Status status = Synchronize(); !status.ok()) return status;
  return graph;
}

MemoryState CudaDevice::Memory() {
  MemoryState state = host_.Memory();
  framework_->ReadMemory(state);
  return state;
}

void CudaDevice::ResetPeakMemory() {
  host_.ResetPeakMemory();
  framework_->ResetPeakMemory();
}

}  // namespace assay::sampling
