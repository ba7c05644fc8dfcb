#include "benchmarks/harness/environment/environment.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/environment/machine/fake_root.h"
#include "benchmarks/harness/sampling/device/device_facts.h"
#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

EnvironmentSources EmptySources() {
  EnvironmentSources sources;
  sources.root = testing::TempDir() + "/nothing_here";
  sources.variable = [](const char*) -> const char* { return nullptr; };
  sources.variable_names = [] { return std::vector<std::string>(); };
  sources.folder = testing::TempDir();
  sources.read_gpu = [](const GpuChoice&) { return absl::NotFoundError("no NVIDIA driver"); };
  return sources;
}

TEST(ReadEnvironment, GuessesNothing) {
  EnvironmentSources sources = EmptySources();
  sources.folder = "/";
  const Environment e = ReadEnvironment(sources);
  EXPECT_EQ(e.cpu_model(), "");
  EXPECT_EQ(e.gpu_name(), "");
  EXPECT_EQ(e.git_commit(), "");
  EXPECT_EQ(e.variables_size(), 0);
  EXPECT_GE(e.cpu_count(), 1) << "asked of the kernel, not of a file";
}

TEST(ReadEnvironment, KeepsVariablesThatAreSetAlsoWhenEmpty) {
  EnvironmentSources sources = EmptySources();
  const std::map<std::string, std::string> set = {
      {"OMP_NUM_THREADS", "2"},    {"CUDA_VISIBLE_DEVICES", ""},   {"SECRET_TOKEN", "x"},
      {"OMP_THREAD_LIMIT", "1"},   {"MALLOC_TOP_PAD_", "1"},       {"OMPI_MCA_x", "1"},
      {"MKL_DEBUG_CPU_TYPE", "5"}, {"GLIBC_TUNABLES", "glibc.x=1"}};
  sources.variable_names = [&] {
    std::vector<std::string> names;
    for (const auto& [name, value] : set) names.push_back(name);
    return names;
  };
  sources.variable = [&](const char* name) -> const char* {
    const auto found = set.find(name);
    return found == set.end() ? nullptr : found->second.c_str();
  };
  const Environment e = ReadEnvironment(sources);
  EXPECT_EQ(e.variables_size(), 6) << "only those that change numbers: others may be secrets";
  EXPECT_EQ(e.variables().at("OMP_THREAD_LIMIT"), "1");
  EXPECT_EQ(e.variables().at("OMP_NUM_THREADS"), "2");
  EXPECT_EQ(e.variables().at("CUDA_VISIBLE_DEVICES"), "") << "an empty list hides all GPUs";
}

// What LibTorch 2.11, cuBLAS 13, cuDNN 9 and the driver read, and what only names an installation.
TEST(IsRecorded, TellsVariablesThatChangeNumbersOnAGpu) {
  for (const char* name : {"CUDA_SCALE_LAUNCH_QUEUES",
                           "CUDA_FORCE_PTX_JIT",
                           "CUDA_DISABLE_PTX_JIT",
                           "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                           "CUDA_LAUNCH_BLOCKING",
                           "CUBLAS_WORKSPACE_CONFIG",
                           "CUBLASLT_WORKSPACE_SIZE",
                           "CUBLAS_EMULATE_SINGLE_PRECISION",
                           "CUDNN_ERRATA_JSON_FILE",
                           "CUDNN_FRONTEND_ATTN_DP_WORKSPACE_LIMIT",
                           "CUDNN_LOGLEVEL_DBG",
                           "TORCH_CUDNN_SDPA_DEPRIORITIZED",
                           "TORCH_CUDNN_SDPA_AVOID_RECOMPILE",
                           "TORCH_CUDNN_USE_HEURISTIC_MODE_B",
                           "TORCH_CUDNN_V8_API_DISABLED",
                           "TORCH_CUBLASLT_UNIFIED_WORKSPACE",
                           "TORCH_LINALG_PREFER_CUSOLVER",
                           "PYTORCH_TUNABLEOP_ENABLED",
                           "DISABLE_ADDMM_CUDA_LT",
                           "PYTORCH_ALLOC_CONF"}) {
    EXPECT_TRUE(IsRecorded(name)) << name;
  }
  for (const char* name : {"CUDA_PATH", "CUDA_HOME", "CUDA_VERSION", "CUDA_CACHE_PATH",
                           "PYTORCH_KERNEL_CACHE_PATH", "HOME"}) {
    EXPECT_FALSE(IsRecorded(name)) << name;
  }
}

