#include "benchmarks/harness/sampling/device/cpu_device.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>

#include "benchmarks/harness/sampling/device/cpu_clock.h"
#include "benchmarks/harness/sampling/device/host_facts.h"

namespace assay::sampling {
namespace {

constexpr size_t kCacheLineBytes = 64;
constexpr size_t kLeastFlushBytes = size_t{64} << 20;
// Some machines report the sum over all dies, though a core can use only the cache of its own.
constexpr size_t kMostFlushBytes = size_t{256} << 20;
constexpr size_t kProbeBytes = size_t{1} << 19;
constexpr int64_t kClockPeriodNs = 10'000'000;

size_t FlushBytes() {
  const long last_level = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const size_t twice = last_level > 0 ? 2 * static_cast<size_t>(last_level) : 0;
  return std::clamp(twice, kLeastFlushBytes, kMostFlushBytes);
}

size_t PrivateCacheBytes() {
  const long level_2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return level_2 > 0 ? static_cast<size_t>(level_2) : size_t{2} << 20;
}

void WriteLines(char* data, size_t bytes) {
  volatile char* line = data;  // volatile: nothing reads the buffer
  for (size_t i = 0; i < bytes; i += kCacheLineBytes) line[i] = static_cast<char>(line[i] + 1);
}

void ReadLines(const char* data, size_t bytes) {
  const volatile char* line = data;  // volatile: nothing uses the value
  for (size_t i = 0; i < bytes; i += kCacheLineBytes) line[i];
}

// Reads the start of the buffer on every CPU of this process but the caller's.
void EmptyPrivateCaches(const std::vector<char>& buffer) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  const size_t bytes = std::min(buffer.size(), 2 * PrivateCacheBytes());
  const int here = sched_getcpu();
  std::vector<std::thread> walkers;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (cpu == here || !CPU_ISSET(cpu, &allowed)) continue;
    walkers.emplace_back([cpu, bytes, &buffer] {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      if (pthread_setaffinity_np(pthread_self(), sizeof(one), &one) != 0) return;
      ReadLines(buffer.data(), bytes);
    });
  }
  for (std::thread& walker : walkers) walker.join();
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

void CpuDevice::IdleNs(int64_t ns) { std::this_thread::sleep_for(std::chrono::nanoseconds(ns)); }

absl::Status CpuDevice::StartTimer(int) { return NoTimers(); }

absl::Status CpuDevice::StopTimer(int) { return NoTimers(); }

absl::Status CpuDevice::WaitTimer(int) { return NoTimers(); }

absl::StatusOr<int64_t> CpuDevice::TimerNs(int) { return NoTimers(); }

absl::Status CpuDevice::FlushCache(int64_t bytes) {
  const size_t wanted = std::max(FlushBytes(), static_cast<size_t>(std::max<int64_t>(bytes, 0)));
  if (flush_buffer_.size() < wanted) flush_buffer_.resize(wanted);
  WriteLines(flush_buffer_.data(), flush_buffer_.size());
  EmptyPrivateCaches(flush_buffer_);
  return absl::OkStatus();
}

absl::Status CpuDevice::ReadProbe() {
  if (probe_buffer_.empty()) probe_buffer_.resize(kProbeBytes, 1);
  ReadLines(probe_buffer_.data(), probe_buffer_.size());
  return absl::OkStatus();
}

absl::StatusOr<ClockReading> CpuDevice::ReadClock(int64_t now_ns) {
  if (now_ns >= next_clock_ns_) {
    clock_.mhz = CoreMhz();
    next_clock_ns_ = now_ns + kClockPeriodNs;
  }
  return clock_;
}

HostCounters CpuDevice::Counters() { return ReadHostCounters(); }

MemoryState CpuDevice::Memory() { return ReadHostMemory(); }

void CpuDevice::ResetPeakMemory() { ResetHostPeakMemory(); }

}  // namespace assay::sampling
