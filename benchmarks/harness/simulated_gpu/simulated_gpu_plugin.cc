// A plugin (sampling/cuda/cuda_plugin.h) whose GPU is simulated. Its name as a library is that of
// NVIDIA's management library, so that a program which has loaded this one finds simulated_nvml.cc in
// that place.

#include <cstddef>
#include <cstdio>
#include <optional>

#include "benchmarks/harness/sampling/cuda/cuda_plugin.h"
#include "benchmarks/harness/simulated_gpu/simulated_gpu.h"

extern "C" assay::sampling::Device* assay_make_cuda_device(int index, char* error, size_t bytes) {
  const std::optional<assay::simulated_gpu::Card> card = assay::simulated_gpu::AskedCard();
  if (index == 0 && card) return new assay::simulated_gpu::SimulatedGpu(*card);
  std::snprintf(error, bytes, "%s",
                card ? "there is one simulated GPU, of index 0"
                     : "ASSAY_SIMULATED_GPU names no card; there are H100 and H200");
  return nullptr;
}
