// -----------------------------------------------------------------------------
// File: energy_counters.h
// -----------------------------------------------------------------------------
//
// The counters of energy that a machine has and this process may read: RAPL of processors and their
// memory, and the NVIDIA driver's of a GPU. They count what the whole machine takes, whoever caused
// it.
//
//   package-0, ...   a processor with its caches: by Linux's powercap, or, where only root may read
//                    that, by perf's PMU "power", which CAP_PERFMON opens
//   dram-0, ...      the memory of a processor, which its package does not include
//   psys             the platform, which includes the others: beside them, in no sum
//   gpu-0            a GPU
//
// Cores and the graphics of a processor are parts of its package, and left out. A counter may begin
// again at 0 behind its range.
//
// Not for power limits (facts/gpu_facts.h), nor for windows and shares (runner/measure/energy_pass.h).
//
//   EnergyCounters counters = OpenEnergyCounters({});
//   std::optional<uint64_t> before = counters.found[0].read();
//   ...
//   double joules = JoulesBetween(counters.found[0], *before, *counters.found[0].read());

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_ENERGY_COUNTERS_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_ENERGY_COUNTERS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/environment/facts/nvml.h"

namespace assay::environment {

struct EnergyCounter {
  std::string name = "";
  bool in_sum = true;
  double joules_per_count = 0;
  uint64_t range = 0;  // the highest count; 0: it never begins again
  std::function<std::optional<uint64_t>()> read = nullptr;
};

struct EnergyCounters {
  std::vector<EnergyCounter> found = {};
  // Why there are none of a kind, a sentence for each: "RAPL: ...".
  std::vector<std::string> missing = {};
};

// A counter of a PMU on one CPU, for all processes: perf_event_open(2). The reader owns it.
using PmuReader = std::function<std::optional<uint64_t>()>;
absl::StatusOr<PmuReader> OpenPmu(uint32_t type, uint64_t config, int cpu);

struct EnergySources {
  std::string root = "/";  // of /sys and /proc
  std::function<absl::StatusOr<PmuReader>(uint32_t type, uint64_t config, int cpu)> open_pmu =
      OpenPmu;
  std::optional<GpuChoice> gpu = std::nullopt;  // absent: the run uses none
};

EnergyCounters OpenEnergyCounters(const EnergySources& sources);

// A count below the one before it has begun again once.
double JoulesBetween(const EnergyCounter& counter, uint64_t before, uint64_t after);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_ENERGY_COUNTERS_H_
