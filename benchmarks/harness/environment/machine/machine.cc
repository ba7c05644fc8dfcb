#include "benchmarks/harness/environment/machine/machine.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/environment/machine/cpu_quota.h"
#include "benchmarks/harness/environment/machine/root_files.h"

namespace assay::environment {
namespace {

std::optional<int64_t> KibibytesOf(const std::string& meminfo, std::string_view key) {
  const std::string value = LineValue(meminfo, key, ':');
  int64_t kibibytes = 0;
  if (!absl::SimpleAtoi(absl::StripSuffix(value, " kB"), &kibibytes)) return std::nullopt;
  return kibibytes;
}

// Absent where the control group sets no limit ("max") or there is none.
std::optional<int64_t> GroupBytes(const std::string& root, std::string_view file) {
  return ReadNumber(root, absl::StrCat("sys/fs/cgroup/", file));
}

void AddMemory(const std::string& root, Environment& environment) {
  const std::string meminfo = ReadFile(root, "proc/meminfo");
  const std::optional<int64_t> total = KibibytesOf(meminfo, "MemTotal");
  const std::optional<int64_t> available = KibibytesOf(meminfo, "MemAvailable");
  if (total) environment.set_memory_bytes(*total * 1024);
  if (available) environment.set_memory_available_bytes(*available * 1024);
  const std::optional<int64_t> limit = GroupBytes(root, "memory.max");
  if (!limit || !total || *limit >= *total * 1024) return;
  environment.set_memory_bytes(*limit);
  if (const std::optional<int64_t> used = GroupBytes(root, "memory.current"); used && available) {
    environment.set_memory_available_bytes(
        std::clamp<int64_t>(*limit - *used, 0, *available * 1024));
  }
}

std::string Governor(const std::string& root) {
  const std::vector<std::string> governors = ReadOfEachCpu(root, "cpufreq/scaling_governor");
  if (governors.empty()) return "";
  for (const std::string& governor : governors) {
    if (governor != governors.front()) return "mixed";
  }
  return governors.front();
}

struct ArmCore {
  std::string_view implementer, part, name;
};

// Servers' and single-board computers' cores; util-linux's lscpu has the whole list.
constexpr ArmCore kArmCores[] = {
    {"0x41", "0xd03", "Cortex-A53"},   {"0x41", "0xd05", "Cortex-A55"},
    {"0x41", "0xd08", "Cortex-A72"},   {"0x41", "0xd0b", "Cortex-A76"},
    {"0x41", "0xd0c", "Neoverse-N1"},  {"0x41", "0xd40", "Neoverse-V1"},
    {"0x41", "0xd42", "Cortex-A78AE"}, {"0x41", "0xd49", "Neoverse-N2"},
    {"0x41", "0xd4f", "Neoverse-V2"},  {"0x41", "0xd84", "Neoverse-V3"},
    {"0x41", "0xd8e", "Neoverse-N3"},  {"0x46", "0x001", "A64FX"},
    {"0xc0", "0xac3", "Ampere-1"},     {"0xc0", "0xac4", "Ampere-1a"},
};

std::string CpuModel(const std::string& root) {
  const std::string cpuinfo = ReadFile(root, "proc/cpuinfo");
  // Arm's files have no model name, only implementer and part.
  if (std::string model = LineValue(cpuinfo, "model name", ':'); !model.empty()) return model;
  const std::string implementer = LineValue(cpuinfo, "CPU implementer", ':');
  const std::string part = LineValue(cpuinfo, "CPU part", ':');
  if (implementer.empty() || part.empty()) return "";
  for (const ArmCore& core : kArmCores)
    if (core.implementer == implementer && core.part == part) return std::string(core.name);
  return absl::StrCat("Arm implementer ", implementer, " part ", part);
}

// "491520K" is what Linux writes. Index 0 and 1 are the first level's data and instructions.
int64_t LastCacheBytes(const std::string& root) {
  for (int index = 4; index >= 2; --index) {
    const std::string size =
        ReadLine(root, absl::StrCat("sys/devices/system/cpu/cpu0/cache/index", index, "/size"));
    int64_t kibibytes = 0;
    if (absl::SimpleAtoi(absl::StripSuffix(size, "K"), &kibibytes)) return kibibytes * 1024;
  }
  return 0;
}

std::string OsName(const std::string& root) {
  std::string name = LineValue(ReadFile(root, "etc/os-release"), "PRETTY_NAME", '=');
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
    name = name.substr(1, name.size() - 2);
  }
  return name;
}

}  // namespace

void AddMachine(const std::string& root, Environment& environment) {
  environment.set_cpu_model(CpuModel(root));
  environment.set_cpu_cache_bytes(LastCacheBytes(root));
  environment.set_governor(Governor(root));
  environment.set_kernel(ReadLine(root, "proc/sys/kernel/osrelease"));
  environment.set_os(OsName(root));
  AddMemory(root, environment);
  environment.set_load_1m(LoadAverage(root).value_or(0));
}

std::optional<double> LoadAverage(const std::string& root) {
  const std::string loadavg = ReadFile(root, "proc/loadavg");
  const std::vector<std::string_view> loads = absl::StrSplit(loadavg, ' ');
  double load = 0;
  if (!absl::SimpleAtod(loads[0], &load) || !std::isfinite(load)) return std::nullopt;
  return load;
}

std::optional<bool> IsVirtualMachine(const std::string& root) {
  // Only x86 lists its flags, and with them the one that a hypervisor sets.
  const std::string flags = LineValue(ReadFile(root, "proc/cpuinfo"), "flags", ':');
  if (flags.empty()) return std::nullopt;
  return absl::c_linear_search(std::vector<std::string_view>(absl::StrSplit(flags, ' ')),
                               "hypervisor");
}

int UsableCpus(const std::string& root) {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Fails on machines with more than 1024 CPUs, for which the set is too small.
  int cpus = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
  const double quota = ReadCpuQuota(root).cpus;
  if (std::isfinite(quota)) {
    const int allowed = std::max(1, static_cast<int>(std::ceil(std::min(quota, 1e6))));
    cpus = cpus == 0 ? allowed : std::min(cpus, allowed);
  }
  return cpus;
}

}  // namespace assay::environment
