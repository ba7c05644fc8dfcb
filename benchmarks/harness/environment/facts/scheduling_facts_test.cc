#include "benchmarks/harness/environment/facts/scheduling_facts.h"

#include <string>

#include "benchmarks/harness/environment/facts/fact_of.h"
#include "benchmarks/harness/environment/machine/fake_root.h"
#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

Environment Read(const FakeRoot& root, int cpus = 8, int threads = 0) {
  Environment environment;
  environment.set_cpu_count(cpus);
  environment.set_threads(threads);
  AddSchedulingFacts(root.path(), environment);
  return environment;
}

TEST(AddSchedulingFacts, AreUnknownWhereNothingCanBeRead) {
  const Environment e = Read(FakeRoot());
  EXPECT_EQ(e.facts_size(), 5);
  for (const MachineFact& fact : e.facts()) {
    EXPECT_EQ(fact.state(), FACT_UNKNOWN) << fact.name();
    EXPECT_NE(fact.advice(), "") << fact.name();
  }
}

TEST(AddSchedulingFacts, ALoadOfAQuarterOfTheCpusIsQuiet) {
  FakeRoot root;
  root.Write("proc/loadavg", "2.00 0 0 1/1 1\n");
  EXPECT_EQ(FactOf("load", Read(root)), "GOOD 2.0 on 8 cores");
  root.Write("proc/loadavg", "0.00 0 0 1/1 1\n");
  EXPECT_EQ(FactOf("load", Read(root, 1)), "GOOD 0.0 on 1 core");
  root.Write("proc/loadavg", "2.10 0 0 1/1 1\n");
  EXPECT_EQ(FactOf("load", Read(root)),
            "BAD 2.1 on 8 cores -> stop other work: ps -eo pid,pcpu,comm --sort=-pcpu | head");
  root.Write("proc/loadavg", "nan\n");
  EXPECT_EQ(FactOf("load", Read(root)), "UNKNOWN unknown -> uptime");
}

TEST(AddSchedulingFacts, MoreThreadsThanCpusAreBad) {
  FakeRoot root;
  EXPECT_EQ(FactOf("threads", Read(root, 8, 8)), "GOOD 8 on 8 cores");
  EXPECT_EQ(FactOf("threads", Read(root, 1, 8)), "BAD 8 on 1 core -> --threads=1");
  EXPECT_EQ(FactOf("threads", Read(root, 8, 0)), "") << "not known before LibTorch is";
}

TEST(AddSchedulingFacts, AVirtualMachineIsNotTakenForGood) {
  FakeRoot root;
  root.Write("proc/cpuinfo", "flags\t: fpu hypervisor\n");
  EXPECT_EQ(FactOf("virtual_machine", Read(root)).substr(0, 11), "UNKNOWN yes");
  root.Write("proc/cpuinfo", "flags\t: fpu\n");
  EXPECT_EQ(FactOf("virtual_machine", Read(root)), "GOOD no");
}

TEST(AddSchedulingFacts, StealIsAShareOfAllCpuTime) {
  FakeRoot root;
  // The two last fields are guest time, which user and nice contain.
  root.Write("proc/stat", "cpu  400 100 200 200 20 10 20 50 300 90\ncpu0 1 2 3\n");
  EXPECT_EQ(FactOf("steal", Read(root)).substr(0, 37), "BAD 5.0 % of CPU time since the start");
  root.Write("proc/stat", "cpu  400 100 200 275 20 0 0 5 0 0\n");
  EXPECT_EQ(FactOf("steal", Read(root)), "GOOD 0.5 % of CPU time since the start");
  for (const char* stat : {"cpu 1 2 3\n", "cpu 0 0 0 0 0 0 0 0\n", "cpu a b c d e f g h\n",
                           "cpu 1 1 1 1 1 1 1 nan\n", "cpu 1 1 1 1 1 1 1 -5\n"}) {
    root.Write("proc/stat", stat);
    EXPECT_EQ(FactOf("steal", Read(root)), "UNKNOWN unknown -> vmstat 1 5") << stat;
  }
}

TEST(AddSchedulingFacts, AQuotaIsBadWhereItCanStopTheProcess) {
  FakeRoot root;
  root.Write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-1\n");
  root.Write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(FactOf("cpu_quota", Read(root)), "GOOD none");
  root.Write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(FactOf("cpu_quota", Read(root)), "GOOD 2.0 CPUs, stopped 0 times");
  root.Write("sys/fs/cgroup/cpu.stat", "nr_throttled 3\n");
  EXPECT_EQ(FactOf("cpu_quota", Read(root)).substr(0, 31), "BAD 2.0 CPUs, stopped 3 times -");
  root.Write("sys/fs/cgroup/cpu.stat", "nr_throttled 0\n");
  root.Write("sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(FactOf("cpu_quota", Read(root)).substr(0, 31), "BAD 1.5 CPUs, stopped 0 times -");
}

TEST(AddSchedulingFacts, IsolatedCpusAreToBeUsed) {
  FakeRoot root;
  root.Write("proc/self/status", "Cpus_allowed_list:\t0-3\n");
  root.Write("sys/devices/system/cpu/isolated", "\n");
  EXPECT_EQ(FactOf("affinity", Read(root)), "GOOD CPUs 0-3");
  root.Write("sys/devices/system/cpu/isolated", "2-3\n");
  EXPECT_EQ(FactOf("affinity", Read(root)), "BAD CPUs 0-3, isolated 2-3 -> taskset -c 2-3 COMMAND");
  root.Write("proc/self/status", "Cpus_allowed_list:\t3\n");
  EXPECT_EQ(FactOf("affinity", Read(root)), "GOOD CPUs 3, isolated 2-3");
}

TEST(AddSchedulingFacts, LaunchBlockingIsAFactOnlyWhereItIsSet) {
  Environment e;
  AddSchedulingFacts("/nothing", e);
  EXPECT_EQ(FactOf("launch_blocking", e), "");
  for (const char* off : {"", "0"}) {
    Environment unset;
    (*unset.mutable_variables())["CUDA_LAUNCH_BLOCKING"] = off;
    AddSchedulingFacts("/nothing", unset);
    EXPECT_EQ(FactOf("launch_blocking", unset), "");
  }
  Environment set;
  (*set.mutable_variables())["CUDA_LAUNCH_BLOCKING"] = "1";
  AddSchedulingFacts("/nothing", set);
  EXPECT_EQ(FactOf("launch_blocking", set),
            "BAD on by CUDA_LAUNCH_BLOCKING=1 -> unset CUDA_LAUNCH_BLOCKING");
}

}  // namespace
}  // namespace assay::environment
