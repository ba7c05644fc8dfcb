#include "benchmarks/operators/kernel/candidate.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include "benchmarks/operators/kernel/test_kernels.h"

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;

execution::BoundOperator Add(double alpha) {
  return *execution::BindOperator(
      "aten::add.Tensor",
      {.positional = {at::ones({2}), at::zeros({2})}, .named = {{"alpha", alpha}}});
}

TORCH_LIBRARY(candidate_test, library) {
  library.def("no_kernel(Tensor x) -> Tensor");
  library.def("on_cuda(Tensor x) -> Tensor");
  library.impl("on_cuda", c10::DispatchKey::CUDA, [](const at::Tensor& x) { return x.clone(); });
}

TEST(CandidateTest, AnOperatorNeedsAKernelForTheCpu) {
  EXPECT_TRUE(HasCpuKernel("kernel_test::right").ok());
  const absl::Status none = HasCpuKernel("candidate_test::no_kernel");
  EXPECT_TRUE(absl::IsInvalidArgument(none)) << none;
  EXPECT_THAT(none.message(), HasSubstr("has no kernel; register one"));
  const absl::Status cuda = HasCpuKernel("candidate_test::on_cuda");
  EXPECT_TRUE(absl::IsFailedPrecondition(cuda)) << cuda;
  EXPECT_THAT(cuda.message(), HasSubstr("a kernel for CUDA alone"));
}

TEST(CandidateTest, ArgumentsGoByTheirNames) {
  const absl::StatusOr<execution::BoundOperator> bound = BindLike("kernel_test::two", Add(3));
  ASSERT_TRUE(bound.ok()) << bound.status();
  EXPECT_EQ(bound->arguments[0].toTensor().sum().item<float>(), 2);
  EXPECT_EQ(bound->arguments[1].toTensor().sum().item<float>(), 0);
  EXPECT_EQ(bound->arguments[2].toScalar().toDouble(), 3);
}

TEST(CandidateTest, AnArgumentThatItLacksMustHaveItsDefault) {
  const absl::Status lacks = BindLike("kernel_test::right", Add(1)).status();
  EXPECT_THAT(lacks.message(), HasSubstr("it has no argument for 'other'"));
  EXPECT_THAT(lacks.message(), HasSubstr("like       aten::add.Tensor"));
  const auto softmax =
      *execution::BindOperator("aten::softmax.int", {.positional = {at::ones({2}), 0}});
  EXPECT_THAT(BindLike("kernel_test::right", softmax).status().message(),
              HasSubstr("it has no argument for 'dim'"));
}

TEST(CandidateTest, AnArgumentThatLikeLacksIsNamed) {
  const auto relu = *execution::BindOperator("aten::relu", {.positional = {at::ones({2})}});
  EXPECT_THAT(BindLike("kernel_test::needs_more", relu).status().message(),
              HasSubstr("it needs an argument 'mode' of type str"));
  EXPECT_TRUE(BindLike("kernel_test::right", relu).ok());
  EXPECT_FALSE(BindLike("kernel_test::nothing", relu).ok());
}

TEST(CandidateTest, ALibraryThatDoesNotLoadIsTheSurroundings) {
  const absl::Status status = LoadCandidate("no/such/library.so", "").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(status.message(), HasSubstr("cannot be loaded: "));
}

}  // namespace
}  // namespace assay::kernel
