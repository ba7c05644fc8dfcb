#include "benchmarks/operators/kernel/tvm_ffi_candidate.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/operators/kernel/candidate.h"

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;

TvmFfiLibrary Library() {
  return {.path = "benchmarks/operators/kernel/libtvm_ffi_test.so",
          .runtime = "../tvm_ffi/lib/libtvm_ffi.so",
          .functions = {"relu", "types", "refuses", "two"}};
}

execution::BoundOperator Like(const char* name, const execution::OperatorArguments& arguments) {
  return *execution::BindOperator(name, arguments);
}

// A call of `function` with the arguments of `like`. The function of one operator in each test: a name is
// registered once.
absl::StatusOr<std::vector<at::Tensor>> Results(const std::string& function,
                                                const execution::BoundOperator& like) {
  const absl::StatusOr<std::string> name = LoadTvmFfiCandidate(Library(), function, like);
  if (!name.ok()) return name.status();
  const absl::StatusOr<execution::BoundOperator> bound = BindLike(*name, like);
  if (!bound.ok()) return bound.status();
  c10::Stack stack = bound->arguments;
  const absl::Status called = base::CatchTorch("call", [&] { bound->handle.callBoxed(stack); });
  if (!called.ok()) return called;
  return execution::TensorsOf(stack);
}

at::Tensor Matrix() { return at::arange(-3, 3, at::kFloat).view({2, 3}); }

TEST(TvmFfiCandidateTest, StridedInputsGoAsTheyAreAndEverySizeHasItsOwnOutput) {
  const auto like = Like("aten::relu", {.positional = {Matrix()}});
  const auto first = Results("relu", like);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_TRUE(at::equal(first->at(0), at::relu(Matrix())));
  for (const at::Tensor& x : {Matrix().t(), Matrix().narrow(1, 1, 2), Matrix()}) {
    c10::Stack stack = {x};
    BindLike("tvm_ffi_candidate::relu", like)->handle.callBoxed(stack);
    EXPECT_TRUE(at::equal(stack[0].toTensor(), at::relu(x))) << x.sizes();
    EXPECT_TRUE(stack[0].toTensor().is_contiguous());
  }
}

TEST(TvmFfiCandidateTest, EveryArgumentHasItsTypeAndDefaultsAtTheEndAreLeftOut) {
  // layer_norm(input, normalized_shape, weight, bias=None, eps=1e-05, cudnn_enable=True)
  const auto results = Results(
      "types", Like("aten::layer_norm", {.positional = {at::zeros({1, 8}), std::vector<int64_t>{8},
                                                        at::zeros({8}), c10::IValue(), 0.5}}));
  ASSERT_TRUE(results.ok()) << results.status();
  // Tensor, array, tensor, None, float; then the output.
  EXPECT_EQ(results->at(0).sizes(), at::IntArrayRef({1, 8}));
  const std::vector<float> types = {7, 71, 7, 0, 3, 7, 6, 6};
  for (size_t i = 0; i < types.size(); ++i)
    EXPECT_EQ(results->at(0)[0][static_cast<int64_t>(i)].item<float>(), types[i]) << i;
}

TEST(TvmFfiCandidateTest, TheErrorThatItRaisesIsThrown) {
  const auto status = Results("refuses", Like("aten::relu", {.positional = {Matrix()}})).status();
  EXPECT_EQ(status.message(), "call: ValueError: no kernel for this");
}

TEST(TvmFfiCandidateTest, OutputsHaveTheDtypesOfTheOtherOperator) {
  const auto results = Results("two", Like("aten::max.dim", {.positional = {Matrix(), 1}}));
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->at(0)[0].item<float>(), 5);
  EXPECT_EQ(results->at(1)[0].item<int64_t>(), 1);
}

TEST(TvmFfiCandidateTest, WhatCannotBeACandidateIsSaid) {
  const auto relu = Like("aten::relu", {.positional = {Matrix()}});
  EXPECT_EQ(LoadTvmFfiCandidate(Library(), "", relu).status(),
            absl::InvalidArgumentError(
                "exports 4 TVM-FFI functions; choose with --op: relu, types, refuses, two"));
  EXPECT_EQ(
      LoadTvmFfiCandidate(Library(), "gelu", relu).status(),
      absl::InvalidArgumentError("exports no TVM-FFI function 'gelu'; it exports relu, types, "
                                 "refuses, two"));
  TvmFfiLibrary missing = Library();
  missing.path = "missing.so";
  const absl::Status not_there = LoadTvmFfiCandidate(missing, "relu", relu).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(not_there));
  EXPECT_THAT(not_there.message(), HasSubstr("cannot be loaded: "));
  const auto refusal = [](const char* like, const c10::IValue& value) {
    const absl::Status status =
        LoadTvmFfiCandidate(Library(), "relu", Like(like, {.positional = {value}})).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(refusal("aten::nonzero", Matrix()), HasSubstr("before the inputs' values are"));
  EXPECT_THAT(refusal("aten::cat", c10::List<at::Tensor>({Matrix()})),
              HasSubstr("a list of tensors is not passed here"));
  EXPECT_THAT(refusal("aten::unbind.int", Matrix()), HasSubstr("it returns other than tensors"));
}

}  // namespace
}  // namespace assay::kernel
