// -----------------------------------------------------------------------------
// File: warmup.h
// -----------------------------------------------------------------------------
//
// Calls a function until its cost is steady, and keeps the very first call apart: that one pays for
// lazy initialisation, loading of kernels and the choice of algorithms.
//
// Steady means: at least 3 calls and 25 ms, and a least-squares slope over the last 5 steps below
// 1 % a step. A step is one call, or as many as fill a millisecond, since the noise of single short
// calls would hide any trend. The cap of 500 ms counts from the end of the first call, so that a
// first call of seconds does not use it up; a function that is slower than 100 ms a call reaches
// the cap before five steps are seen, and is then reported as not known to be steady.
//
// Not for changes after a steady period (a clock that throttles after seconds, an algorithm that is
// chosen anew): no warm-up can foresee them; a trend test over the samples finds them.
//
//   absl::StatusOr<WarmupReport> report = WarmUp(device, call, {});

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_WARMUP_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_WARMUP_H_

#include <atomic>
#include <cstdint>
#include <functional>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

struct WarmupOptions {
  int64_t min_calls = 3;
  absl::Duration min_time = absl::Milliseconds(25);
  absl::Duration max_time = absl::Milliseconds(500);  // after the first call
  absl::Duration step = absl::Milliseconds(1);
  double max_slope = 0.01;
};

struct WarmupReport {
  int64_t first_call_ns = 0;  // until the device was done with it
  int64_t total_ns = 0;       // first call included
  int64_t calls = 0;
  bool steady = false;
  bool interrupted = false;  // `interrupted` became true; the calls until then are counted
};

// Calls `call`, at least once, and waits for the device after every step. `after_first`, if any, is
// called once when the first call is done; its time is in no figure. Exceptions of both pass
// through. Fails if Synchronize() fails.
absl::StatusOr<WarmupReport> WarmUp(Device& device, absl::FunctionRef<void()> call,
                                    const WarmupOptions& options,
                                    const std::atomic<bool>* interrupted = nullptr,
                                    const std::function<void()>& after_first = nullptr);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_WARMUP_H_
