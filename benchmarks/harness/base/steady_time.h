#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_STEADY_TIME_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_STEADY_TIME_H_

// ---------------------------------------------------------------------------------------------
// steady_time.h: the time for durations and deadlines. Nobody can set this clock; a difference of two
// absl::Now() was -3597 s once, when somebody had set that one back by an hour.
//
// Example:
//   const absl::Duration start = SteadyNow();
//   ...
//   record.set_duration_s(absl::ToDoubleSeconds(SteadyNow() - start));
//
// Not for: dates (absl::Now()), samples (sampling/device).
// ---------------------------------------------------------------------------------------------

#include <chrono>

#include "absl/time/time.h"

namespace assay::base {

// The time since some moment before the process began.
inline absl::Duration SteadyNow() {
  return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_STEADY_TIME_H_
