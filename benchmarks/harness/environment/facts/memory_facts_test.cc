#include "benchmarks/harness/environment/facts/memory_facts.h"

#include <cstdint>
#include <string>

#include "benchmarks/harness/environment/facts/fact_of.h"
#include "benchmarks/harness/environment/machine/fake_root.h"
#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

constexpr int64_t kGib = int64_t{1} << 30;

std::string Read(const FakeRoot& root, std::string_view fact, int64_t available = 10 * kGib,
                 int64_t bytes = 100 * kGib) {
  Environment environment;
  environment.set_memory_bytes(bytes);
  environment.set_memory_available_bytes(available);
  AddMemoryFacts(root.path(), environment);
  return FactOf(fact, environment);
}

TEST(AddMemoryFacts, AreUnknownWhereNothingCanBeRead) {
  FakeRoot root;
  Environment e;
  AddMemoryFacts(root.path(), e);
  EXPECT_EQ(e.facts_size(), 7);
  for (const MachineFact& fact : e.facts()) {
    EXPECT_EQ(fact.state(), FACT_UNKNOWN) << fact.name();
    EXPECT_NE(fact.advice(), "") << fact.name();
  }
}

TEST(AddMemoryFacts, LessThanATenthIsLittle) {
  FakeRoot root;
  EXPECT_EQ(Read(root, "memory"), "GOOD 10.0 of 100.0 GiB available");
  EXPECT_EQ(Read(root, "memory", 10 * kGib - 1).substr(0, 33), "BAD 10.0 of 100.0 GiB available -");
  EXPECT_EQ(Read(root, "memory", kGib - 1, 4 * kGib).substr(0, 3), "BAD")
      << "a tenth of a small machine is too little";
  EXPECT_EQ(Read(root, "memory", kGib, 4 * kGib).substr(0, 4), "GOOD");
  EXPECT_EQ(Read(root, "memory", kGib / 2, kGib).substr(0, 4), "GOOD") << "half of a tiny one";
}

TEST(AddMemoryFacts, AProcessBelongsOnOneNode) {
  FakeRoot root;
  root.Write("sys/devices/system/node/online", "0\n");
  EXPECT_EQ(Read(root, "numa"), "GOOD 1 node");
  EXPECT_EQ(Read(root, "numa_balancing"), "GOOD nothing to balance");
  root.Write("sys/devices/system/node/online", "0-1\n");
  root.Write("sys/devices/system/node/node0/cpulist", "0-3\n");
  root.Write("sys/devices/system/node/node1/cpulist", "4-7\n");
  root.Write("proc/self/status", "Cpus_allowed_list:\t0-7\n");
  EXPECT_EQ(Read(root, "numa"),
            "BAD runs on 2 of 2 nodes -> numactl --cpunodebind=0 --membind=0 COMMAND");
  root.Write("proc/self/status", "Cpus_allowed_list:\t5\n");
  EXPECT_EQ(Read(root, "numa"), "GOOD runs on 1 of 2 nodes");
  root.Write("proc/sys/kernel/numa_balancing", "1\n");
  EXPECT_EQ(Read(root, "numa_balancing"),
            "BAD on -> echo 0 | sudo tee /proc/sys/kernel/numa_balancing");
  root.Write("proc/sys/kernel/numa_balancing", "0\n");
  EXPECT_EQ(Read(root, "numa_balancing"), "GOOD off");
}

TEST(AddMemoryFacts, AddressesDrawnByLotAreBadUnlessThisProcessIsExempt) {
  FakeRoot root;
  const std::string mend =
      "setarch -R COMMAND, or for every process: "
      "echo 0 | sudo tee /proc/sys/kernel/randomize_va_space";
  root.Write("proc/sys/kernel/randomize_va_space", "2\n");
  root.Write("proc/self/personality", "00000000\n");
  EXPECT_EQ(Read(root, "aslr"), "BAD on -> " + mend);
  root.Write("proc/sys/kernel/randomize_va_space", "1\n");
  EXPECT_EQ(Read(root, "aslr"), "BAD on, but not the heap -> " + mend);
  root.Write("proc/self/personality", "00040000\n");
  EXPECT_EQ(Read(root, "aslr"), "GOOD off for this process");
  root.Write("proc/self/personality", "00000000\n");
  root.Write("proc/sys/kernel/randomize_va_space", "0\n");
  EXPECT_EQ(Read(root, "aslr"), "GOOD off");
}

TEST(AddMemoryFacts, HugePagesAreForThoseWhoAsk) {
  FakeRoot root;
  const std::string file = "sys/kernel/mm/transparent_hugepage/enabled";
  root.Write(file, "always [madvise] never\n");
  EXPECT_EQ(Read(root, "huge_pages"), "GOOD madvise");
  root.Write(file, "always madvise [never]\n");
  EXPECT_EQ(Read(root, "huge_pages"), "GOOD never");
  root.Write(file, "[always] madvise never\n");
  EXPECT_EQ(Read(root, "huge_pages"), "BAD always -> echo madvise | sudo tee /" + file);
  root.Write(file, "always\n");
  EXPECT_EQ(Read(root, "huge_pages"), "UNKNOWN unknown -> cat /" + file);
}

TEST(AddMemoryFacts, SwapIsBadWhereItIsUsed) {
  FakeRoot root;
  root.Write("proc/sys/vm/swappiness", "60\n");
  root.Write("proc/meminfo", "SwapTotal: 0 kB\nSwapFree: 0 kB\n");
  EXPECT_EQ(Read(root, "swap"), "GOOD none");
  EXPECT_EQ(Read(root, "swappiness"), "GOOD 60, without swap");
  root.Write("proc/meminfo", "SwapTotal: 8388608 kB\nSwapFree: 7340032 kB\n");
  EXPECT_EQ(Read(root, "swap"), "GOOD 1.0 of 8.0 GiB used") << "1 % of the memory";
  EXPECT_EQ(Read(root, "swappiness"), "BAD 60 -> sudo sysctl vm.swappiness=10");
  root.Write("proc/meminfo", "SwapTotal: 8388608 kB\nSwapFree: 6291456 kB\n");
  EXPECT_EQ(Read(root, "swap"), "BAD 2.0 of 8.0 GiB used -> sudo swapoff -a");
  root.Write("proc/sys/vm/swappiness", "10\n");
  EXPECT_EQ(Read(root, "swappiness"), "GOOD 10");
  root.Write("proc/meminfo", "SwapTotal: 1 kB\nSwapFree: 2 kB\n");
  EXPECT_EQ(Read(root, "swap"), "UNKNOWN unknown -> swapon --show");
}

}  // namespace
}  // namespace assay::environment
