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

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/environment/facts/nvml.h"
#include "benchmarks/harness/sampling/device/device_facts.h"
#include "defs/record.pb.h"

namespace assay::environment {

struct EnvironmentSources {
  std::string root = "/";                      // of /proc, /sys and /etc
  int threads = 0;                             // intra-op threads of LibTorch
  const sampling::DeviceFacts* gpu = nullptr;  // null when the run uses none
  // Returns null for a variable that is not set.
  std::function<const char*(const char*)> variable = [](const char* name) {
    return std::getenv(name);
  };
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

// The environment variables that are recorded where set: those that change speed or results.
absl::Span<const std::string_view> RecordedVariables();

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_ENVIRONMENT_H_
