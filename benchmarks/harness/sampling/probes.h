// -----------------------------------------------------------------------------
// File: probes.h
// -----------------------------------------------------------------------------
//
// Small measurements around the samples, for the validity checks: what a mode reads around an empty
// function, whether the flush works, whether work continues after the last call, and whether calls
// really compute.
//
// Not for judging: validity.h.
//
//   absl::StatusOr<NullReading> null = ReadNull(device, protocol);

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_PROBES_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_PROBES_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/evidence.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/timed_work.h"

namespace assay::sampling {

// The number of flushes in ReadNull(), in a mode that flushes, and ProbeCache() together.
inline constexpr int64_t kFlushesOfProbes = 5;

// Takes five samples of an empty function by this protocol (without its chunks and its graph),
// three where each needs a flush. Returns the least of each figure without the first sample, which
// pays for memory and pages.
absl::StatusOr<NullReading> ReadNull(Device& device, const Protocol& protocol);

// Flushes the caches and then reads the device's probe buffer twice; all of it two times. Returns
// the shorter of the two first readings and the shorter of the two second ones.
absl::StatusOr<CacheProbe> ProbeCache(Device& device);

// Call it when everything has been awaited: lets `idle_ns` pass and observes what happens. It
// checks the device every quarter of a millisecond, since short work would be over at the end. It
// reads the process's CPU time in the last 5 ms, and only if 15 ms have passed before: OpenMP's
// threads spin for that long before they sleep, which is no work.
//
// After a single long wait it calls `call`, awaits it and lets `idle_ns` pass once more: work that
// a call leaves behind comes again, the jitter of a virtual machine does not. An empty `call`: there
// is no time for that.
absl::StatusOr<LateWork> LookForLateWork(Device& device, int64_t idle_ns,
                                         const std::function<void()>& call);

// Makes `pairs` pairs: a call on set 0, then a call on another set, each awaited. Set 0 is in use
// afterwards. The work has at least two sets. With 0 pairs only the outputs are compared.
absl::StatusOr<FreshInputs> TryFreshInputs(Device& device, TimedWork& work, int64_t pairs);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_PROBES_H_
