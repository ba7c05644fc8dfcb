// The refusals; what the program computes is //tools/artifacts/weights' test.
#include "benchmarks/harness/runner/given/python_reference.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

std::string RefusalOf(const ResolvedCase& c) {
  const absl::Status status = ReferenceByPython(c, "weights").status();
  EXPECT_TRUE(IsUsageError(status)) << status;
  return std::string(status.message());
}

TEST(PythonReference, ACaseWithoutAnImplementationInPythonIsRefused) {
  EXPECT_THAT(RefusalOf(SmallMlpCase()), HasSubstr("has no implementation in Python"));
}

TEST(PythonReference, OutsideOfAWorkspaceTheCommandIsNamed) {
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
  ResolvedCase c = SmallMlpCase();
  c.mutable_implementation()->set_reference_script("models/mlp/reference.py");
  EXPECT_THAT(RefusalOf(c), HasSubstr("tools/bazel run //x:mlp_fp32_b2 -- --verify-with=python"));
}

// A workspace whose tools/bazel "builds" a program that ends with this code.
void UseWorkspace(const std::string& folder, int code) {
  std::filesystem::create_directory(folder + "/tools");
  const std::string bazel = folder + "/tools/bazel";
  ASSERT_TRUE(tensor_files::WriteFileAtomically(
                  bazel, absl::StrCat("#!/bin/sh\nscript=${2#*=}\nprintf '#!/bin/sh\\nexit ", code,
                                      "\\n' >$script && chmod +x $script\n"))
                  .ok());
  std::filesystem::permissions(bazel, std::filesystem::perms::owner_all);
  setenv("BUILD_WORKSPACE_DIRECTORY", folder.c_str(), /*overwrite=*/1);
}

TEST(PythonReference, WeightsThatAreNotThereAreRefusedBeforeAnythingIsBuilt) {
  UseWorkspace(tensor_files::TestFolder(), 0);
  ResolvedCase c = SmallMlpCase();
  c.mutable_implementation()->set_reference_script("models/mlp/reference.py");
  EXPECT_THAT(RefusalOf(c), HasSubstr("weights: "));
}

TEST(PythonReference, AProgramThatTheUserEndsIsInterrupted) {
  const std::string folder = tensor_files::TestFolder();
  ResolvedCase c = SmallMlpCase();
  c.mutable_implementation()->set_reference_script("models/mlp/reference.py");
  const std::string weights = folder + "/model.safetensors";
  constexpr std::string_view kNone("\2\0\0\0\0\0\0\0{}", 10);  // a file of no tensors
  ASSERT_TRUE(tensor_files::WriteFileAtomically(weights, kNone).ok());
  for (const auto& [code, outcome] : {std::pair{130, INTERRUPTED}, {1, ARTIFACT_UNAVAILABLE}}) {
    UseWorkspace(folder, code);
    const absl::Status status = ReferenceByPython(c, weights).status();
    EXPECT_EQ(OutcomeOf(status), outcome) << code << status;
  }
}

}  // namespace
}  // namespace assay::runner
