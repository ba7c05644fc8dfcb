#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_DEVICE_TIMES_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_DEVICE_TIMES_H_

// ---------------------------------------------------------------------------------------------
// device_times.h: where the time of a trace's GPUs went.
//
// The definitions are those of Meta's Holistic Trace Analysis (HTA 0.5.0, hta/analyzers), for each
// device:
//   whole        from the begin of the first kernel to the end of the last one
//   compute, communication, memory    at least one kernel of the kind runs (breakdown_analysis.py, and
//                get_kernel_type() in hta/utils/utils.py): copies and fills are memory, NCCL's kernels
//                communication
//   hidden       communication, or memory, while a kernel computes: get_comm_comp_overlap()
//   idle         no kernel runs. The part `late`: the call that launches the next kernel begins after
//                the gap has begun (get_idle_time_breakdown()'s host wait). HTA looks at the gaps of one
//                stream; here all streams are idle in a gap
//   delay        from the end of the launching call to the begin of its first kernel, 0 if that begins
//                earlier (cuda_kernel_analysis.py, cuda_kernel_launch_stats())
//   short        a launching call that takes longer than its kernels
//
// Example:
//   for (const DeviceTime& device : DeviceTimes(trace.about))
//     std::cout << device.device << " " << device.IdleNs();
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/traces/reader/trace_file.h"

namespace assay::traces {

// The calls of CUDA's runtime that launched the kernels of a device.
struct LaunchTimes {
  size_t calls = 0;
  size_t short_calls = 0;      // take longer than their kernels
  size_t long_calls = 0;       // more than 50 us
  size_t long_delays = 0;      // more than 100 us
  double median_delay_ns = 0;  // NaN without calls
  int64_t longest_delay_ns = 0;
};

struct DeviceTime {
  int64_t device = -1;  // -1: the trace does not say
  size_t kernels = 0, streams = 0;
  size_t overlapping =
      0;  // kernels that begin before the one before them on their stream has ended
  int64_t whole_ns = 0, busy_ns = 0;
  int64_t compute_ns = 0, communication_ns = 0, memory_ns = 0;
  int64_t hidden_communication_ns = 0, hidden_memory_ns = 0;
  // Parts of the idle time, by the launch of the next kernel: it began in the gap, it began before the
  // gap, the trace lacks it.
  int64_t late_ns = 0, launched_ns = 0, unknown_ns = 0;
  LaunchTimes launches = {};

  int64_t IdleNs() const { return whole_ns - busy_ns; }
};

// In order of the devices' numbers.
std::vector<DeviceTime> DeviceTimes(const TraceReading& about);

struct KernelTotal {
  std::string name = {};
  KernelKind kind = KernelKind::kCompute;
  size_t calls = 0;
  int64_t ns = 0;
  std::string launched_by =
      {};  // the node that launched the most of it; "": the trace does not say
};

// The kernels of all devices, the longest first.
std::vector<KernelTotal> KernelTotals(const Trace& trace);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_DEVICE_TIMES_H_
