#include "benchmarks/harness/environment/facts/cpu_facts.h"

#include <string>

#include "benchmarks/harness/environment/facts/fact_of.h"
#include "benchmarks/harness/environment/machine/fake_root.h"
#include "benchmarks/harness/environment/machine/machine.h"
#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

constexpr char kCpu[] = "sys/devices/system/cpu/";

std::string Read(const FakeRoot& root, std::string_view fact) {
  Environment environment;
  AddMachine(root.path(), environment);
  AddCpuFacts(root.path(), environment);
  return FactOf(fact, environment);
}

struct Case {
  std::string_view fact;
  std::string file, text, want;
};

TEST(AddCpuFacts, JudgesEachSetting) {
  const std::string cpu = kCpu;
  const std::string preference = cpu + "cpu0/cpufreq/energy_performance_preference";
  const std::string mend_preference =
      "echo performance | sudo tee "
      "/sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference";
  const Case cases[] = {
      {"governor", cpu + "cpu0/cpufreq/scaling_governor", "performance\n", "GOOD performance"},
      {"governor", cpu + "cpu0/cpufreq/scaling_governor", "powersave\n",
       "BAD powersave -> sudo cpupower frequency-set -g performance"},
      {"energy_preference", preference, "performance\n", "GOOD performance"},
      {"energy_preference", preference, "0\n", "GOOD 0"},
      {"energy_preference", preference, "balance_power\n",
       "BAD balance_power -> " + mend_preference},
      {"energy_preference", cpu + "cpu0/cpufreq/scaling_driver", "acpi-cpufreq\n",
       "GOOD none in driver acpi-cpufreq"},
      {"turbo", cpu + "intel_pstate/no_turbo", "1\n", "GOOD off"},
      {"turbo", cpu + "intel_pstate/no_turbo", "0\n",
       "BAD on -> echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"},
      {"turbo", cpu + "cpufreq/boost", "0\n", "GOOD off"},
      {"turbo", cpu + "cpufreq/boost", "1\n",
       "BAD on -> echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"},
      {"turbo", cpu + "cpufreq/policy0/boost", "1\n",
       "BAD on -> echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/policy*/boost"},
      {"idle_states", cpu + "cpuidle/current_driver", "none\n", "GOOD none"},
      {"smt", cpu + "smt/active", "0\n", "GOOD off"},
      {"smt", cpu + "smt/active", "1\n",
       "BAD on -> echo off | sudo tee /sys/devices/system/cpu/smt/control"},
      {"thermal_throttling", cpu + "cpu0/thermal_throttle/core_throttle_count", "0\n",
       "GOOD 0 times since the start"},
      {"mitigations", cpu + "vulnerabilities/meltdown", "Mitigation: PTI\n", "GOOD 1 active"},
      {"mitigations", cpu + "vulnerabilities/meltdown", "Not affected\n", "GOOD 0 active"},
  };
  int number = 0;
  for (const Case& c : cases) {
    FakeRoot root;  // empties the folder
    root.Write(c.file, c.text);
    EXPECT_EQ(Read(root, c.fact), c.want) << "case " << number;
    ++number;
  }
}

TEST(AddCpuFacts, AreUnknownWhereNothingCanBeRead) {
  FakeRoot root;
  Environment e;
  AddCpuFacts(root.path(), e);
  EXPECT_EQ(e.facts_size(), 9);
  for (const MachineFact& fact : e.facts()) {
    EXPECT_EQ(fact.state(), FACT_UNKNOWN) << fact.name();
    EXPECT_NE(fact.value(), "") << fact.name();
    EXPECT_NE(fact.advice(), "") << fact.name();
  }
}

TEST(AddCpuFacts, AreUnknownWhereFilesAreMalformed) {
  FakeRoot root;
  for (const char* file :
       {"smt/active", "intel_pstate/no_turbo", "cpufreq/boost", "cpu0/cpuidle/state0/latency",
        "cpu0/thermal_throttle/core_throttle_count"}) {
    root.Write(std::string(kCpu) + file, "nan \xff lots\n");
  }
  root.Write("sys/class/thermal/thermal_zone0/temp", "hot\n");
  for (const char* fact : {"smt", "turbo", "idle_states", "thermal_throttling", "temperature"}) {
    EXPECT_EQ(Read(root, fact).substr(0, 15), "UNKNOWN unknown") << fact;
  }
}

