#include "benchmarks/harness/base/own_program.h"

#include <cstdlib>
#include <filesystem>

#include "gtest/gtest.h"

namespace assay::base {
namespace {

constexpr char kLabel[] = "//benchmarks/mlp:mlp_fp32_b1";

TEST(OwnProgram, InTheTreeItIsTheExecutableAndBazelStartsIt) {
  unsetenv("ASSAY_PROGRAM");
  EXPECT_TRUE(std::filesystem::equivalent(OwnProgram(), "/proc/self/exe"));
  EXPECT_EQ(RunCommand(kLabel), "tools/bazel run //benchmarks/mlp:mlp_fp32_b1 --");
  EXPECT_EQ(TestCommand(kLabel), "tools/bazel test //benchmarks/mlp:mlp_fp32_b1");
}

TEST(OwnProgram, InAPackageItIsTheLaunchersLink) {
  setenv("ASSAY_PROGRAM", "/opt/assay/bin/runner", 1);
  EXPECT_EQ(OwnProgram(), "/opt/assay/bin/runner");
  EXPECT_EQ(RunCommand(kLabel), "/opt/assay/assay run //benchmarks/mlp:mlp_fp32_b1");
  EXPECT_EQ(TestCommand(kLabel), "/opt/assay/assay test //benchmarks/mlp:mlp_fp32_b1");
  setenv("ASSAY_PROGRAM", "/opt/assay/bin/model", 1);
  EXPECT_EQ(RunCommand("//tools:run_model"), "/opt/assay/assay model");
  unsetenv("ASSAY_PROGRAM");
}

}  // namespace
}  // namespace assay::base
