#include "benchmarks/harness/environment/machine/cpu_quota.h"

#include <cmath>

#include "benchmarks/harness/environment/machine/fake_root.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

TEST(ReadCpuQuota, IsUnknownWithoutControlGroups) {
  FakeRoot root;
  EXPECT_FALSE(ReadCpuQuota(root.path()).known);
  EXPECT_TRUE(std::isinf(ReadCpuQuota(root.path()).cpus));
}

TEST(ReadCpuQuota, IsNoneWhereNoGroupSetsOne) {
  FakeRoot root;
  root.Write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
  EXPECT_TRUE(ReadCpuQuota(root.path()).known);
  for (const char* text : {"max 100000\n", "nan 100000\n", "-5 100000", "1", "x y", "100 0", ""}) {
    root.Write("sys/fs/cgroup/cpu.max", text);
    EXPECT_TRUE(std::isinf(ReadCpuQuota(root.path()).cpus)) << text;
  }
}

TEST(ReadCpuQuota, IsThatOfTheTightestGroupAbove) {
  FakeRoot root;
  root.Write("proc/self/cgroup", "0::/a/b\n");
  root.Write("sys/fs/cgroup/cgroup.controllers", "cpu\n");
  root.Write("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
  root.Write("sys/fs/cgroup/a/b/cpu.stat", "nr_periods 9\nnr_throttled 5\n");
  root.Write("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  root.Write("sys/fs/cgroup/a/cpu.stat", "usage_usec 1\nnr_periods 9\nnr_throttled 3\n");
  EXPECT_EQ(ReadCpuQuota(root.path()).cpus, 1.5);
  EXPECT_EQ(ReadCpuQuota(root.path()).throttled_periods, 3);
}

TEST(ReadCpuQuota, FindsTheContainersGroupWhereTheHostsPathIsNotMounted) {
  FakeRoot root;
  root.Write("proc/self/cgroup", "0::/docker/0123\n");
  root.Write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(ReadCpuQuota(root.path()).cpus, 2);
}

TEST(ReadCpuQuota, ReadsVersion1) {
  FakeRoot root;
  root.Write("proc/self/cgroup", "5:memory:/x\n4:cpu,cpuacct:/job\n0::/y\n");
  root.Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  EXPECT_TRUE(ReadCpuQuota(root.path()).known);
  EXPECT_TRUE(std::isinf(ReadCpuQuota(root.path()).cpus));
  root.Write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000\n");
  root.Write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  root.Write("sys/fs/cgroup/cpu/job/cpu.stat", "nr_throttled 7\n");
  EXPECT_EQ(ReadCpuQuota(root.path()).cpus, 0.5);
  EXPECT_EQ(ReadCpuQuota(root.path()).throttled_periods, 7);
}

}  // namespace
}  // namespace assay::environment
