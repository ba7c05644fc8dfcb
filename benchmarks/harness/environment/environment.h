// -----------------------------------------------------------------------------
// File: environment.h
// -----------------------------------------------------------------------------
//
// The Environment of a record: machine, build, switches, and what may disturb a measurement.
// Everything that it reads is an argument, so tests can give it a machine of their own.
//
// Not for LibTorch's own facts, which torch_facts.h adds, since this library links no torch. The
// sampling device says what a GPU is, the driver in which state it is.
//
//   EnvironmentSources sources;
//   sources.threads = at::get_num_threads();
//   sources.gpu = device_is_cuda ? &device->Facts() : nullptr;
//   Environment environment = assay::environment::ReadEnvironment(sources);
//   assay::environment::AddTorchFacts(environment);

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_ENVIRONMENT_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_ENVIRONMENT_H_

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/environment/facts/nvml.h"
#include "benchmarks/harness/sampling/device/device_facts.h"
#include "defs/proto/record.pb.h"

namespace assay::environment {

std::vector<std::string> NamesOfVariables();

struct EnvironmentSources {
  std::string root = "/";                      // of /proc, /sys and /etc
  int threads = 0;                             // intra-op threads of LibTorch
  const sampling::DeviceFacts* gpu = nullptr;  // null when the run uses none
  // Returns null for a variable that is not set.
  std::function<const char*(const char*)> variable = [](const char* name) {
    return std::getenv(name);
  };
  // Names of all variables that are set.
  std::function<std::vector<std::string>()> variable_names = NamesOfVariables;
  // Reads the GPU's state where the run uses one.
  std::function<absl::StatusOr<GpuReading>(const GpuChoice&)> read_gpu = ReadGpu;
  // The folder whose git state is read; empty: BUILD_WORKSPACE_DIRECTORY, which `bazel run` sets,
  // else the current folder.
  std::string folder = {};
};

Environment ReadEnvironment(const EnvironmentSources& sources);

// Reads the facts again, and keeps in facts_after those that have changed. `environment` is the
// earlier result of ReadEnvironment.
void AddFactsAfter(const EnvironmentSources& sources, Environment& environment);

// Whether a variable is recorded where it is set. Those that change speed or results are: some by
// their names, and by their first letters all of the libraries that compute, schedule and allocate,
// such as TORCH_, FBGEMM_, CUDNN_ and OMP_, but for names of secrets (TORCH_HUB_TOKEN) and for those
// that say where something lies or how it was built (TORCH_HOME, CUDA_VERSION).
bool IsRecorded(std::string_view variable);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_ENVIRONMENT_H_