TEST(AddCpuFacts, SayThatOnlyTheHostOfAVirtualMachineHasASetting) {
  FakeRoot root;
  root.Write("proc/cpuinfo", "flags\t\t: fpu hypervisor\n");
  EXPECT_EQ(
      Read(root, "governor"),
      "UNKNOWN unknown -> only the host of this virtual machine has it: measure on bare metal");
}

TEST(AddCpuFacts, PreferencesThatDifferAreMixed) {
  FakeRoot root;
  root.Write(std::string(kCpu) + "cpu0/cpufreq/energy_performance_preference", "performance\n");
  root.Write(std::string(kCpu) + "cpu1/cpufreq/energy_performance_preference", "power\n");
  EXPECT_EQ(Read(root, "energy_preference").substr(0, 9), "BAD mixed");
}

TEST(AddCpuFacts, JudgeTheDeepestIdleStateThatIsOn) {
  FakeRoot root;
  const std::string folder = std::string(kCpu) + "cpu0/cpuidle/";
  root.Write(folder + "state0/name", "POLL\n");
  root.Write(folder + "state0/latency", "0\n");
  root.Write(folder + "state1/name", "C1\n");
  root.Write(folder + "state1/latency", "2\n");
  root.Write(folder + "state2/name", "C6\n");
  root.Write(folder + "state2/latency", "133\n");
  EXPECT_EQ(Read(root, "idle_states"), "BAD C6, wakes in 133 us -> sudo cpupower idle-set -D 20");
  root.Write(folder + "state2/disable", "1\n");
  EXPECT_EQ(Read(root, "idle_states"), "GOOD C1, wakes in 2 us");
}

TEST(AddCpuFacts, CountAPackagesThrottlingOnce) {
  FakeRoot root;
  root.Write(std::string(kCpu) + "cpu0/thermal_throttle/package_throttle_count", "4\n");
  root.Write(std::string(kCpu) + "cpu1/thermal_throttle/package_throttle_count", "4\n");
  EXPECT_EQ(Read(root, "thermal_throttling").substr(0, 27), "BAD 4 times since the start");
}

TEST(AddCpuFacts, TakeTheHottestZone) {
  FakeRoot root;
  root.Write("sys/class/thermal/thermal_zone0/temp", "41000\n");
  root.Write("sys/class/thermal/thermal_zone0/type", "acpitz\n");
  root.Write("sys/class/thermal/thermal_zone1/temp", "84400\n");
  root.Write("sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
  root.Write("sys/class/thermal/cooling_device0/temp", "99000\n");
  EXPECT_EQ(Read(root, "temperature"), "GOOD 84 °C at x86_pkg_temp");
  root.Write("sys/class/thermal/thermal_zone1/temp", "85000\n");
  EXPECT_EQ(Read(root, "temperature").substr(0, 10), "BAD 85 °C");
}

TEST(AddCpuFacts, WantAClockThatIsReadWithoutASystemCall) {
  const std::string folder = "sys/devices/system/clocksource/clocksource0/";
  FakeRoot root;
  for (const char* quick : {"tsc", "kvm-clock", "arch_sys_counter"}) {
    root.Write(folder + "current_clocksource", std::string(quick) + "\n");
    EXPECT_EQ(Read(root, "clock_source"), std::string("GOOD ") + quick);
  }
  root.Write(folder + "current_clocksource", "hpet\n");
  EXPECT_EQ(Read(root, "clock_source"),
            "BAD hpet -> boot with tsc=reliable on the kernel's command line");
  root.Write(folder + "available_clocksource", "tsc hpet acpi_pm\n");
  EXPECT_EQ(Read(root, "clock_source"),
            "BAD hpet -> echo tsc | sudo tee /" + folder + "current_clocksource");
}

}  // namespace
}  // namespace assay::environment
