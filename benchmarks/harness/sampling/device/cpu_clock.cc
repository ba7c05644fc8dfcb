#include "benchmarks/harness/sampling/device/cpu_clock.h"

#include <algorithm>
#include <chrono>

namespace assay::sampling {
namespace {

constexpr int64_t kCycles = 3'072;
constexpr int kChains = 3;

// Eight dependent instructions per turn, so that the loop's counter costs no extra time.
int64_t Chain(int64_t value) {
#if defined(__x86_64__)
  constexpr int64_t kCyclesEach = 3;
  for (int64_t turn = 0; turn < kCycles / kCyclesEach / 8; ++turn) {
    asm volatile(
        "imul %0, %0\n imul %0, %0\n imul %0, %0\n imul %0, %0\n"
        "imul %0, %0\n imul %0, %0\n imul %0, %0\n imul %0, %0\n"
        : "+r"(value));
  }
#elif defined(__aarch64__)
  for (int64_t turn = 0; turn < kCycles / 8; ++turn) {
    asm volatile(
        "add %0, %0, %0\n add %0, %0, %0\n add %0, %0, %0\n add %0, %0, %0\n"
        "add %0, %0, %0\n add %0, %0, %0\n add %0, %0, %0\n add %0, %0, %0\n"
        : "+r"(value));
  }
#endif
  return value;
}

}  // namespace

int32_t CoreMhz() {
#if defined(__x86_64__) || defined(__aarch64__)
  using Clock = std::chrono::steady_clock;
  int64_t fastest_ns = INT64_MAX;
  volatile int64_t value = 3;
  for (int i = 0; i < kChains; ++i) {
    const Clock::time_point start = Clock::now();
    value = Chain(value);
    const int64_t took_ns =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
    fastest_ns = std::min(fastest_ns, std::max<int64_t>(took_ns, 1));
  }
  return static_cast<int32_t>(kCycles * 1'000 / fastest_ns);
#else
  return 0;
#endif
}

}  // namespace assay::sampling
