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

TEST(TorchStatusTest, BadAllocIsResourceExhausted) {
  const absl::Status status = CatchTorch("copying", [] { throw std::bad_alloc(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace assay::base
