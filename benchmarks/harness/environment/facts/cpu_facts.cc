#include "benchmarks/harness/environment/facts/cpu_facts.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/environment/facts/fact.h"
#include "benchmarks/harness/environment/machine/root_files.h"

namespace assay::environment {
namespace {

// Waking from a deeper sleep takes longer than the resolution that a measurement needs.
constexpr int64_t kQuickWakeUs = 20;
// CPUs begin to slow themselves down between 90 and 105 °C.
constexpr double kHotCoreC = 85;

void AddGovernor(const std::string& root, Environment& e) {
  if (e.governor().empty()) {
    AddUnknown("governor", "unknown", AdviceForUnseen(root, "cpupower frequency-info"), e);
  } else {
    AddJudged("governor", e.governor() == "performance", e.governor(),
              "sudo cpupower frequency-set -g performance", e);
  }
}

void AddEnergyPreference(const std::string& root, Environment& e) {
  std::vector<std::string> found = ReadOfEachCpu(root, "cpufreq/energy_performance_preference");
  if (found.empty()) {
    // A driver without the file (acpi-cpufreq) has no such preference.
    const std::string driver = ReadLine(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver");
    if (!driver.empty()) return AddGood("energy_preference", "none in driver " + driver, e);
    return AddUnknown("energy_preference", "unknown",
                      AdviceForUnseen(root, "cpupower frequency-info"), e);
  }
  std::sort(found.begin(), found.end());
  const bool same = found.front() == found.back();
  // Some CPUs take only numbers; there "0" means performance.
  AddJudged("energy_preference", same && (found[0] == "performance" || found[0] == "0"),
            same ? found[0] : "mixed",
            "echo performance | sudo tee "
            "/sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference",
            e);
}

void AddTurbo(const std::string& root, Environment& e) {
  struct Switch {
    std::string_view file, pattern;
    int64_t off;
  };
  for (const Switch& s : {Switch{"intel_pstate/no_turbo", "intel_pstate/no_turbo", 1},
                          Switch{"cpufreq/boost", "cpufreq/boost", 0},
                          Switch{"cpufreq/policy0/boost", "cpufreq/policy*/boost", 0}}) {
    const std::optional<int64_t> value =
        ReadNumber(root, absl::StrCat("sys/devices/system/cpu/", s.file));
    if (!value) continue;
    return AddJudged(
        "turbo", *value == s.off, *value == s.off ? "off" : "on",
        absl::StrCat("echo ", s.off, " | sudo tee /sys/devices/system/cpu/", s.pattern), e);
  }
  AddUnknown("turbo", "unknown", AdviceForUnseen(root, "cpupower frequency-info"), e);
}

void AddIdleStates(const std::string& root, Environment& e) {
  const std::string driver = ReadLine(root, "sys/devices/system/cpu/cpuidle/current_driver");
  if (driver == "none") return AddGood("idle_states", "none", e);
  const std::string folder = "sys/devices/system/cpu/cpu0/cpuidle";
  int64_t deepest_us = -1;
  std::string deepest;
  for (const std::string& state : NamesIn(root, folder)) {
    const std::string path = absl::StrCat(folder, "/", state, "/");
    const std::optional<int64_t> latency_us = ReadNumber(root, path + "latency");
    if (!latency_us || ReadNumber(root, path + "disable").value_or(0) != 0) continue;
    if (*latency_us <= deepest_us) continue;
    deepest_us = *latency_us;
    deepest = ReadLine(root, path + "name");
  }
  if (deepest_us < 0) {
    return AddUnknown("idle_states", "unknown", AdviceForUnseen(root, "cpupower idle-info"), e);
  }
  AddJudged("idle_states", deepest_us <= kQuickWakeUs,
            absl::StrFormat("%s, wakes in %d us", deepest, deepest_us),
            absl::StrCat("sudo cpupower idle-set -D ", kQuickWakeUs), e);
}

void AddSmt(const std::string& root, Environment& e) {
  const std::optional<int64_t> active = ReadNumber(root, "sys/devices/system/cpu/smt/active");
  if (!active) return AddUnknown("smt", "unknown", AdviceForUnseen(root, "lscpu"), e);
  AddJudged("smt", *active == 0, *active == 0 ? "off" : "on",
            "echo off | sudo tee /sys/devices/system/cpu/smt/control", e);
}

void AddThermalThrottling(const std::string& root, Environment& e) {
  int64_t events = -1;
  for (std::string_view file : {"core_throttle_count", "package_throttle_count"}) {
    for (const std::string& text : ReadOfEachCpu(root, absl::StrCat("thermal_throttle/", file))) {
      int64_t count = 0;
      // Every CPU of a package reports the package's count, so this takes the largest, not the sum.
      if (absl::SimpleAtoi(text, &count)) events = std::max(events, count);
    }
  }
  if (events < 0) {
    return AddUnknown("thermal_throttling", "unknown",
                      AdviceForUnseen(root, "sudo dmesg | grep -i thermal"), e);
  }
  AddJudged("thermal_throttling", events == 0, absl::StrCat(events, " times since the start"),
            "cool the machine, then start it again; sudo turbostat shows clocks and heat", e);
}

void AddTemperature(const std::string& root, Environment& e) {
  std::optional<double> hottest_c;
  std::string where;
  for (const std::string& zone : NamesIn(root, "sys/class/thermal")) {
    if (!absl::StartsWith(zone, "thermal_zone")) continue;
    const std::string folder = absl::StrCat("sys/class/thermal/", zone);
    const std::optional<int64_t> millidegrees = ReadNumber(root, folder + "/temp");
    if (!millidegrees || (hottest_c && *millidegrees / 1e3 <= *hottest_c)) continue;
    hottest_c = *millidegrees / 1e3;
    where = ReadLine(root, folder + "/type");
  }
  if (!hottest_c) {
    return AddUnknown("temperature", "unknown", AdviceForUnseen(root, "sensors"), e);
  }
  AddJudged("temperature", *hottest_c < kHotCoreC,
            absl::StrFormat("%.0f °C at %s", *hottest_c, where),
            "let the machine cool, and see that its fans turn: sensors", e);
}

void AddClockSource(const std::string& root, Environment& e) {
  const std::string folder = "sys/devices/system/clocksource/clocksource0/";
  const std::string current = ReadLine(root, folder + "current_clocksource");
  if (current.empty()) {
    return AddUnknown("clock_source", "unknown", "sudo dmesg | grep -i clocksource", e);
  }
  // Clock sources that the C library reads without a system call.
  constexpr std::string_view kQuick[] = {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
                                         "arch_sys_counter"};
  const std::vector<std::string> available =
      absl::StrSplit(ReadLine(root, folder + "available_clocksource"), ' ');
  AddJudged("clock_source", absl::c_linear_search(kQuick, current), current,
            absl::c_linear_search(available, "tsc")
                ? absl::StrCat("echo tsc | sudo tee /", folder, "current_clocksource")
                : "boot with tsc=reliable on the kernel's command line",
            e);
}

// Mitigations are no noise: both sides of a comparison on one machine have the same ones. Two
// machines may have different ones.
void AddMitigations(const std::string& root, Environment& e) {
  const std::string folder = "sys/devices/system/cpu/vulnerabilities";
  const std::vector<std::string> names = NamesIn(root, folder);
  if (names.empty()) return AddUnknown("mitigations", "unknown", "lscpu", e);
  const int64_t active = absl::c_count_if(names, [&](const std::string& name) {
    return absl::StrContains(ReadLine(root, absl::StrCat(folder, "/", name)), "Mitigation");
  });
  AddGood("mitigations", absl::StrCat(active, " active"), e);
}

}  // namespace

void AddCpuFacts(const std::string& root, Environment& environment) {
  for (auto add : {AddGovernor, AddEnergyPreference, AddTurbo, AddIdleStates, AddSmt,
                   AddThermalThrottling, AddTemperature, AddClockSource, AddMitigations}) {
    add(root, environment);
  }
}

}  // namespace assay::environment
