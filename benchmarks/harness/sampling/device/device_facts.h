// -----------------------------------------------------------------------------
// File: device_facts.h
// -----------------------------------------------------------------------------
//
// Facts that a GPU and its software state about themselves, as plain values, so that code that records them
// needs no CUDA header.
//
// Not for the CPU and the machine around it: that is benchmarks/harness/environment.
//
//   const DeviceFacts& facts = device->Facts();
//   // "NVIDIA H200, driver 580.65.06"
//   std::cout << facts.name << ", driver " << facts.driver << "\n";

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_DEVICE_FACTS_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_DEVICE_FACTS_H_

#include <cstdint>
#include <string>

namespace assay::sampling {

// Texts are empty and numbers 0 where unknown.
struct DeviceFacts {
  std::string name;                // "NVIDIA H200"
  std::string driver;              // of the kernel module, "580.65.06"
  std::string cuda_runtime;        // "13.0"
  std::string cudnn_version;       // "9.13.0"
  std::string compute_capability;  // "9.0"
  int64_t memory_bytes = 0;
  int64_t l2_bytes = 0;
  int32_t multiprocessors = 0;
  int32_t core_mhz = 0;         // the highest that the driver allows
  int32_t memory_mhz = 0;       // two transfers in each cycle
  int32_t memory_bus_bits = 0;  // peak bytes/s = 2 * memory_mhz * 1e6 * memory_bus_bits / 8
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_DEVICE_FACTS_H_
