// Both runtimes of ONNX files, by a file whose results are known. It is not among //..., which would
// fetch their wheels; ci/checks/backends.py runs it.
#include <ATen/Functions.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/backends/module_backend.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::backends {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kFile[] = "benchmarks/backends/testdata/two.onnx";

class ForeignRuntime : public ::testing::TestWithParam<const char*> {
 protected:
  static absl::StatusOr<std::unique_ptr<LoadedModule>> Load(const std::string& path) {
    return LoadModule(*FindModuleFormat(GetParam()), path);
  }
};

TEST_P(ForeignRuntime, ComputesWhatTheFileSays) {
  const auto module = Load(kFile);
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(FormsText((*module)->Inputs()), "float32[?,3] int64[2]");
  EXPECT_EQ((*module)->Inputs()[1].name, "ids");
  EXPECT_THAT((*module)->OutputNames(), ElementsAre("product", "rows"));
  const at::Tensor ids = at::tensor({3, 1}, at::kLong);
  const auto outputs = (*module)->Call({at::tensor({1.F, 0.F, -1.F}).view({1, 3}), ids});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_TRUE(at::equal(outputs[0], at::tensor({-4.F, -4.F}).view({1, 2})));
  EXPECT_TRUE(at::equal(outputs[1], at::tensor({30.F, 31.F, 10.F, 11.F}).view({2, 2})));
  // Another size of what the file leaves open; what the first call gave stays.
  const auto others = (*module)->Call({at::ones({2, 3}), ids - 1});
  EXPECT_TRUE(at::equal(others[0], at::tensor({9.F, 12.F, 9.F, 12.F}).view({2, 2})));
  EXPECT_TRUE(at::equal(others[1], at::tensor({20.F, 21.F, 0.F, 1.F}).view({2, 2})));
  EXPECT_TRUE(at::equal(outputs[0], at::tensor({-4.F, -4.F}).view({1, 2})));
  EXPECT_TRUE(at::equal(outputs[1], at::tensor({30.F, 31.F, 10.F, 11.F}).view({2, 2})));
}

TEST_P(ForeignRuntime, SaysItsVersion) {
  EXPECT_THAT((*Load(kFile))->Runtime(), ::testing::ContainsRegex("^[A-Z][A-Za-z ]+ [0-9.]+$"));
}

TEST_P(ForeignRuntime, RefusesWhatIsNoWholeFile) {
  const absl::StatusOr<std::string> whole = tensor_files::ReadFile(kFile, 1 << 20);
  ASSERT_TRUE(whole.ok()) << whole.status();
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/bad.onnx");
  for (const std::string& bytes :
       {std::string(), std::string("weights"), whole->substr(0, whole->size() / 2)}) {
    std::ofstream(path, std::ios::binary) << bytes;
    const absl::Status status = Load(path).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << bytes.size() << " bytes: " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(path));
  }
}

TEST_P(ForeignRuntime, RefusesInputsOfOtherTypesByName) {
  EXPECT_THAT(std::string(Load("benchmarks/backends/testdata/string.onnx").status().message()),
              HasSubstr("s holds text, which cannot be given"));
  EXPECT_TRUE(absl::IsInvalidArgument(Load("benchmarks/backends/testdata/sequence.onnx").status()));
}

TEST_P(ForeignRuntime, LeavesARankOpenThatTheFileLeavesOpen) {
  const auto module = Load("benchmarks/backends/testdata/norank.onnx");
  if (GetParam() == std::string("openvino")) {
    EXPECT_THAT(std::string(module.status().message()),
                HasSubstr("dynamic rank. Operation name: x"));
    return;
  }
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(FormsText((*module)->Inputs()), "float32[...]");
  EXPECT_EQ((*module)->Call({at::ones({2, 3})})[0].sizes(), (std::vector<int64_t>{2, 3}));
}

// The build lacks something, not the file: exit code 2, not 3.
TEST_P(ForeignRuntime, NamesALibraryThatCannotBeOpened) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own, which reads the variable
  const std::string folder = tensor_files::TestFolder();
  setenv("LD_LIBRARY_PATH", folder.c_str(), /*overwrite=*/1);
  const std::vector<std::string> libraries =
      GetParam() == std::string("openvino")
          ? std::vector<std::string>{"libopenvino_c.so", "libopenvino_intel_cpu_plugin.so",
                                     "libopenvino_onnx_frontend.so.2641"}
          : std::vector<std::string>{"libonnxruntime.so"};
  for (const std::string& library : libraries) {
    const std::string path = absl::StrCat(folder, "/", library);
    std::ofstream(path).close();  // an empty file, which the loader finds first
    EXPECT_EXIT((std::cerr << Load(kFile).status(), std::_Exit(0)), ::testing::ExitedWithCode(0),
                absl::StrCat("UNAVAILABLE: .*", library));
    std::filesystem::remove(path);
  }
  unsetenv("LD_LIBRARY_PATH");
}

INSTANTIATE_TEST_SUITE_P(OfOnnx, ForeignRuntime, ::testing::Values("onnxruntime", "openvino"));

}  // namespace
}  // namespace assay::backends
