#include "benchmarks/backends/module_backend.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/backends/tensor_form.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "torch/csrc/jit/api/module.h"
#include "torch/csrc/jit/serialization/import.h"

namespace assay::backends {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// A format for the test: TorchScript's own file, which --export-module writes.
class ScriptModule final : public LoadedModule {
 public:
  explicit ScriptModule(const std::string& path) : module_(torch::jit::load(path)) {}
  std::vector<TensorForm> Inputs() const override {
    std::vector<TensorForm> forms;
    for (const at::Tensor& input : module_.attr("example_inputs").toTensorVector())
      forms.push_back({.dtype = input.scalar_type(), .sizes = input.sizes().vec()});
    return forms;
  }
  execution::Tensors Call(const execution::Tensors& inputs) override {
    return {module_.forward({inputs.begin(), inputs.end()}).toTensor()};
  }

 private:
  torch::jit::Module module_;
};

absl::Status RefuseDouble(const BenchmarkCase& c) {
  return c.dtype() == FP64 ? absl::InvalidArgumentError("no fp64 here") : absl::OkStatus();
}

[[maybe_unused]] const bool kRegistered = RegisterModuleBackend(
    {.backend = "script",
     .format = "torchscript",
     .extension = ".pt",
     .check = RefuseDouble,
     .load = [](const std::string& path) -> absl::StatusOr<std::unique_ptr<LoadedModule>> {
       return std::make_unique<ScriptModule>(path);
     }});

class AModuleBackend : public testing::Test {
 protected:
  AModuleBackend() : path_(absl::StrCat(tensor_files::TestFolder(), "/module.pt")) {
    case_.mutable_benchmark_case()->mutable_execution()->set_backend("script");
    EXPECT_TRUE(runner::Export(case_, {.module = path_}).ok());
    program_ = *execution::SeededProgram(case_, case_.measured());
  }

  absl::StatusOr<std::unique_ptr<execution::Executable>> Loaded() {
    return execution::Load(
        {.c = case_, .device = device_, .module_path = path_, .workloads = {&case_.verified()}},
        *program_);
  }
  std::string Problem() {
    const auto loaded = Loaded();
    EXPECT_FALSE(loaded.ok());
    return std::string(loaded.status().message());
  }
  execution::Tensors Inputs() {
    return *execution::SeededInputs(case_.verified(), FP32, 0, at::kCPU);
  }
  void SetRows(int64_t rows) {
    for (Workload* workload : {case_.mutable_measured(), case_.mutable_verified()}) {
      workload->mutable_inputs(0)->set_shape(0, rows);
      workload->mutable_outputs(0)->set_shape(0, rows);
    }
  }
  // The verdict of the file, by a reference of the suite's own.
  Outcome VerdictOfFile() {
    const std::string reference = path_ + ".reference";
    EXPECT_TRUE(runner::Export(case_, {.reference = reference}).ok());
    case_.mutable_reference()->set_sha256(
        base::Sha256Hex(*tensor_files::ReadFile(reference, 1 << 20)));
    const auto loaded = Loaded();
    EXPECT_TRUE(loaded.ok()) << loaded.status();
    return runner::Verify(case_, **loaded, at::kCPU, reference, {}).outcome();
  }

