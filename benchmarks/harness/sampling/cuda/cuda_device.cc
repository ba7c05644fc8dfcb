#include "benchmarks/harness/sampling/cuda_device.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace assay::sampling {
namespace {

constexpr size_t kLeastFlushBytes = size_t{64} << 20;

// A failure in use. What is wrong before any use is NotFound, see Open.
absl::Status InUse(cudaError_t error, std::string_view what) {
  if (error == cudaSuccess) return absl::OkStatus();
  const std::string message =
      absl::StrCat(what, ": ", cudaGetErrorString(error), " (", cudaGetErrorName(error), ")");
  if (error == cudaErrorMemoryAllocation) return absl::ResourceExhaustedError(message);
  return absl::UnavailableError(message);
}

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
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    return absl::NotFoundError(
        absl::StrCat(cudaGetErrorString(error), " (", cudaGetErrorName(error), ")"));
  }
  if (index < 0 || index >= count) {
    return absl::NotFoundError(
        absl::StrFormat("device %d was asked for, but CUDA sees %d", index, count));
  }
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

absl::StatusOr<std::unique_ptr<CudaDevice>> CudaDevice::Open(int index, StreamSource stream) {
  if (absl::Status status = CheckPresent(index); !status.ok()) return status;
  if (absl::Status status = InUse(cudaSetDevice(index), "choosing the device"); !status.ok()) {
    return status;
  }
  auto device = std::unique_ptr<CudaDevice>(new CudaDevice(std::move(stream)));
  if (absl::Status status = device->ReadFacts(index); !status.ok()) return status;
  if (absl::Status status = device->MakeTimers(); !status.ok()) return status;
  return device;
}

CudaDevice::~CudaDevice() {
  // Errors here have been seen before, or nobody is left to care.
  for (const Timer& timer : timers_) {
    cudaEventDestroy(timer.start);
    if (timer.stop != nullptr) cudaEventDestroy(timer.stop);
  }
  cudaFree(flush_buffer_);
}

absl::Status CudaDevice::ReadFacts(int index) {
  cudaDeviceProp properties;
  absl::Status status =
      InUse(cudaGetDeviceProperties(&properties, index), "reading the device's properties");
  if (!status.ok()) return status;
  facts_.name = properties.name;
  facts_.memory_bytes = static_cast<int64_t>(properties.totalGlobalMem);
  facts_.l2_bytes = properties.l2CacheSize;
  facts_.compute_capability = absl::StrCat(properties.major, ".", properties.minor);
  int runtime = 0;
  if (cudaRuntimeGetVersion(&runtime) == cudaSuccess) facts_.cuda_runtime = CudaVersion(runtime);
  facts_.driver = ReadDriverVersion();
  return absl::OkStatus();
}

absl::Status CudaDevice::MakeTimers() {
  timers_.reserve(kTimers);
  for (int i = 0; i < kTimers; ++i) {
    Timer timer;
    absl::Status status = InUse(cudaEventCreate(&timer.start), "making a timer");
    if (!status.ok()) return status;
    timers_.push_back(timer);
    status = InUse(cudaEventCreate(&timers_.back().stop), "making a timer");
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CudaDevice::Synchronize() {
  return InUse(cudaDeviceSynchronize(), "waiting for the device");
}

absl::Status CudaDevice::StartTimer(int timer) {
  return InUse(cudaEventRecord(timers_[timer].start, stream_()), "starting a timer");
}

absl::Status CudaDevice::StopTimer(int timer) {
  return InUse(cudaEventRecord(timers_[timer].stop, stream_()), "stopping a timer");
}

absl::StatusOr<int64_t> CudaDevice::TimerNs(int timer) {
  float milliseconds = 0;
  absl::Status status =
      InUse(cudaEventElapsedTime(&milliseconds, timers_[timer].start, timers_[timer].stop),
            "reading a timer");
  if (!status.ok()) return status;
  return std::llround(static_cast<double>(milliseconds) * 1e6);
}

absl::Status CudaDevice::FlushCache() {
  if (flush_buffer_ == nullptr) {
    const size_t bytes = std::max(2 * static_cast<size_t>(facts_.l2_bytes), kLeastFlushBytes);
    absl::Status status = InUse(cudaMalloc(&flush_buffer_, bytes), "memory for flushing the cache");
    if (!status.ok()) return status;
    flush_bytes_ = bytes;
  }
  return InUse(cudaMemsetAsync(flush_buffer_, 0, flush_bytes_, stream_()), "flushing the cache");
}

}  // namespace assay::sampling
