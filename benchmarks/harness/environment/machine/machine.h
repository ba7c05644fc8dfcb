// -----------------------------------------------------------------------------
// File: machine.h
// -----------------------------------------------------------------------------
//
// What Linux says about the machine, read from files under a root that a test can replace.
//
// Not for GPUs, LibTorch, or what may disturb a measurement (facts/, noise.h).
//
//   Environment environment;
//   assay::environment::AddMachine(/*root=*/"/", environment);

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_MACHINE_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_MACHINE_H_

#include <optional>
#include <string>

#include "defs/proto/record.pb.h"

namespace assay::environment {

// Sets cpu_model, cpu_cache_bytes, governor, load_1m, memory_bytes, memory_available_bytes, kernel
// and os from <root>/proc, <root>/sys and <root>/etc. The cache is the first CPU's last one, which it
// may share with others. The memory figures are those of the control group where
// it allows less than the machine has. The governor is that of the CPUs if they agree, else
// "mixed". What is missing or malformed stays unset.
void AddMachine(const std::string& root, Environment& environment);

// The first figure of <root>/proc/loadavg: runnable and waiting threads, averaged over a minute.
std::optional<double> LoadAverage(const std::string& root);

// Absent where the CPU does not say (only x86 does).
std::optional<bool> IsVirtualMachine(const std::string& root);

// The CPUs that this process may use: its affinity, and no more than its control groups' quota
// (cpu_quota.h) rounded up.
int UsableCpus(const std::string& root);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_MACHINE_H_
