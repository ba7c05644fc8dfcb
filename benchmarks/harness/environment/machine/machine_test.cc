#include "benchmarks/harness/environment/machine/machine.h"

#include <sched.h>

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/environment/machine/fake_root.h"
#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

Environment Read(const FakeRoot& root) {
  Environment environment;
  AddMachine(root.path(), environment);
  return environment;
}

TEST(AddMachine, ReadsWhatLinuxWrites) {
  FakeRoot root;
  root.Write("proc/cpuinfo",
             "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC 9654 96-Core "
             "Processor\nstepping\t: 1\n\nprocessor\t: 1\nmodel name\t: other\n");
  root.Write("proc/loadavg", "1.90 0.75 0.50 2/345 6789\n");
  root.Write("proc/meminfo",
             "MemTotal:       24582940 kB\nMemFree:        22000000 kB\n"
             "MemAvailable:   23582940 kB\n");
  root.Write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  root.Write("etc/os-release", "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
  root.Write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  root.Write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
  root.Write("sys/devices/system/cpu/cpu0/cache/index1/size", "32K\n");
  root.Write("sys/devices/system/cpu/cpu0/cache/index2/size", "1024K\n");
  root.Write("sys/devices/system/cpu/cpu0/cache/index3/size", "32768K\n");
  const Environment e = Read(root);
  EXPECT_EQ(e.cpu_cache_bytes(), 32 << 20);
  EXPECT_EQ(e.cpu_model(), "AMD EPYC 9654 96-Core Processor");
  EXPECT_EQ(e.load_1m(), 1.9);
  EXPECT_EQ(e.memory_bytes(), 24582940LL * 1024);
  EXPECT_EQ(e.memory_available_bytes(), 23582940LL * 1024);
  EXPECT_EQ(e.kernel(), "6.1.0-18-amd64");
  EXPECT_EQ(e.os(), "Debian GNU/Linux 12");
  EXPECT_EQ(e.governor(), "performance");
}

TEST(AddMachine, LeavesUnsetWhatIsMissing) { EXPECT_EQ(Read(FakeRoot()).SerializeAsString(), ""); }

TEST(AddMachine, LeavesUnsetWhatIsMalformed) {
  FakeRoot root;
  for (const char* file : {"proc/cpuinfo", "proc/loadavg", "proc/meminfo", "etc/os-release",
                           "sys/fs/cgroup/memory.max", "sys/fs/cgroup/cpu.max",
                           "sys/devices/system/cpu/cpu0/cache/index3/size"}) {
    root.Write(file, "MemTotal: lots kB\nmodel name\nnan inf\n\n::=\n");
  }
  EXPECT_EQ(Read(root).SerializeAsString(), "");
}

TEST(AddMachine, SaysMixedWhenGovernorsDiffer) {
  FakeRoot root;
  root.Write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  root.Write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(Read(root).governor(), "mixed");
}

TEST(AddMachine, ReadsTheGovernorPastACpuThatIsOff) {
  FakeRoot root;
  root.Write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  root.Write("sys/devices/system/cpu/cpu1/online", "0\n");
  root.Write("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(Read(root).governor(), "mixed");
}

TEST(IsVirtualMachine, IsTheFlagOfTheHypervisor) {
  FakeRoot root;
  EXPECT_EQ(IsVirtualMachine(root.path()), std::nullopt);
  root.Write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme hypervisor lahf_lm\n");
  EXPECT_EQ(IsVirtualMachine(root.path()), true);
  root.Write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme lahf_lm\n");
  EXPECT_EQ(IsVirtualMachine(root.path()), false);
}

TEST(AddMachine, NamesAnArmCpuByImplementerAndPart) {
  FakeRoot root;
  const auto cpuinfo = [](const char* part) {
    return absl::StrCat(
        "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd evtstrm aes sve sve2\n"
        "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: ",
        part,
        "\nCPU revision\t: 1\n\nprocessor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd05\n");
  };
  root.Write("proc/cpuinfo", cpuinfo("0xd4f"));
  EXPECT_EQ(Read(root).cpu_model(), "Neoverse-V2");
  EXPECT_EQ(IsVirtualMachine(root.path()), std::nullopt);
  root.Write("proc/cpuinfo", cpuinfo("0xfff"));
  EXPECT_EQ(Read(root).cpu_model(), "Arm implementer 0x41 part 0xfff");
}

TEST(AddMachine, TakesTheMemoryOfTheControlGroupWhereThatIsLess) {
  FakeRoot root;
  root.Write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n");
  root.Write("sys/fs/cgroup/memory.max", "409600\n");
  root.Write("sys/fs/cgroup/memory.current", "102400\n");
  EXPECT_EQ(Read(root).memory_bytes(), 409600);
  EXPECT_EQ(Read(root).memory_available_bytes(), 307200);
  root.Write("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(Read(root).memory_bytes(), 1000 * 1024);
}

TEST(UsableCpus, AreThoseOfTheAffinityAndTheQuota) {
  FakeRoot root;
  const int all = UsableCpus(root.path());
  EXPECT_GE(all, 1);
  root.Write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(UsableCpus(root.path()), all);
  root.Write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(UsableCpus(root.path()), 1) << "half a CPU is one";
  root.Write("sys/fs/cgroup/cpu.max", "1 1e-300\n");
  EXPECT_EQ(UsableCpus(root.path()), all) << "no group grants so much; no overflow either";
  root.Write("sys/fs/cgroup/cpu.max", "99900000 100000\n");
  EXPECT_EQ(UsableCpus(root.path()), all);
}

TEST(UsableCpus, FallsWithTheAffinity) {
  FakeRoot root;
  cpu_set_t old_set, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(old_set), &old_set), 0);
  int first = 0;
  while (!CPU_ISSET(first, &old_set)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(UsableCpus(root.path()), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(old_set), &old_set), 0);
}

}  // namespace
}  // namespace assay::environment