TEST(ReadEnvironment, TakesTheGpusFacts) {
  const sampling::DeviceFacts gpu = {.name = "NVIDIA H200",
                                     .driver = "580.65.06",
                                     .cuda_runtime = "13.0",
                                     .cudnn_version = "9.13.0",
                                     .compute_capability = "9.0",
                                     .memory_bytes = 150'000'000'000,
                                     .l2_bytes = 62'914'560};
  EnvironmentSources sources = EmptySources();
  sources.gpu = &gpu;
  const Environment e = ReadEnvironment(sources);
  EXPECT_EQ(e.gpu_name(), "NVIDIA H200");
  EXPECT_EQ(e.gpu_driver(), "580.65.06");
  EXPECT_EQ(e.cuda_runtime(), "13.0");
  EXPECT_EQ(e.cudnn_version(), "9.13.0");
  EXPECT_EQ(e.compute_capability(), "9.0");
  EXPECT_EQ(e.gpu_memory_bytes(), 150'000'000'000);
  EXPECT_EQ(e.gpu_l2_bytes(), 62'914'560);
}

TEST(ReadEnvironment, SaysWhatMayDisturb) {
  EnvironmentSources sources = EmptySources();
  FakeRoot root;
  root.Write("proc/loadavg", "9999.00 1 1 1/1 1\n");
  sources.root = root.path();
  const Environment e = ReadEnvironment(sources);
  EXPECT_TRUE(std::any_of(e.noise().begin(), e.noise().end(), [](const std::string& sentence) {
    return sentence.find("load 9999.0") == 0;
  }));
}

bool HasFact(const Environment& e, std::string_view name) {
  return std::any_of(e.facts().begin(), e.facts().end(),
                     [&](const MachineFact& fact) { return fact.name() == name; });
}

TEST(ReadEnvironment, KeepsTheFactsOfTheMachine) {
  const Environment e = ReadEnvironment(EmptySources());
  for (const char* name : {"governor", "load", "aslr"}) EXPECT_TRUE(HasFact(e, name)) << name;
  EXPECT_FALSE(HasFact(e, "gpu")) << "none is asked for";
}

TEST(ReadEnvironment, AsksTheDriverAboutTheVisibleGpuWhereOneIsUsed) {
  const sampling::DeviceFacts gpu;
  EnvironmentSources sources = EmptySources();
  sources.gpu = &gpu;
  sources.variable = [](const char* name) {
    return std::strcmp(name, "CUDA_VISIBLE_DEVICES") == 0 ? "5" : nullptr;
  };
  std::string asked;
  sources.read_gpu = [&](const GpuChoice& choice) {
    asked = choice.visible_devices;
    GpuReading reading;
    reading.process_ids = {1, 2, 3};
    return reading;
  };
  const Environment e = ReadEnvironment(sources);
  EXPECT_EQ(asked, "5");
  EXPECT_TRUE(HasFact(e, "gpu_clock_lock"));
  EXPECT_TRUE(std::any_of(e.noise().begin(), e.noise().end(), [](const std::string& sentence) {
    return sentence.find("gpu processes") == 0;
  }));
}

TEST(AddFactsAfter, KeepsOnlyWhatReadsOtherwise) {
  const sampling::DeviceFacts gpu;
  EnvironmentSources sources = EmptySources();
  sources.gpu = &gpu;
  GpuReading reading;
  reading.process_ids = {1, 2, 3};
  sources.read_gpu = [&](const GpuChoice&) { return reading; };
  Environment e = ReadEnvironment(sources);
  const int before = e.facts_size();
  AddFactsAfter(sources, e);
  EXPECT_EQ(e.facts_after_size(), 0);
  reading.process_ids = std::vector<unsigned int>();
  AddFactsAfter(sources, e);
  ASSERT_EQ(e.facts_after_size(), 1);
  EXPECT_EQ(e.facts_after(0).name(), "gpu_processes");
  EXPECT_EQ(e.facts_size(), before) << "what was read before stays";
}

TEST(ReadEnvironment, NamesTheCompiler) {
  EXPECT_NE(ReadEnvironment(EmptySources()).compiler(), "");
}

TEST(IsRecorded, WhatChangesNumbersByItsNameOrItsLibrary) {
  for (const char* name : {"LD_PRELOAD", "GLIBC_TUNABLES", "OMP_STACKSIZE", "KMP_X",
                           "ONEDNN_PRIMITIVE_CACHE_CAPACITY", "NVIDIA_TF32_OVERRIDE"})
    EXPECT_TRUE(IsRecorded(name)) << name;
  for (const char* name : {"HOME", "OMP", "NVIDIA_DRIVER_CAPABILITIES", "MYTORCH_X"})
    EXPECT_FALSE(IsRecorded(name)) << name;
}

TEST(IsRecorded, WhatEachLibraryReads) {
  for (const std::string prefix :
       {"ATEN_",     "CUBLAS", "CUDA_",    "CUDNN_",    "CUFFT_",    "CUSOLVER_",
        "CUSPARSE_", "DNNL_",  "FBGEMM_",  "GOMP_",     "KMP_",      "MALLOC_",
        "MIMALLOC_", "MKL_",   "OMP_",     "ONEDNN_",   "OPENBLAS_", "OPENVINO_",
        "ORT_",      "OV_",    "PYTORCH_", "TCMALLOC_", "TORCH_"}) {
    EXPECT_TRUE(IsRecorded(prefix + "X")) << prefix;
    EXPECT_FALSE(IsRecorded("X_" + prefix + "X")) << prefix;
  }
  for (const std::string name :
       {"DISABLE_ADDMM_CUDA_LT", "GLIBC_TUNABLES", "LD_LIBRARY_PATH", "LD_PRELOAD",
        "NVIDIA_TF32_OVERRIDE", "NVIDIA_VISIBLE_DEVICES", "THP_MEM_ALLOC_ENABLE"}) {
    EXPECT_TRUE(IsRecorded(name)) << name;
    EXPECT_FALSE(IsRecorded(name + "_X")) << name;
  }
}

// Names in the libraries of LibTorch 2.11.0 (strings libtorch_cpu.so libtorch_cuda.so libc10_cuda.so),
// in those of the other back ends, and in the manual of CUDA's driver.
TEST(IsRecorded, WhatChoosesKernels) {
  for (const char* name : {"TORCH_MKLDNN_MATMUL_MIN_DIM",
                           "TORCH_MKLDNN_MATMUL_MIN_SIZE",
                           "TORCH_LINEAR_FLATTEN_3D",
                           "TORCH_CUDNN_USE_HEURISTIC_MODE_B",
                           "TORCH_CUDNN_SDPA_DEPRIORITIZED",
                           "TORCH_CUDNN_SDPA_AVOID_RECOMPILE",
                           "TORCH_CUDNN_V8_API_LRU_CACHE_LIMIT",
                           "TORCH_CUBLASLT_UNIFIED_WORKSPACE",
                           "TORCH_LINALG_PREFER_CUSOLVER",
                           "TORCH_BLAS_PREFER_CUBLASLT",
                           "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
                           "PYTORCH_TENSOREXPR_FALLBACK",
                           "PYTORCH_JIT_OPT_LIMIT",
                           "PYTORCH_TUNABLEOP_ENABLED",
                           "PYTORCH_NO_CUDA_MEMORY_CACHING",
                           "FBGEMM_ENABLE_INSTRUCTIONS",
                           "FBGEMM_NO_ASMJIT",
                           "FBGEMM_NO_AUTOVEC",
                           "FBGEMM_FORCE_AUTOVEC",
                           "CUBLASLT_WORKSPACE_SIZE",
                           "CUBLAS_WORKSPACE_CONFIG",
                           "CUDNN_ERRATA_JSON_FILE",
                           "CUDNN_FRONTEND_ATTN_DP_WORKSPACE_LIMIT",
                           "CUDA_SCALE_LAUNCH_QUEUES",
                           "CUDA_FORCE_PTX_JIT",
                           "CUDA_MODULE_LOADING",
                           "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                           "ORT_TENSORRT_FP16_ENABLE",
                           "OV_CPU_ISA",
                           "OPENVINO_X"})
    EXPECT_TRUE(IsRecorded(name)) << name;
}

TEST(IsRecorded, NoSecretThoughItsNameBeginsLikeThat) {
  for (const char* name : {"TORCH_HUB_TOKEN", "PYTORCH_API_KEY", "CUDA_REGISTRY_PASSWORD",
                           "ORT_AUTH", "NVIDIA_API_KEY", "FBGEMM_SECRET"})
    EXPECT_FALSE(IsRecorded(name)) << name;
}

TEST(IsRecorded, NotWhereThingsLieOrHowTheyWereBuilt) {
  for (const char* name :
       {"TORCH_HOME", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_CACHE_PATH", "CUDA_VERSION",
        "CUDNN_VERSION", "PYTORCH_VERSION", "CUDA_BIN_PATH", "CUDA_TOOLKIT_ROOT_DIR",
        "PYTORCH_KERNEL_CACHE_PATH", "TORCH_CUDA_ARCH_LIST"})
    EXPECT_FALSE(IsRecorded(name)) << name;
}

}  // namespace
}  // namespace assay::environment
