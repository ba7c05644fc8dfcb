// A library to preload: the wall clock is set back by an hour after it was first read.

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  static std::atomic<int> readings{0};
  const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if (clock == CLOCK_REALTIME && readings++ > 0) time->tv_sec -= 3600;
  return result;
}
