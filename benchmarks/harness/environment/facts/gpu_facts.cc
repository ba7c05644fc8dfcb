#include "benchmarks/harness/environment/facts/gpu_facts.h"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/environment/facts/fact.h"

namespace assay::environment {
namespace {

constexpr unsigned kIdlePercent = 5;
constexpr unsigned kMarginC = 10;      // below the temperature at which the clock is lowered
constexpr unsigned kHotGpuC = 80;      // where that is unknown
constexpr size_t kUuidHashDigits = 8;  // tells GPUs apart without naming them
// The first process-id namespace has this inode on every Linux (PROC_PID_INIT_INO).
constexpr std::string_view kFirstPidNamespace = "pid:[4026531836]";

struct Reason {
  uint64_t bits;
  std::string_view name;
  bool thermal;
};
constexpr Reason kSlowing[] = {
    {kClockPowerCap, "power cap", false},
    {kClockHardwareSlowdown, "hardware slowdown", true},
    {kClockSyncBoost, "sync boost", false},
    {kClockSoftwareThermal | kClockHardwareThermal, "heat", true},
    {kClockPowerBrake, "power brake", false},
};

// A command that changes the GPU for every user of it, until somebody changes it back.
std::string Smi(const GpuReading& gpu, std::string_view arguments) {
  return absl::StrCat("sudo nvidia-smi -i ", gpu.index, " ", arguments,
                      " (on a machine of your own: it changes the GPU's settings, and needs root)");
}

// Three quarters of the largest clock: most workloads can hold that within the limits of power and
// heat. nvidia-smi takes the nearest clock that the GPU has.
std::string LockAdvice(const GpuReading& gpu) {
  const std::string clock =
      gpu.max_sm_clock_mhz ? absl::StrCat(*gpu.max_sm_clock_mhz * 3 / 4) : "MHZ";
  return Smi(gpu, absl::StrCat("-lgc ", clock, ",", clock));
}

void AddUnsaid(std::string_view name, const GpuReading& gpu, Environment& e) {
  AddUnknown(name, "this GPU or driver does not say", absl::StrCat("nvidia-smi -q -i ", gpu.index),
             e);
}

void AddIdentity(const GpuReading& gpu, const GpuUse&, Environment& e) {
  if (gpu.name.empty() || gpu.uuid.empty()) return AddUnsaid("gpu", gpu, e);
  AddGood("gpu",
          absl::StrCat(gpu.name, " (index ", gpu.index, " of ", gpu.count, "), uuid hash ",
                       base::Sha256Hex(gpu.uuid).substr(0, kUuidHashDigits)),
          e);
}

void AddDriver(const GpuReading& gpu, const GpuUse&, Environment& e) {
  if (gpu.driver.empty()) return AddUnsaid("gpu_driver", gpu, e);
  AddGood("gpu_driver", gpu.driver, e);
}

void AddPersistence(const GpuReading& gpu, const GpuUse&, Environment& e) {
  if (!gpu.persistence) return AddUnsaid("gpu_persistence", gpu, e);
  AddJudged("gpu_persistence", *gpu.persistence, *gpu.persistence ? "on" : "off", Smi(gpu, "-pm 1"),
            e);
}

std::string ClockText(const std::optional<unsigned>& now, const std::optional<unsigned>& most) {
  return absl::StrCat(now ? absl::StrCat(*now) : "unknown", " of ",
                      most ? absl::StrCat(*most) : "unknown", " MHz");
}

void AddClock(const GpuReading& gpu, const GpuUse&, Environment& e) {
  if (!gpu.sm_clock_mhz) return AddUnsaid("gpu_clock", gpu, e);
  AddGood("gpu_clock",
          absl::StrCat("SM ", ClockText(gpu.sm_clock_mhz, gpu.max_sm_clock_mhz), ", memory ",
                       ClockText(gpu.memory_clock_mhz, gpu.max_memory_clock_mhz)),
          e);
}

// The driver does not report a lock (nvidia-smi -lgc) as such, only that a setting limits the
// clock, and while the GPU idles not even that.
void AddClockLock(const GpuReading& gpu, const GpuUse&, Environment& e) {
  const auto& now = gpu.application_clock_mhz;
  const auto& usual = gpu.default_application_clock_mhz;
  if (now && usual && *now != *usual) {
    return AddGood("gpu_clock_lock", absl::StrCat("applications' clock set to ", *now, " MHz"), e);
  }
  const uint64_t reasons = gpu.clock_reasons.value_or(kClockIdle);
  if ((reasons & kClockSetting) != 0) {
    return AddGood("gpu_clock_lock", "a setting holds the clock", e);
  }
  if ((reasons & kClockIdle) != 0) {
    return AddUnknown("gpu_clock_lock", "cannot be told while the GPU idles", LockAdvice(gpu), e);
  }
  AddBad("gpu_clock_lock", "none", LockAdvice(gpu), e);
}

void AddThrottling(const GpuReading& gpu, const GpuUse&, Environment& e) {
  if (!gpu.clock_reasons) return AddUnsaid("gpu_throttling", gpu, e);
  std::vector<std::string_view> found;
  bool thermal = false;
  for (const Reason& reason : kSlowing) {
    if ((*gpu.clock_reasons & reason.bits) == 0) continue;
    found.push_back(reason.name);
    thermal |= reason.thermal;
  }
  AddJudged("gpu_throttling", found.empty(),
            found.empty() ? "none" : absl::StrCat("by ", absl::StrJoin(found, ", ")),
            thermal ? absl::StrCat("cool the GPU; nvidia-smi -q -d PERFORMANCE,TEMPERATURE -i ",
                                   gpu.index)
                    : LockAdvice(gpu),
            e);
}

void AddPowerLimit(const GpuReading& gpu, const GpuUse&, Environment& e) {
  if (!gpu.power_limit_mw) return AddUnsaid("gpu_power_limit", gpu, e);
  const unsigned watts = *gpu.power_limit_mw / 1000;
  const unsigned usual = gpu.default_power_limit_mw.value_or(*gpu.power_limit_mw) / 1000;
  AddJudged("gpu_power_limit", watts >= usual,
            absl::StrCat(watts, " W", watts == usual ? "" : absl::StrCat(", by default ", usual)),
            Smi(gpu, absl::StrCat("-pl ", usual)), e);
}

void AddEcc(const GpuReading& gpu, const GpuUse&, Environment& e) {
  if (!gpu.ecc) return AddUnsaid("gpu_ecc", gpu, e);
  AddGood("gpu_ecc", *gpu.ecc ? "on" : "off", e);  // neither good nor bad; worth knowing
}

void AddMig(const GpuReading& gpu, const GpuUse&, Environment& e) {
  if (!gpu.mig) return AddUnsaid("gpu_mig", gpu, e);
  AddJudged("gpu_mig", !*gpu.mig, *gpu.mig ? "on: power and clock are shared" : "off",
            Smi(gpu, "-mig 0"), e);
}

void AddTemperature(const GpuReading& gpu, const GpuUse&, Environment& e) {
  if (!gpu.temperature_c) return AddUnsaid("gpu_temperature", gpu, e);
  const auto& slowdown = gpu.slowdown_temperature_c;
  const unsigned hot = slowdown && *slowdown > kMarginC ? *slowdown - kMarginC : kHotGpuC;
  AddJudged("gpu_temperature", *gpu.temperature_c < hot,
            absl::StrCat(*gpu.temperature_c, " °C",
                         slowdown ? absl::StrCat(", slows down at ", *slowdown) : ""),
            "let it cool, and see to its fans and the room", e);
}

// Processes other than this one; absent if that cannot be known.
std::optional<size_t> OtherProcesses(const GpuReading& gpu, const GpuUse& use) {
  if (!gpu.process_ids) return std::nullopt;
  const size_t all = gpu.process_ids->size();
  if (!use.own_process) {
    if (all == 0 && use.in_container) return std::nullopt;
    return all;
  }
  if (absl::c_linear_search(*gpu.process_ids, *use.own_process)) return all - 1;
  if (!use.in_container) return all;
  // Ours is one of them under another number, or none can be seen.
  if (all == 0) return std::nullopt;
  return all - 1;
}

void AddProcesses(const GpuReading& gpu, const GpuUse& use, Environment& e) {
  const std::optional<size_t> others = OtherProcesses(gpu, use);
  if (!others) {
    return AddUnknown("gpu_processes", "a container does not see other processes",
                      "on the host: nvidia-smi", e);
  }
  AddJudged("gpu_processes", *others == 0,
            *others == 0 ? "no other"
                         : absl::StrCat(*others, *others == 1 ? " other process" : " others"),
            "stop them: nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv", e);
}

void AddUtilization(const GpuReading& gpu, const GpuUse& use, Environment& e) {
  if (!gpu.utilization_percent) return AddUnsaid("gpu_utilization", gpu, e);
  const std::string value = absl::StrCat(*gpu.utilization_percent, " %");
  if (*gpu.utilization_percent > kIdlePercent && use.own_process) {
    return AddUnknown("gpu_utilization", absl::StrCat(value, ", may be this process's own"),
                      "tools/bazel run //tools:check_machine", e);
  }
  AddJudged("gpu_utilization", *gpu.utilization_percent <= kIdlePercent, value,
            "stop what uses it: nvidia-smi", e);
}

}  // namespace

GpuUse ReadGpuUse(const std::string& root, bool own) {
  GpuUse use;
  if (own) use.own_process = static_cast<unsigned>(getpid());
  std::error_code error;
  const std::string link =
      std::filesystem::read_symlink(absl::StrCat(root, "/proc/self/ns/pid"), error);
  use.in_container = link != kFirstPidNamespace;
  return use;
}

void AddGpuFacts(const absl::StatusOr<GpuReading>& gpu, const GpuUse& use,
                 Environment& environment) {
  if (!gpu.ok()) {
    AddUnknown("gpu", gpu.status().message(),
               "nvidia-smi shows what the driver sees; to measure on the CPU nothing is needed",
               environment);
    return;
  }
  for (auto add : {AddIdentity, AddDriver, AddPersistence, AddClock, AddClockLock, AddThrottling,
                   AddPowerLimit, AddEcc, AddMig, AddTemperature, AddProcesses, AddUtilization}) {
    add(*gpu, use, environment);
  }
}

}  // namespace assay::environment
