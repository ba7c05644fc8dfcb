// The refusals; what the program computes is //tools/artifacts/weights' test.
#include "benchmarks/harness/runner/given/python_reference.h"

#include <cstdlib>
#include <string>

#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
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

}  // namespace
}  // namespace assay::runner
