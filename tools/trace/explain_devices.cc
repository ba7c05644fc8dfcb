#include "tools/trace/explain_devices.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/analysis/device_times.h"
#include "tools/trace/actions.h"

namespace assay::trace {
namespace {

using traces::DeviceTime;
using traces::KernelTotal;

std::string_view KindText(traces::KernelKind kind) {
  switch (kind) {
    case traces::KernelKind::kCommunication:
      return "communication";
    case traces::KernelKind::kMemory:
      return "memory";
    default:
      return "compute";
  }
}

std::string DeviceText(const DeviceTime& d) {
  const auto line = [&](std::string_view word, int64_t ns, std::string_view what) {
    return absl::StrFormat("%-15s%s, %s: %s\n", word, NsText(ns), ShareText(ns, d.whole_ns), what);
  };
  const auto kind = [&](std::string_view word, int64_t ns, int64_t hidden, std::string_view what) {
    if (ns == 0) return std::string();
    return line(
        word, ns,
        absl::StrCat(what, "; ", ShareText(hidden, ns), " of this time while kernels compute"));
  };
  std::string text = absl::StrFormat(
      "%-15s%s from the begin of the first of %s to the end of the last one, on %s\n",
      absl::StrCat("device ", d.device < 0 ? "?" : absl::StrCat(d.device)), NsText(d.whole_ns),
      CountText(d.kernels, "kernel"), CountText(d.streams, "stream"));
  text += line("compute", d.compute_ns, "kernels run, those of NCCL left out");
  text +=
      kind("communication", d.communication_ns, d.hidden_communication_ns, "kernels of NCCL run");
  text += kind("memory", d.memory_ns, d.hidden_memory_ns, "copies and fills run");
  text += line("idle", d.IdleNs(), "nothing runs");
  if (d.late_ns > 0)
    text += line("  late", d.late_ns, "the next kernel was launched after the device fell idle");
  if (d.launched_ns > 0)
    text += line("  launched", d.launched_ns, "the next kernel had been launched, and waited");
  if (d.unknown_ns > 0)
    text += line("  unknown", d.unknown_ns, "the trace lacks the launch of the next kernel");
  const traces::LaunchTimes& launches = d.launches;
  if (launches.calls > 0) {
    absl::StrAppendFormat(
        &text,
        "%-15s%s: %d (%s) take longer than their kernels, %d longer than 50 us\n"
        "%-15s%s in the median, %s at most, from a launch to its kernel; %d are above 100 us\n",
        "launches", CountText(launches.calls, "call"), launches.short_calls,
        ShareText(static_cast<int64_t>(launches.short_calls), static_cast<int64_t>(launches.calls)),
        launches.long_calls, "delay", output::TimeText(launches.median_delay_ns),
        NsText(launches.longest_delay_ns), launches.long_delays);
  }
  if (d.overlapping > 0) {
    absl::StrAppendFormat(&text, "%-15s%s before the one before on the same stream has ended\n",
                          "overlap",
                          absl::StrCat(CountText(d.overlapping, "kernel"),
                                       d.overlapping == 1 ? " begins" : " begin"));
  }
  return text;
}

std::string KernelsText(const std::vector<KernelTotal>& kernels, size_t most) {
  int64_t all_ns = 0;
  for (const KernelTotal& kernel : kernels) all_ns += kernel.ns;
  std::vector<std::vector<std::string>> rows = {
      {"Kernel", "Kind", "Calls", "Time", "Share", "Launched by"}};
  for (size_t i = 0; i < std::min(most, kernels.size()); ++i) {
    const KernelTotal& kernel = kernels[i];
    rows.push_back({base::Printable(kernel.name, 60), std::string(KindText(kernel.kind)),
                    absl::StrCat(kernel.calls), NsText(kernel.ns), ShareText(kernel.ns, all_ns),
                    kernel.launched_by.empty() ? "-" : base::Printable(kernel.launched_by, 40)});
  }
  return output::TextTable(rows, {0, 1, 5});
}

}  // namespace

std::string DevicesText(const traces::Trace& trace, size_t most) {
  if (trace.about.kernels.empty()) return "";
  std::string text;
  for (const DeviceTime& device : traces::DeviceTimes(trace.about))
    absl::StrAppend(&text, DeviceText(device), "\n");
  return absl::StrCat(text, KernelsText(traces::KernelTotals(trace), most), "\n");
}

void AddDevices(const traces::Trace& trace, size_t most, nlohmann::ordered_json& all) {
  if (trace.about.kernels.empty()) return;
  for (const DeviceTime& d : traces::DeviceTimes(trace.about)) {
    const traces::LaunchTimes& launches = d.launches;
    nlohmann::ordered_json row = {{"device", d.device},
                                  {"kernels", d.kernels},
                                  {"streams", d.streams},
                                  {"overlapping_kernels", d.overlapping},
                                  {"whole_ns", d.whole_ns},
                                  {"compute_ns", d.compute_ns},
                                  {"communication_ns", d.communication_ns},
                                  {"hidden_communication_ns", d.hidden_communication_ns},
                                  {"memory_ns", d.memory_ns},
                                  {"hidden_memory_ns", d.hidden_memory_ns},
                                  {"idle_ns", d.IdleNs()},
                                  {"idle_late_ns", d.late_ns},
                                  {"idle_launched_ns", d.launched_ns},
                                  {"idle_unknown_ns", d.unknown_ns},
                                  {"launches", launches.calls}};
    if (launches.calls > 0) {
      row.update({{"short_launches", launches.short_calls},
                  {"long_launches", launches.long_calls},
                  {"median_delay_ns", launches.median_delay_ns},
                  {"longest_delay_ns", launches.longest_delay_ns},
                  {"long_delays", launches.long_delays}});
    }
    all["devices"].push_back(std::move(row));
  }
  const std::vector<KernelTotal> kernels = traces::KernelTotals(trace);
  for (size_t i = 0; i < std::min(most, kernels.size()); ++i) {
    all["kernels"].push_back({{"kernel", kernels[i].name},
                              {"kind", KindText(kernels[i].kind)},
                              {"calls", kernels[i].calls},
                              {"ns", kernels[i].ns},
                              {"launched_by", kernels[i].launched_by}});
  }
}

}  // namespace assay::trace
