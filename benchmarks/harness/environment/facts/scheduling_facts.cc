#include "benchmarks/harness/environment/facts/scheduling_facts.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/environment/facts/fact.h"
#include "benchmarks/harness/environment/machine/cpu_quota.h"
#include "benchmarks/harness/environment/machine/machine.h"
#include "benchmarks/harness/environment/machine/root_files.h"

namespace assay::environment {
namespace {

constexpr double kQuietLoadPerCpu = 0.25;
constexpr double kQuietSteal = 0.005;

std::string Cores(int count) { return absl::StrCat(count, count == 1 ? " core" : " cores"); }

void AddLoad(const std::string& root, Environment& e) {
  const std::optional<double> load = LoadAverage(root);
  if (!load || e.cpu_count() == 0) return AddUnknown("load", "unknown", "uptime", e);
  AddJudged("load", *load <= kQuietLoadPerCpu * e.cpu_count(),
            absl::StrFormat("%.1f on %s", *load, Cores(e.cpu_count())),
            "stop other work: ps -eo pid,pcpu,comm --sort=-pcpu | head", e);
}

void AddThreads(const std::string&, Environment& e) {
  if (e.threads() == 0 || e.cpu_count() == 0) return;
  AddJudged("threads", e.threads() <= e.cpu_count(),
            absl::StrCat(e.threads(), " on ", Cores(e.cpu_count())),
            absl::StrCat("--threads=", e.cpu_count()), e);
}

void AddVirtualMachine(const std::string& root, Environment& e) {
  const std::optional<bool> is_virtual = IsVirtualMachine(root);
  if (!is_virtual) {
    AddUnknown("virtual_machine", "unknown", "systemd-detect-virt", e);
  } else if (*is_virtual) {
    AddUnknown("virtual_machine", "yes: what else its host runs cannot be seen",
               "measure on bare metal", e);
  } else {
    AddGood("virtual_machine", "no", e);
  }
}

// The share of all CPU time since the start for which the host ran something else; proc(5).
std::optional<double> StealShare(const std::string& root) {
  const std::string line = LineValue(ReadFile(root, "proc/stat"), "cpu", ' ');
  const std::vector<std::string_view> fields = absl::StrSplit(line, ' ', absl::SkipEmpty());
  constexpr size_t kSteal = 7;  // user nice system idle iowait irq softirq steal
  if (fields.size() <= kSteal) return std::nullopt;
  double all = 0, ticks = 0;
  // Later fields (guest time) are contained in user and nice.
  for (size_t i = 0; i <= kSteal; ++i) {
    if (!absl::SimpleAtod(fields[i], &ticks) || !(ticks >= 0)) return std::nullopt;
    all += ticks;
  }
  if (!(all > 0) || !std::isfinite(all)) return std::nullopt;
  return ticks / all;
}

void AddSteal(const std::string& root, Environment& e) {
  const std::optional<double> share = StealShare(root);
  if (!share) return AddUnknown("steal", "unknown", "vmstat 1 5", e);
  AddJudged("steal", *share <= kQuietSteal,
            absl::StrFormat("%.1f %% of CPU time since the start", 100 * *share),
            "ask for CPUs of your own (dedicated host, pinned vCPUs); vmstat 1 shows st now", e);
}

void AddCpuQuota(const std::string& root, Environment& e) {
  const CpuQuota quota = ReadCpuQuota(root);
  if (!quota.known) return AddUnknown("cpu_quota", "unknown", "systemd-cgtop", e);
  if (std::isinf(quota.cpus)) return AddGood("cpu_quota", "none", e);
  const size_t allowed =
      ParseCpuList(LineValue(ReadFile(root, "proc/self/status"), "Cpus_allowed_list", ':')).size();
  AddJudged("cpu_quota", quota.throttled_periods == 0 && static_cast<double>(allowed) <= quota.cpus,
            absl::StrFormat("%.1f CPUs, stopped %d times", quota.cpus, quota.throttled_periods),
            "docker run without --cpus (or systemd without CPUQuota=); choose CPUs with "
            "--cpuset-cpus instead",
            e);
}

void AddAffinity(const std::string& root, Environment& e) {
  const std::string list = LineValue(ReadFile(root, "proc/self/status"), "Cpus_allowed_list", ':');
  const std::vector<int> allowed = ParseCpuList(list);
  if (allowed.empty()) return AddUnknown("affinity", "unknown", "taskset -cp $$", e);
  const std::string isolated_list = ReadLine(root, "sys/devices/system/cpu/isolated");
  const std::vector<int> isolated = ParseCpuList(isolated_list);
  if (isolated.empty()) return AddGood("affinity", absl::StrCat("CPUs ", list), e);
  const bool on_them =
      absl::c_all_of(allowed, [&](int cpu) { return absl::c_binary_search(isolated, cpu); });
  AddJudged("affinity", on_them, absl::StrCat("CPUs ", list, ", isolated ", isolated_list),
            absl::StrCat("taskset -c ", isolated_list, " COMMAND"), e);
}

void AddLaunchBlocking(const std::string&, Environment& e) {
  const auto found = e.variables().find("CUDA_LAUNCH_BLOCKING");
  if (found == e.variables().end() || found->second.empty() || found->second == "0") return;
  AddBad("launch_blocking", absl::StrCat("on by CUDA_LAUNCH_BLOCKING=", found->second),
         "unset CUDA_LAUNCH_BLOCKING", e);
}

}  // namespace

void AddSchedulingFacts(const std::string& root, Environment& environment) {
  for (auto add : {AddLoad, AddThreads, AddVirtualMachine, AddSteal, AddCpuQuota, AddAffinity,
                   AddLaunchBlocking}) {
    add(root, environment);
  }
}

}  // namespace assay::environment
