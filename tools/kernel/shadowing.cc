// Defines what a process that measures asks others for, as a library does that wants to answer in their place:
// library_symbols_test.cc.
#include <time.h>

#include <chrono>
#include <cstddef>

namespace c10 {

struct Allocator;

// LibTorch's own, in libc10.so.
Allocator* GetCPUAllocator() { return nullptr; }

// Nobody else's.
void OnlyHere() {}

}  // namespace c10

namespace at {

// No LibTorch of today has it.
void RemovedLongAgo();

}  // namespace at

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept { return {}; }

extern "C" {

int clock_gettime(clockid_t /*clock*/, struct timespec* time) noexcept {
  time->tv_sec = time->tv_nsec = 0;
  return 0;
}

__attribute__((weak)) void* malloc(size_t /*bytes*/) noexcept { return nullptr; }

// No list here has it, but this machine's C library does.
double lgamma_r(double x, int* /*sign*/) noexcept { return x; }

int cudaEventElapsedTime(float* milliseconds, void* /*from*/, void* /*to*/) {
  *milliseconds = 0;
  return 0;
}

// Nobody else's.
__attribute__((visibility("hidden"))) int nanosleep(const struct timespec* /*time*/,
                                                    struct timespec* /*left*/) {
  return 0;
}
void cudart_free_helper() {}
void cuisine() { at::RemovedLongAgo(); }
void torch_is_not_theirs() {}
// NOLINTBEGIN(bugprone-reserved-identifier): the names that TVM-FFI asks for
int __tvm_ffi_softmax(void* /*self*/, const void* /*args*/, int /*count*/, void* /*result*/) {
  return nanosleep(nullptr, nullptr);
}
int __tvm_ffi__metadata_softmax(void* /*self*/, const void* /*args*/, int /*count*/,
                                void* /*result*/) {
  return 0;
}
// NOLINTEND(bugprone-reserved-identifier)
}
