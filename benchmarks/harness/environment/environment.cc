#include "benchmarks/harness/environment/environment.h"

#include <unistd.h>

#include <map>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/environment/facts/cpu_facts.h"
#include "benchmarks/harness/environment/facts/gpu_facts.h"
#include "benchmarks/harness/environment/facts/memory_facts.h"
#include "benchmarks/harness/environment/facts/scheduling_facts.h"
#include "benchmarks/harness/environment/git_state.h"
#include "benchmarks/harness/environment/machine/machine.h"
#include "benchmarks/harness/environment/noise.h"
#include "benchmarks/harness/environment/secret_names.h"

namespace assay::environment {
namespace {

constexpr std::string_view kVariables[] = {
    "DISABLE_ADDMM_CUDA_LT", "GLIBC_TUNABLES",         "LD_LIBRARY_PATH",      "LD_PRELOAD",
    "NVIDIA_TF32_OVERRIDE",  "NVIDIA_VISIBLE_DEVICES", "THP_MEM_ALLOC_ENABLE",
};

// Libraries whose variables choose kernels or change threads or memory. Each version reads some more,
// so a list of their names would miss what is new.
constexpr std::string_view kPrefixes[] = {
    "ATEN_",     "CUBLAS",    "CUDA_", "CUDNN_",  "CUFFT_",    "CUSOLVER_", "CUSPARSE_", "DNNL_",
    "FBGEMM_",   "GOMP_",     "KMP_",  "MALLOC_", "MIMALLOC_", "MKL_",      "OMP_",      "ONEDNN_",
    "OPENBLAS_", "OPENVINO_", "ORT_",  "OV_",     "PYTORCH_",  "TCMALLOC_", "TORCH_",
};

// Among these, names that say where something lies or how it was built, and change no number.
constexpr std::string_view kPlaces[] = {
    "CUDA_BIN_PATH", "CUDA_CACHE_PATH",       "CUDA_PATH",
    "CUDA_ROOT",     "CUDA_TOOLKIT_ROOT_DIR", "PYTORCH_KERNEL_CACHE_PATH",
};
constexpr std::string_view kPlaceEndings[] = {"_ARCH_LIST", "_HOME", "_VERSION"};

std::string Compiler() {
#if defined(__clang__)
  return absl::StrCat("clang ", __clang_major__, ".", __clang_minor__, ".", __clang_patchlevel__);
#else
  return absl::StrCat("gcc ", __GNUC__, ".", __GNUC_MINOR__, ".", __GNUC_PATCHLEVEL__);
#endif
}

void AddGpu(const sampling::DeviceFacts& gpu, Environment& environment) {
  environment.set_gpu_name(gpu.name);
  environment.set_gpu_driver(gpu.driver);
  environment.set_cuda_runtime(gpu.cuda_runtime);
  environment.set_cudnn_version(gpu.cudnn_version);
  environment.set_gpu_memory_bytes(gpu.memory_bytes);
  environment.set_gpu_l2_bytes(gpu.l2_bytes);
  environment.set_compute_capability(gpu.compute_capability);
}

void AddFacts(const EnvironmentSources& sources, Environment& environment) {
  AddSchedulingFacts(sources.root, environment);
  AddCpuFacts(sources.root, environment);
  AddMemoryFacts(sources.root, environment);
  if (sources.gpu == nullptr) return;
  const GpuChoice choice = {.visible_devices = sources.variable("CUDA_VISIBLE_DEVICES")};
  AddGpuFacts(sources.read_gpu(choice), ReadGpuUse(sources.root, /*own=*/true), environment);
}

void AddGit(const EnvironmentSources& sources, Environment& environment) {
  std::string folder = sources.folder;
  if (folder.empty()) {
    const char* workspace = sources.variable("BUILD_WORKSPACE_DIRECTORY");
    folder = workspace != nullptr ? workspace : ".";
  }
  const GitState git = ReadGitState(folder);
  environment.set_git_commit(git.commit);
  environment.set_git_dirty(git.dirty);
}

}  // namespace

bool IsRecorded(std::string_view variable) {
  if (absl::c_linear_search(kVariables, variable)) return true;
  const auto begins = [&](std::string_view prefix) { return absl::StartsWith(variable, prefix); };
  const auto ends = [&](std::string_view ending) { return absl::EndsWith(variable, ending); };
  return absl::c_any_of(kPrefixes, begins) && !absl::c_linear_search(kPlaces, variable) &&
         !absl::c_any_of(kPlaceEndings, ends) && !IsSecretName(variable);
}

std::vector<std::string> NamesOfVariables() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

Environment ReadEnvironment(const EnvironmentSources& sources) {
  Environment environment;
  AddMachine(sources.root, environment);
  environment.set_cpu_count(UsableCpus(sources.root));
  environment.set_threads(sources.threads);
  environment.set_compiler(Compiler());
  for (const std::string& name : sources.variable_names()) {
    const char* value = IsRecorded(name) ? sources.variable(name.c_str()) : nullptr;
    if (value != nullptr) (*environment.mutable_variables())[name] = value;
  }
  if (sources.gpu != nullptr) AddGpu(*sources.gpu, environment);
  AddGit(sources, environment);
  AddFacts(sources, environment);
  for (std::string& sentence : NoiseOf(environment)) {
    environment.add_noise(std::move(sentence));
  }
  return environment;
}

void AddFactsAfter(const EnvironmentSources& sources, Environment& environment) {
  Environment now = environment;
  now.clear_facts();
  AddMachine(sources.root, now);
  AddFacts(sources, now);
  std::map<std::string, const MachineFact*> before;
  for (const MachineFact& fact : environment.facts()) before[fact.name()] = &fact;
  for (const MachineFact& fact : now.facts()) {
    const auto found = before.find(fact.name());
    const bool same = found != before.end() && found->second->value() == fact.value() &&
                      found->second->state() == fact.state();
    if (!same) *environment.add_facts_after() = fact;
  }
}

}  // namespace assay::environment
