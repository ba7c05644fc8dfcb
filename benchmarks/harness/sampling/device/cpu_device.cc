#include "benchmarks/harness/sampling/cpu_device.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace assay::sampling {
namespace {

constexpr size_t kCacheLineBytes = 64;
constexpr size_t kLeastFlushBytes = size_t{64} << 20;
// Some machines report the sum over all dies, of which one core can only use its own.
constexpr size_t kMostFlushBytes = size_t{256} << 20;

size_t FlushBytes() {
  const long last_level = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const size_t twice = last_level > 0 ? 2 * static_cast<size_t>(last_level) : 0;
  return std::clamp(twice, kLeastFlushBytes, kMostFlushBytes);
}

absl::Status NoTimers() {
  return absl::FailedPreconditionError("the CPU has no timers but the host's clock");
}

}  // namespace

int64_t CpuDevice::NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int64_t CpuDevice::ProcessCpuNs() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

absl::Status CpuDevice::StartTimer(int) { return NoTimers(); }

absl::Status CpuDevice::StopTimer(int) { return NoTimers(); }

absl::StatusOr<int64_t> CpuDevice::TimerNs(int) { return NoTimers(); }

absl::Status CpuDevice::FlushCache() {
  if (flush_buffer_.empty()) flush_buffer_.resize(FlushBytes());
  volatile char* line = flush_buffer_.data();  // volatile: nobody reads what is written
  for (size_t i = 0; i < flush_buffer_.size(); i += kCacheLineBytes) {
    line[i] = static_cast<char>(line[i] + 1);
  }
  return absl::OkStatus();
}

}  // namespace assay::sampling
