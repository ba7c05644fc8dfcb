// -----------------------------------------------------------------------------
// File: gpu_facts.h
// -----------------------------------------------------------------------------
//
// The effects of a GPU's state on a measurement.
//
// Facts, in this order: gpu, gpu_driver, gpu_persistence, gpu_clock, gpu_clock_lock,
// gpu_throttling, gpu_power_limit, gpu_ecc, gpu_mig, gpu_temperature, gpu_processes,
// gpu_utilization; only the first, unknown, where there is no GPU to ask. What matters follows
// nvbench's device sheet, TorchBench's torchbenchmark/util/machine_config.py and PyTorch/XLA's
// benchmarks/README.md.
//
// Not for events during a measurement: the validity checks of harness/sampling find those.
//
//   AddGpuFacts(ReadGpu({}), {}, environment);

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_GPU_FACTS_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_GPU_FACTS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/harness/environment/facts/nvml.h"
#include "defs/proto/record.pb.h"

namespace assay::environment {

// Identifies this process, so that it does not count itself as another user of the GPU.
struct GpuUse {
  std::optional<unsigned> own_process;  // process id if it has the GPU open, else absent
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
