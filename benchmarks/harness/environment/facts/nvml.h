// -----------------------------------------------------------------------------
// File: nvml.h
// -----------------------------------------------------------------------------
//
// Facts that the NVIDIA driver knows about one GPU, through its management library (NVML).
//
// The library is loaded when asked for and never linked, so a machine without a driver builds and
// runs the same program. It needs no CUDA context and leaves none. Names and numbers follow
// NVIDIA's NVML API reference.
//
// Not for changing a GPU, nor for judging the readings: gpu_facts.h does that.
//
//   absl::StatusOr<GpuReading> gpu = ReadGpu({});
//   if (gpu.ok() && gpu->sm_clock_mhz) std::cout << *gpu->sm_clock_mhz << " MHz";

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_NVML_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_NVML_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::environment {

// Bits of GpuReading::clock_reasons.
inline constexpr uint64_t kClockIdle = 0x1;
inline constexpr uint64_t kClockSetting = 0x2;
inline constexpr uint64_t kClockPowerCap = 0x4;
inline constexpr uint64_t kClockHardwareSlowdown = 0x8;
inline constexpr uint64_t kClockSyncBoost = 0x10;
inline constexpr uint64_t kClockSoftwareThermal = 0x20;
inline constexpr uint64_t kClockHardwareThermal = 0x40;
inline constexpr uint64_t kClockPowerBrake = 0x80;

// An absent value: this GPU or this driver does not report it.
struct GpuReading {
  unsigned index = 0;  // as `nvidia-smi -i` counts
  unsigned count = 0;  // of GPUs in the machine
  std::string name, uuid, driver;
  std::optional<bool> persistence, ecc, mig;
  std::optional<unsigned> sm_clock_mhz, max_sm_clock_mhz;
  std::optional<unsigned> memory_clock_mhz, max_memory_clock_mhz;
  std::optional<unsigned> application_clock_mhz, default_application_clock_mhz;
  std::optional<uint64_t> clock_reasons;  // why the clock is not higher
  std::optional<unsigned> power_limit_mw, default_power_limit_mw;
  std::optional<unsigned> temperature_c, slowdown_temperature_c;
  std::optional<unsigned> utilization_percent;  // share of the last moments with a kernel running
  std::optional<std::vector<unsigned>> process_ids;  // of the machine, not of a container
};

struct GpuChoice {
  // CUDA_VISIBLE_DEVICES; null where it is not set. Its first entry, a number or the beginning of a
  // UUID, is the GPU that CUDA calls 0. Without it that is taken to be the driver's first, which is
  // so for GPUs of one kind, and with CUDA_DEVICE_ORDER=PCI_BUS_ID for all.
  const char* visible_devices = nullptr;
  std::string library = "libnvidia-ml.so.1";
};

// NotFound: no driver, no GPU, or the choice hides it. Unavailable: the driver does not answer. The
// message is one line and says which.
absl::StatusOr<GpuReading> ReadGpu(const GpuChoice& choice);

// The millijoules that the GPU has taken since its driver was loaded; absent where the driver no
// longer answers. The driver counts on every 0.1 s or so. The reader keeps the library open.
using GpuEnergyReader = std::function<std::optional<uint64_t>()>;
// The errors of ReadGpu(); Unimplemented: this GPU does not count (Volta and newer ones do).
absl::StatusOr<GpuEnergyReader> OpenGpuEnergy(const GpuChoice& choice);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_NVML_H_
