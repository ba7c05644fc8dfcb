#include "benchmarks/harness/environment/machine.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::environment {
namespace {

// Empty where there is no such file.
std::string ReadFile(const std::string& root, std::string_view path) {
  std::ifstream stream(absl::StrCat(root, "/", path));
  std::stringstream text;
  if (stream) text << stream.rdbuf();
  return text.str();
}

// The rest of the first line that begins with `key`, without blanks around it.
std::string LineValue(const std::string& text, std::string_view key, char separator) {
  for (std::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string_view> parts = absl::StrSplit(line, absl::MaxSplits(separator, 1));
    if (parts.size() == 2 && absl::StripAsciiWhitespace(parts[0]) == key) {
      return std::string(absl::StripAsciiWhitespace(parts[1]));
    }
  }
  return "";
}

std::optional<int64_t> KibibytesOf(const std::string& meminfo, std::string_view key) {
  const std::string value = LineValue(meminfo, key, ':');
  int64_t kibibytes = 0;
  if (!absl::SimpleAtoi(absl::StripSuffix(value, " kB"), &kibibytes)) return std::nullopt;
  return kibibytes;
}

// Absent where the control group sets no limit ("max") or there is none.
std::optional<int64_t> GroupBytes(const std::string& root, std::string_view file) {
  int64_t bytes = 0;
  const std::string text = ReadFile(root, absl::StrCat("sys/fs/cgroup/", file));
  if (!absl::SimpleAtoi(text, &bytes)) return std::nullopt;
  return bytes;
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
  std::string found;
  for (int cpu = 0;; ++cpu) {
    const std::string text = ReadFile(
        root, absl::StrCat("sys/devices/system/cpu/cpu", cpu, "/cpufreq/scaling_governor"));
    const std::string governor(absl::StripAsciiWhitespace(text));
    if (governor.empty()) return found;
    if (!found.empty() && found != governor) return "mixed";
    found = governor;
  }
}

std::string CpuModel(const std::string& root) {
  const std::string cpuinfo = ReadFile(root, "proc/cpuinfo");
  // Arm has no model name; the implementer and part are what there is.
  if (std::string model = LineValue(cpuinfo, "model name", ':'); !model.empty()) return model;
  const std::string implementer = LineValue(cpuinfo, "CPU implementer", ':');
  const std::string part = LineValue(cpuinfo, "CPU part", ':');
  if (implementer.empty() || part.empty()) return "";
  return absl::StrCat("Arm implementer ", implementer, " part ", part);
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
  environment.set_governor(Governor(root));
  environment.set_kernel(
      std::string(absl::StripAsciiWhitespace(ReadFile(root, "proc/sys/kernel/osrelease"))));
  environment.set_os(OsName(root));
  AddMemory(root, environment);
  const std::string loadavg = ReadFile(root, "proc/loadavg");
  double load = 0;
  const std::vector<std::string_view> loads = absl::StrSplit(loadavg, ' ');
  if (absl::SimpleAtod(loads[0], &load) && std::isfinite(load)) environment.set_load_1m(load);
}

int UsableCpus(const std::string& root) {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Fails on machines with more than 1024 CPUs, where the set is too small to answer.
  int cpus = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
  const std::string quota = ReadFile(root, "sys/fs/cgroup/cpu.max");
  const std::vector<std::string_view> parts =
      absl::StrSplit(absl::StripAsciiWhitespace(quota), ' ');
  double allowed_us = 0, period_us = 0;
  if (parts.size() == 2 && absl::SimpleAtod(parts[0], &allowed_us) &&
      absl::SimpleAtod(parts[1], &period_us) && std::isfinite(allowed_us) && period_us > 0) {
    const int allowed = std::max(1, static_cast<int>(std::ceil(allowed_us / period_us)));
    cpus = cpus == 0 ? allowed : std::min(cpus, allowed);
  }
  return cpus;
}

}  // namespace assay::environment
