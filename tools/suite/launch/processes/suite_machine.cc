#include "tools/suite/launch/processes/suite_machine.h"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/environment/environment.h"
#include "benchmarks/harness/environment/facts/nvml.h"

namespace assay::suite {

Environment MachineFor(DeviceType device, const std::vector<std::string>& variables) {
  environment::EnvironmentSources sources;
  sources.folder = ".";
  sources.variable = [&variables](const char* name) -> const char* {
    for (const std::string& variable : variables) {
      std::string_view value = variable;
      if (absl::ConsumePrefix(&value, name) && absl::ConsumePrefix(&value, "="))
        return value.data();  // to the end of a string, so that a zero follows
    }
    return std::getenv(name);
  };
  sources.variable_names = [&variables] {
    std::vector<std::string> names = environment::NamesOfVariables();
    for (const std::string& variable : variables)
      names.push_back(variable.substr(0, variable.find('=')));
    return names;
  };
  Environment machine = environment::ReadEnvironment(sources);
  // Which of a node's GPUs Slurm has given to a job says nothing about the number.
  if (std::getenv("SLURM_JOB_GPUS") != nullptr) {
    machine.mutable_variables()->erase("CUDA_VISIBLE_DEVICES");
  }
  if (device != CUDA) return machine;
  const auto gpu =
      environment::ReadGpu({.visible_devices = sources.variable("CUDA_VISIBLE_DEVICES")});
  if (gpu.ok()) {
    machine.set_gpu_name(gpu->name);
    machine.set_gpu_driver(gpu->driver);
  }
  return machine;
}

DeviceType DeviceOf(const std::vector<std::string>& flags, const std::string& build_flags) {
  DeviceType device = absl::StrContains(build_flags, "--config=cuda") ? CUDA : CPU;
  for (const std::string& flag : flags) {
    if (flag == "--device=cuda") device = CUDA;
    if (flag == "--device=cpu") device = CPU;
  }
  return device;
}

}  // namespace assay::suite
