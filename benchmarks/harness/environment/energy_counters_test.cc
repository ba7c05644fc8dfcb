#include "benchmarks/harness/environment/energy_counters.h"

#include <sys/stat.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/environment/machine/fake_root.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kZones = "sys/class/powercap/intel-rapl:";

void WriteZone(const FakeRoot& root, const std::string& zone, const std::string& name,
               const std::string& count = "5000000\n",
               const std::string& range = "262143328850\n") {
  root.Write(zone + "/name", name + "\n");
  root.Write(zone + "/energy_uj", count);
  root.Write(zone + "/max_energy_range_uj", range);
}

absl::StatusOr<PmuReader> Refused(uint32_t, uint64_t, int) {
  return absl::UnavailableError("the PMU \"power\" needs a right");
}

EnergyCounters Opened(const FakeRoot& root) {
  return OpenEnergyCounters({.root = root.path(), .open_pmu = Refused});
}

std::vector<std::string> NamesOf(const EnergyCounters& counters, bool in_sum) {
  std::vector<std::string> names;
  for (const EnergyCounter& counter : counters.found) {
    if (counter.in_sum == in_sum) names.push_back(counter.name);
  }
  return names;
}

TEST(EnergyCounters, AddsPackagesAndTheirMemoryAndThePlatformToNothing) {
  const FakeRoot root;
  WriteZone(root, kZones + "0", "package-0");
  WriteZone(root, kZones + "0:0", "core");
  WriteZone(root, kZones + "0:1", "uncore");
  WriteZone(root, kZones + "0:2", "dram");
  WriteZone(root, kZones + "1", "package-1");
  WriteZone(root, kZones + "1:0", "dram");
  WriteZone(root, kZones + "2", "psys");
  WriteZone(root, "sys/class/powercap/intel-rapl-mmio:0", "package-0");
  root.Write("sys/class/powercap/intel-rapl/enabled", "1\n");
  const EnergyCounters counters = Opened(root);
  EXPECT_THAT(NamesOf(counters, true), ElementsAre("package-0", "dram-0", "package-1", "dram-1"));
  EXPECT_THAT(NamesOf(counters, false), ElementsAre("psys"));
  EXPECT_THAT(counters.missing, IsEmpty());
  EXPECT_EQ(counters.found[0].read(), 5'000'000);
}

TEST(EnergyCounters, GoOnBehindTheirRange) {
  const FakeRoot root;
  WriteZone(root, kZones + "0", "package-0", "262143000000\n");
  const EnergyCounters counters = Opened(root);
  ASSERT_EQ(counters.found.size(), 1);
  const EnergyCounter& package = counters.found[0];
  const uint64_t before = *package.read();
  root.Write(kZones + "0/energy_uj", "262143100000\n");
  EXPECT_DOUBLE_EQ(JoulesBetween(package, before, *package.read()), 0.1);
  root.Write(kZones + "0/energy_uj", "671150\n");
  EXPECT_DOUBLE_EQ(JoulesBetween(package, before, *package.read()), 1.0);
  root.Write(kZones + "0/energy_uj", "");
  EXPECT_EQ(package.read(), std::nullopt) << "not 0";
}

TEST(EnergyCounters, SayThatOnlyRootMayReadThem) {
  const FakeRoot root;
  WriteZone(root, kZones + "0", "package-0", /*count=*/"");  // what a refused reader gets
  chmod((root.path() + "/" + kZones + "0/energy_uj").c_str(), 0400);
  EXPECT_THAT(Opened(root).found, IsEmpty());
  EXPECT_THAT(Opened(root).missing,
              ElementsAre("RAPL: only root may read /sys/class/powercap/intel-rapl:*/energy_uj; "
                          "sudo chmod a+r opens them until the next start, and there is no PMU "
                          "\"power\""));
  chmod((root.path() + "/" + kZones + "0/energy_uj").c_str(), 0444);
  EXPECT_THAT(Opened(root).missing, ElementsAre(HasSubstr("energy_uj holds no number")));
}

