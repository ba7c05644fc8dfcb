// -----------------------------------------------------------------------------
// File: host_facts.h
// -----------------------------------------------------------------------------
//
// Figures of Linux and the C library about this process: page faults, time spent waiting for a CPU,
// memory. They are read between samples, never during one.
//
// Not for facts about the machine, which do not change during a run: harness/environment.
//
//   HostCounters before = ReadHostCounters();

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_HOST_FACTS_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_HOST_FACTS_H_

#include <cstdint>
#include <string_view>

#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

// Reads getrusage, /proc/self/task/*/schedstat (run delay) and /proc/stat (steal).
HostCounters ReadHostCounters();

// Reads mallinfo2 and VmHWM of /proc/self/status; the device's fields stay 0.
MemoryState ReadHostMemory();

// Writes 5 to /proc/self/clear_refs (proc(5)); where that is not allowed the peak stays that of the
// process's whole life.
void ResetHostPeakMemory();

// The nanoseconds of steal in the text of /proc/stat; -1 where it has none.
int64_t StealNs(std::string_view proc_stat, int64_t ticks_per_second);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_HOST_FACTS_H_
