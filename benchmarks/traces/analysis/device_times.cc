#include "benchmarks/traces/analysis/device_times.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {
namespace {

constexpr int64_t kLongCallNs = 50'000, kLongDelayNs = 100'000;  // HTA's cutoffs
constexpr int64_t kRoundingNs = 3;                               // of times in the file

using Kernels = std::vector<const TraceKernel*>;

int64_t EndOf(const TraceKernel& kernel) { return kernel.start_ns + kernel.duration_ns; }

// A call may launch many kernels, as one of a CUDA graph does.
LaunchTimes LaunchesOf(const Kernels& kernels) {
  struct Call {
    int64_t first_start_ns = std::numeric_limits<int64_t>::max(), kernels_ns = 0;
    int64_t end_ns = 0, duration_ns = 0;
  };
  std::unordered_map<int64_t, Call> calls;
  for (const TraceKernel* kernel : kernels) {
    if (kernel->launch_ns < 0) continue;
    Call& call = calls[kernel->correlation];
    call.first_start_ns = std::min(call.first_start_ns, kernel->start_ns);
    call.kernels_ns += kernel->duration_ns;
    call.duration_ns = kernel->launch_duration_ns;
    call.end_ns = kernel->launch_ns + kernel->launch_duration_ns;
  }
  LaunchTimes made = {.calls = calls.size()};
  std::vector<double> delays;
  for (const auto& [correlation, call] : calls) {
    const int64_t delay = std::max<int64_t>(call.first_start_ns - call.end_ns, 0);
    delays.push_back(static_cast<double>(delay));
    made.longest_delay_ns = std::max(made.longest_delay_ns, delay);
    made.long_delays += delay > kLongDelayNs ? 1 : 0;
    made.long_calls += call.duration_ns > kLongCallNs ? 1 : 0;
    made.short_calls += call.kernels_ns < call.duration_ns ? 1 : 0;
  }
  made.median_delay_ns = statistics::MedianOf(std::move(delays));
  return made;
}

// `kernels` are in order of time.
DeviceTime TimeOfDevice(int64_t device, const Kernels& kernels) {
  DeviceTime made = {.device = device, .kernels = kernels.size()};
  std::array<TimeMarks, 3> by_kind;
  const auto of = [&](KernelKind kind) -> TimeMarks& { return by_kind[static_cast<size_t>(kind)]; };
  std::map<int64_t, int64_t> stream_ends;
  int64_t end = kernels[0]->start_ns;
  for (const TraceKernel* kernel : kernels) {
    Mark(of(kernel->kind), kernel->start_ns, kernel->duration_ns);
    const auto [stream, first] = stream_ends.try_emplace(kernel->stream, kernel->start_ns);
    made.overlapping += kernel->start_ns + kRoundingNs < stream->second ? 1 : 0;
    stream->second = std::max(stream->second, EndOf(*kernel));
    if (const int64_t gap = kernel->start_ns - end; gap > 0) {
      int64_t& part = kernel->launch_ns < 0     ? made.unknown_ns
                      : kernel->launch_ns > end ? made.late_ns
                                                : made.launched_ns;
      part += gap;
    }
    end = std::max(end, EndOf(*kernel));
  }
  made.streams = stream_ends.size();
  made.whole_ns = end - kernels[0]->start_ns;
  made.busy_ns = made.whole_ns - made.late_ns - made.launched_ns - made.unknown_ns;
  made.compute_ns = TimeOpen(of(KernelKind::kCompute));
  made.communication_ns = TimeOpen(of(KernelKind::kCommunication));
  made.memory_ns = TimeOpen(of(KernelKind::kMemory));
  const auto hidden = [&](KernelKind kind, int64_t alone_ns) {
    TimeMarks both = of(KernelKind::kCompute);
    both.insert(both.end(), of(kind).begin(), of(kind).end());
    return made.compute_ns + alone_ns - TimeOpen(std::move(both));
  };
  made.hidden_communication_ns = hidden(KernelKind::kCommunication, made.communication_ns);
  made.hidden_memory_ns = hidden(KernelKind::kMemory, made.memory_ns);
  made.launches = LaunchesOf(kernels);
  return made;
}

}  // namespace

std::vector<DeviceTime> DeviceTimes(const TraceReading& about) {
  std::map<int64_t, Kernels> by_device;
  for (const TraceKernel& kernel : about.kernels) by_device[kernel.device].push_back(&kernel);
  std::vector<DeviceTime> made;
  for (const auto& [device, kernels] : by_device) made.push_back(TimeOfDevice(device, kernels));
  return made;
}

std::vector<KernelTotal> KernelTotals(const Trace& trace) {
  const TraceReading& about = trace.about;
  std::unordered_map<int64_t, const std::string*> node_names;
  for (const TraceKernel& kernel : about.kernels) node_names[kernel.node] = nullptr;
  for (size_t node = 0; node < trace.nodes.size(); ++node) {
    if (const auto found = node_names.find(trace.nodes.IdsOf(node).id); found != node_names.end())
      found->second = &trace.nodes.CallOf(node).name;
  }
  std::vector<KernelTotal> totals(about.kernel_names.size());
  std::vector<std::map<std::string, int64_t>> launched(totals.size());
  for (const TraceKernel& kernel : about.kernels) {
    KernelTotal& total = totals[kernel.name];
    total.name = about.kernel_names[kernel.name];
    total.kind = kernel.kind;
    ++total.calls;
    total.ns += kernel.duration_ns;
    const std::string* by = kernel.node == 0 ? nullptr : node_names.at(kernel.node);
    if (by != nullptr) launched[kernel.name][*by] += kernel.duration_ns;
  }
  for (size_t i = 0; i < totals.size(); ++i) {
    int64_t most = -1;
    for (const auto& [node, ns] : launched[i]) {
      if (ns > most) totals[i].launched_by = node;
      most = std::max(most, ns);
    }
  }
  std::erase_if(totals, [](const KernelTotal& total) { return total.calls == 0; });
  std::stable_sort(totals.begin(), totals.end(),
                   [](const KernelTotal& a, const KernelTotal& b) { return a.ns > b.ns; });
  return totals;
}

}  // namespace assay::traces