TEST(EnergyCounters, SayThatAVirtualMachineHasNone) {
  const FakeRoot root;
  EXPECT_THAT(Opened(root).missing,
              ElementsAre("RAPL: there is no /sys/class/powercap/intel-rapl:*, and there is no PMU "
                          "\"power\""));
  root.Write("proc/cpuinfo", "flags\t\t: fpu hypervisor\n");
  EXPECT_THAT(Opened(root).missing,
              ElementsAre(HasSubstr("; this is a virtual machine, and its host hides them")));
}

const std::string kPower = "sys/bus/event_source/devices/power/";

void WritePmu(const FakeRoot& root) {
  root.Write(kPower + "type", "22\n");
  root.Write(kPower + "cpumask", "0,24\n");
  root.Write(kPower + "events/energy-pkg", "event=0x02\n");
  root.Write(kPower + "events/energy-pkg.scale", "2.3283064365386962890625e-10\n");
  root.Write(kPower + "events/energy-ram", "event=0x03\n");
  root.Write(kPower + "events/energy-ram.scale", "1.52587890625e-05\n");
  root.Write(kPower + "events/energy-psys", "event=0x05\n");
  root.Write(kPower + "events/energy-psys.scale", "2.3283064365386962890625e-10\n");
}

TEST(EnergyCounters, ArePerfsWherePowercapCannotBeRead) {
  const FakeRoot root;
  WritePmu(root);
  std::vector<std::string> opened;
  const EnergyCounters counters = OpenEnergyCounters(
      {.root = root.path(), .open_pmu = [&](uint32_t type, uint64_t config, int cpu) {
         opened.push_back(std::to_string(type) + " " + std::to_string(config) + " " +
                          std::to_string(cpu));
         return absl::StatusOr<PmuReader>([config] { return config << 32; });
       }});
  EXPECT_THAT(NamesOf(counters, true), ElementsAre("package-0", "package-1", "dram-0", "dram-1"));
  EXPECT_THAT(NamesOf(counters, false), ElementsAre("psys"));
  EXPECT_THAT(opened, ElementsAre("22 2 0", "22 2 24", "22 3 0", "22 3 24", "22 5 0"));
  EXPECT_DOUBLE_EQ(JoulesBetween(counters.found[0], 0, *counters.found[0].read()), 2);
  WriteZone(root, kZones + "0", "package-0");
  EXPECT_THAT(NamesOf(Opened(root), true), ElementsAre("package-0")) << "never both";
}

TEST(EnergyCounters, SayWhichRightPerfNeeds) {
  const FakeRoot root;
  WritePmu(root);
  EXPECT_THAT(Opened(root).missing, ElementsAre(HasSubstr("and the PMU \"power\" needs a right")));
  EXPECT_THAT(OpenPmu(/*type=*/~0u, 0, 0).status().message(), StartsWith("the PMU \"power\" "));
}

TEST(EnergyCounters, HaveAGpusWhereTheRunUsesOne) {
  const FakeRoot root;
  EXPECT_EQ(Opened(root).missing.size(), 1) << "nothing of a GPU";
  const EnergyCounters counters =
      OpenEnergyCounters({.root = root.path(),
                          .open_pmu = Refused,
                          .gpu = GpuChoice{.library = "libno_such_thing.so.1"}});
  EXPECT_THAT(counters.missing[1], "GPU: no NVIDIA driver: no libno_such_thing.so.1");
  setenv("FAKE_NVML", "", 1);
  const std::string library = "benchmarks/harness/environment/facts/libnew_driver_nvml.so";
  const EnergyCounters of_gpu = OpenEnergyCounters(
      {.root = root.path(), .open_pmu = Refused, .gpu = GpuChoice{.library = library}});
  ASSERT_THAT(NamesOf(of_gpu, true), ElementsAre("gpu-0"));
  const uint64_t before = *of_gpu.found[0].read();
  EXPECT_DOUBLE_EQ(JoulesBetween(of_gpu.found[0], before, *of_gpu.found[0].read()), 250);
}

}  // namespace
}  // namespace assay::environment
