#include "benchmarks/harness/base/torch_status.h"

#include <cstdint>
#include <limits>

#include "ATen/core/Tensor.h"
#include "ATen/ops/empty.h"
#include "gtest/gtest.h"

namespace assay::base {
namespace {

TEST(TorchStatusTest, SuccessIsOk) {
  EXPECT_TRUE(CatchTorch("adding", [] {}).ok());
}

TEST(TorchStatusTest, AnErrorKeepsItsWordsWithoutTheStack) {
  const absl::Status status =
      CatchTorch("adding a to b", [] { TORCH_CHECK(false, "shapes clash"); });
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(), "adding a to b: shapes clash");
}

TEST(TorchStatusTest, ATensorThatDoesNotFitIsResourceExhausted) {
  const absl::Status status =
      CatchTorch("allocating x", [] { at::empty({int64_t{1} << 58}, at::kByte); });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
}

TEST(TorchStatusTest, WhatDevicesAndTheirLibrariesSayOfMemoryIsResourceExhausted) {
  const auto code = [](const char* text) {
    return CatchTorch("measuring", [&] { TORCH_CHECK(false, text); }).code();
  };
  for (const char* text :
       {"CUDA error: out of memory\nCUDA kernel errors might be reported asynchronously",
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED"}) {
    EXPECT_EQ(code(text), absl::StatusCode::kResourceExhausted) << text;
  }
  EXPECT_EQ(code("CUDA error: an illegal memory access was encountered"),
            absl::StatusCode::kInternal);
  const absl::Status typed = CatchTorch(
      "measuring", [] { TORCH_CHECK_WITH(OutOfMemoryError, false, "tried to allocate 2 GiB"); });
  EXPECT_EQ(typed.code(), absl::StatusCode::kResourceExhausted);
}

TEST(TorchStatusTest, BadAllocIsResourceExhausted) {
  const absl::Status status = CatchTorch("copying", [] { throw std::bad_alloc(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace assay::base
