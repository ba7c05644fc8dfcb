#include "benchmarks/operators/kernel/isolated_call.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/linspace.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchmarks/operators/kernel/test_kernels.h"

namespace assay::kernel {
namespace {

CallEnd Called(const std::string& fault, const IsolatedOptions& options) {
  at::set_num_threads(1);
  const absl::StatusOr<execution::BoundOperator> bound = execution::BindOperator(
      fault, {.positional = {at::linspace(-1, 1, 6, at::kFloat).view({2, 3})}});
  EXPECT_TRUE(bound.ok()) << bound.status();
  return CallIsolated(*bound, options);
}

TEST(IsolatedCallTest, ResultsComeBack) {
  const CallEnd end = Called("kernel_test::right", {});
  ASSERT_EQ(end.kind, "");
  ASSERT_EQ(end.results.size(), 1);
  EXPECT_TRUE(end.results[0].equal(at::linspace(-1, 1, 6, at::kFloat).view({2, 3}).relu()));
  EXPECT_TRUE(end.results[0].equal(end.again[0]));
  EXPECT_TRUE(Called("kernel_test::right", {.twice = false}).again.empty());
}

TEST(IsolatedCallTest, AKernelThatIgnoresTheAlarmIsEnded) {
  const CallEnd end = Called("kernel_test::hangs", {.timeout = absl::Milliseconds(1)});
  EXPECT_EQ(end.kind, "hung");
  EXPECT_EQ(end.text, "no result after 1ms");
}

TEST(IsolatedCallTest, ACopyRemembersNothing) {
  for (int i = 0; i < 2; ++i) {
    const CallEnd end = Called("cheats::previous_output", {.twice = false});
    ASSERT_EQ(end.kind, "");
    EXPECT_TRUE(end.results[0].equal(at::linspace(-1, 1, 6, at::kFloat).view({2, 3}).relu()));
  }
}

}  // namespace
}  // namespace assay::kernel
