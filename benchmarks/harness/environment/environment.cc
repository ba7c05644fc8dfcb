#include "benchmarks/harness/environment/environment.h"

#include <map>
#include <string>

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
    // Threads and where they run.
    "GOMP_CPU_AFFINITY",
    "KMP_AFFINITY",
    "KMP_BLOCKTIME",
    "MKL_DYNAMIC",
    "MKL_NUM_THREADS",
    "OMP_DYNAMIC",
    "OMP_NUM_THREADS",
    "OMP_PLACES",
    "OMP_PROC_BIND",
    "OMP_SCHEDULE",
    "OMP_WAIT_POLICY",
    "OPENBLAS_NUM_THREADS",
    // Variables that choose kernels.
    "ATEN_CPU_CAPABILITY",
    "CUBLASLT_WORKSPACE_SIZE",
    "CUBLAS_WORKSPACE_CONFIG",
    "DNNL_DEFAULT_FPMATH_MODE",
    "DNNL_MAX_CPU_ISA",
    "MKL_CBWR",
    "MKL_ENABLE_INSTRUCTIONS",
    "NVIDIA_TF32_OVERRIDE",
    "ONEDNN_DEFAULT_FPMATH_MODE",
    "ONEDNN_MAX_CPU_ISA",
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
    "TORCH_BLAS_PREFER_CUBLASLT",
    "TORCH_CUDNN_V8_API_DISABLED",
    // Memory.
    "LD_PRELOAD",
    "MALLOC_ARENA_MAX",
    "MALLOC_CONF",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_NO_CUDA_MEMORY_CACHING",
    "THP_MEM_ALLOC_ENABLE",
    // The GPU's driver.
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_DEVICE_ORDER",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "CUDA_VISIBLE_DEVICES",
    "LD_LIBRARY_PATH",
    "NVIDIA_VISIBLE_DEVICES",
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

absl::Span<const std::string_view> RecordedVariables() { return kVariables; }

Environment ReadEnvironment(const EnvironmentSources& sources) {
  Environment environment;
  AddMachine(sources.root, environment);
  environment.set_cpu_count(UsableCpus(sources.root));
  environment.set_threads(sources.threads);
  environment.set_compiler(Compiler());
  for (std::string_view name : kVariables) {
    if (const char* value = sources.variable(name.data()); value != nullptr) {
      (*environment.mutable_variables())[std::string(name)] = value;
    }
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
