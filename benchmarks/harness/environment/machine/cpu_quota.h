// -----------------------------------------------------------------------------
// File: cpu_quota.h
// -----------------------------------------------------------------------------
//
// Reads how much CPU time the control groups around this process grant it, and how often they
// stopped it.
//
// Not for affinity, which says which CPUs, not how much of them: UsableCpus (machine.h) joins both.
//
//   CpuQuota quota = ReadCpuQuota("/");
//   if (quota.cpus < 2) ...                 // a container with --cpus=1.5

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_CPU_QUOTA_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_CPU_QUOTA_H_

#include <cstdint>
#include <limits>
#include <string>

namespace assay::environment {

struct CpuQuota {
  bool known = false;  // whether there is a control group that could set a limit
  double cpus = std::numeric_limits<double>::infinity();  // of the tightest group; infinity: none
  int64_t throttled_periods = 0;                          // of that group, since it was made
};

// From <root>/sys/fs/cgroup, version 2 (cpu.max) or 1 (cpu.cfs_quota_us): the group that
// <root>/proc/self/cgroup names and all groups above it. A malformed file sets no quota.
CpuQuota ReadCpuQuota(const std::string& root);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_CPU_QUOTA_H_