  ResolvedCase case_ = runner::SmallMlpCase();
  std::string path_;
  at::Device device_ = at::kCPU;
  std::unique_ptr<execution::Program> program_;
};

TEST_F(AModuleBackend, RunsTheFileAndNotTheProgram) {
  const auto eager = execution::LoadEager({}, *program_);
  const at::Tensor right = execution::OutputsOf(*eager, Inputs())->at(0);
  const auto loaded = Loaded();
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_TRUE(execution::OutputsOf(**loaded, Inputs())->at(0).equal(right));
  program_->MakeMistake(program_->Mistakes().at(0));
  EXPECT_TRUE(execution::OutputsOf(**loaded, Inputs())->at(0).equal(right));
  EXPECT_FALSE(execution::OutputsOf(*eager, Inputs())->at(0).equal(right));
}

TEST_F(AModuleBackend, TheFileIsWhatIsJudged) {
  EXPECT_EQ(VerdictOfFile(), PASS);
  case_.mutable_benchmark_case()->set_seed(1);
  EXPECT_TRUE(runner::Export(case_, {.module = path_}).ok());
  case_.mutable_benchmark_case()->set_seed(0);
  EXPECT_EQ(VerdictOfFile(), FAIL_ACCURACY);
}

TEST_F(AModuleBackend, SaysWhatIsWrongWithAFile) {
  const std::string path = path_;
  path_ = path + ".none";
  EXPECT_THAT(Problem(), HasSubstr(".none: no such file; tools/bazel run //tools:export_model -- "
                                   "--case=//x:mlp_fp32_b2 --format=torchscript --out=FILE"));
  path_ = path;
  SetRows(3);
  EXPECT_THAT(Problem(),
              HasSubstr("for the inputs float32[2,5]; the case calls it with float32[3,5]"));
  SetRows(2);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  EXPECT_THAT(Problem(), StartsWith(absl::StrCat("loading ", path_)));
  std::ofstream(path_) << "no module";
  EXPECT_THAT(Problem(), StartsWith(absl::StrCat("loading ", path_)));
}

TEST_F(AModuleBackend, RefusesOtherShapesLater) {
  const auto loaded = Loaded();
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const auto fewer = execution::OutputsOf(**loaded, {Inputs()[0].narrow(0, 0, 1)});
  EXPECT_THAT(fewer.status().message(), HasSubstr("the case calls it with float32[1,5]"));
}

TEST_F(AModuleBackend, RefusesWhatNoFileHolds) {
  BenchmarkCase& c = *case_.mutable_benchmark_case();
  c.set_mode(TRAIN);
  EXPECT_EQ(Problem(), "--backend=script: it traces a forward pass; the case does more");
  c.set_mode(EVAL);
  c.mutable_execution()->set_autocast(BF16);
  EXPECT_THAT(Problem(), HasSubstr("it takes no --autocast"));
  c.mutable_execution()->set_autocast(DTYPE_UNSPECIFIED);
  c.mutable_execution()->set_memory_format(CHANNELS_LAST);
  EXPECT_THAT(Problem(), HasSubstr("leave --memory-format out"));
  c.mutable_execution()->set_memory_format(CONTIGUOUS);
  c.set_dtype(FP64);
  EXPECT_EQ(Problem(), "no fp64 here");
  c.set_dtype(FP32);
  device_ = at::kCUDA;
  EXPECT_THAT(Problem(), HasSubstr("it computes on the CPU"));
}

TEST_F(AModuleBackend, MakesAFileForEachShapeOfTheCase) {
  path_.clear();
  const std::string root = tensor_files::TestFolder();
  std::filesystem::create_directories(root + "/tools");
  // Plays Bazel and the exporter of this format.
  std::ofstream(root + "/tools/bazel") << "#!/bin/sh\nfor word; do case $word in --module=*) "
                                          "module=${word#*=} ;; --out=*) out=${word#*=} ;; esac; "
                                          "done; cp \"$module\" \"$out\"\n";
  std::filesystem::permissions(root + "/tools/bazel", std::filesystem::perms::owner_all);
  setenv("BUILD_WORKSPACE_DIRECTORY", root.c_str(), 1);
  setenv("XDG_CACHE_HOME", root.c_str(), 1);
  case_.mutable_measured()->mutable_inputs(0)->set_shape(0, 5);
  const auto loaded = execution::Load(
      {.c = case_, .device = at::kCPU, .workloads = {&case_.verified(), &case_.measured()}},
      *program_);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  int64_t modules = 0;
  for (const auto& file : std::filesystem::directory_iterator(root + "/assay/modules")) {
    if (file.path().extension() == ".pt") ++modules;  // beside each lies its digest
  }
  EXPECT_EQ(modules, 2);
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
}

TEST_F(AModuleBackend, WithoutAFileAndAWorkspaceItSaysWhatMakesOne) {
  path_.clear();
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
  setenv("XDG_CACHE_HOME", tensor_files::TestFolder().c_str(), 1);
  EXPECT_THAT(Problem(),
              HasSubstr("start the case by tools/bazel run once, or give --module=FILE"));
}

}  // namespace
}  // namespace assay::backends
