#include "benchmarks/harness/base/torch_status.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

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

// A kernel's own fault is the product's; a device that fails is not. The CUDA runtime's own texts.
TEST(TorchStatusTest, ADeviceThatIsLostIsUnavailableAndAKernelsFaultIsInternal) {
  const auto code = [](int number, const char* text) {
    return CatchTorch("measuring",
                      [&] {
                        throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, number, text);
                      })
        .code();
  };
  for (const auto& [number, text] : std::vector<std::pair<int, const char*>>{
           {700, "CUDA error: an illegal memory access was encountered"},
           {710, "CUDA error: device-side assert triggered"},
           {714, "CUDA error: hardware stack error"},
           {715, "CUDA error: an illegal instruction was encountered"},
           {716, "CUDA error: misaligned address"},
           {717, "CUDA error: operation not supported on global/shared address space"},
           {718, "CUDA error: invalid program counter"},
           {719, "CUDA error: unspecified launch failure"},
           {9, "CUDA error: invalid configuration argument"}}) {
    EXPECT_EQ(code(number, text), absl::StatusCode::kInternal) << text;
  }
  for (const auto& [number, text] : std::vector<std::pair<int, const char*>>{
           {46, "CUDA error: CUDA-capable device(s) is/are busy or unavailable"},
           {214, "CUDA error: uncorrectable ECC error encountered"},
           {999, "CUDA error: unknown error"}}) {
    EXPECT_EQ(code(number, text), absl::StatusCode::kUnavailable) << text;
  }
  EXPECT_EQ(code(2, "CUDA error: out of memory"), absl::StatusCode::kResourceExhausted);
}

TEST(TorchStatusTest, BadAllocIsResourceExhausted) {
  const absl::Status status = CatchTorch("copying", [] { throw std::bad_alloc(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace assay::base
