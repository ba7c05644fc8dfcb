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

namespace assay::environment {
namespace {

constexpr std::string_view kVariables[] = {
    // Variables that choose kernels.
    "DISABLE_ADDMM_CUDA_LT",
    "NVIDIA_TF32_OVERRIDE",
    "PYTORCH_USE_CUDA_DSA",
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
    "TORCH_BLAS_PREFER_CUBLASLT",
    "TORCH_CUBLASLT_UNIFIED_WORKSPACE",
    "TORCH_LINALG_PREFER_CUSOLVER",
    "TORCH_LINEAR_FLATTEN_3D",
    // Memory.
    "GLIBC_TUNABLES",
    "LD_PRELOAD",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_NO_CUDA_MEMORY_CACHING",
    "THP_MEM_ALLOC_ENABLE",
    // The GPU's driver. CUDA_PATH, CUDA_VERSION and others name an installation, so the first
    // letters do not tell.
    "CUDA_AUTO_BOOST",
    "CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_DEVICE_MAX_COPY_CONNECTIONS",
    "CUDA_DEVICE_ORDER",
    "CUDA_DEVICE_WAITS_ON_EXCEPTION",
    "CUDA_DISABLE_JIT",
    "CUDA_DISABLE_PTX_JIT",
    "CUDA_FORCE_JIT",
    "CUDA_FORCE_PTX_JIT",
    "CUDA_GRAPHS_USE_NODE_PRIORITY",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_DATA_LOADING",
    "CUDA_MODULE_LOADING",
    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
    "CUDA_SCALE_LAUNCH_QUEUES",
    "CUDA_VISIBLE_DEVICES",
    "LD_LIBRARY_PATH",
    "NVIDIA_VISIBLE_DEVICES",
};

// Libraries whose variables change threads, kernels or memory, each version some more. Those of
// cuBLAS, cuBLASLt and cuDNN are among them: workspaces, emulated precision, logging of each call.
constexpr std::string_view kPrefixes[] = {
    "ATEN_",
    "CUBLAS",
    "CUDNN_",
    "DNNL_",
    "FBGEMM_",
    "GOMP_",
    "KMP_",
    "MALLOC_",
    "MKL_",
    "OMP_",
    "ONEDNN_",
    "OPENBLAS_",
    "PYTORCH_TENSOREXPR",
    "PYTORCH_TUNABLEOP_",
    "TORCH_CUDNN_",
    "TORCH_MKLDNN_",
};

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
  return absl::c_linear_search(kVariables, variable) ||
         absl::c_any_of(kPrefixes, [&](std::string_view prefix) {
           return absl::StartsWith(variable, prefix);
         });
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
