// -----------------------------------------------------------------------------
// File: gpu_facts.h
// -----------------------------------------------------------------------------
//
// What the state of a GPU does to a measurement on it.
//
// Facts, in this order: gpu, gpu_driver, gpu_persistence, gpu_clock, gpu_clock_lock,
// gpu_throttling, gpu_power_limit, gpu_ecc, gpu_mig, gpu_temperature, gpu_processes,
// gpu_utilization; only the first, unknown, where there is no GPU to ask. What matters follows
// nvbench's device sheet, TorchBench's torchbenchmark/util/machine_config.py and PyTorch/XLA's
// benchmarks/README.md.
//
// Not for what happens during a measurement: the validity checks of harness/sampling look at that.
//
//   AddGpuFacts(ReadGpu({}), {}, environment);

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_GPU_FACTS_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_GPU_FACTS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/harness/environment/facts/nvml.h"
#include "defs/record.pb.h"

namespace assay::environment {

// How this process stands to the GPU, so that it does not take itself for someone else.
struct GpuUse {
  std::optional<unsigned> own_process;  // its id, where it has the GPU open
  // In a container the driver's process ids are not those that the process sees, and other
  // containers' processes may be hidden.
  bool in_container = false;
};

// `own`: whether this process has the GPU open. Reads <root>/proc/self.
GpuUse ReadGpuUse(const std::string& root, bool own);

void AddGpuFacts(const absl::StatusOr<GpuReading>& gpu, const GpuUse& use,
                 Environment& environment);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_GPU_FACTS_H_
