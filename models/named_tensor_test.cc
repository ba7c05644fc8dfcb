#include "models/named_tensor.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

NamedTensor LookedUp(std::string name, const at::Tensor& tensor) {
  return {.name = std::move(name), .tensor = tensor, .sparse_access = true};
}

TEST(NamedTensorTest, IntegersAreNotFilled) {
  EXPECT_TRUE((NamedTensor{"w", at::zeros({2}, at::kHalf)}.NeedsFilling()));
  EXPECT_FALSE((NamedTensor{"steps", at::zeros({2}, at::kLong)}.NeedsFilling()));
}

TEST(BytesReadAtLeast, IsTheSumOverTensorsOfAllKinds) {
  EXPECT_EQ(BytesReadAtLeast({}), 0);
  EXPECT_EQ(BytesReadAtLeast({{"w", at::zeros({3, 5})},
                              {"half", at::zeros({7}, at::kHalf)},
                              {"steps", at::zeros({}, at::kLong)}}),
            4 * 15 + 2 * 7 + 8);
}

TEST(BytesReadAtLeast, LeavesTablesOut) {
  const at::Tensor table = at::zeros({1000, 4});
  EXPECT_EQ(BytesReadAtLeast({LookedUp("words", table), {"w", at::zeros({4})}}), 16);
}

TEST(BytesReadAtLeast, CountsATableThatIsReadWholeUnderAnotherName) {
  const at::Tensor table = at::zeros({1000, 4});
  EXPECT_EQ(BytesReadAtLeast({LookedUp("words", table), {"head", table}}), 16000);
  EXPECT_EQ(BytesReadAtLeast({{"head", table}, LookedUp("words", table)}), 16000);
  EXPECT_EQ(BytesReadAtLeast({LookedUp("words", table), LookedUp("more", table)}), 0);
}

TEST(BytesReadAtLeast, CountsEachMemoryOnce) {
  const at::Tensor weight = at::zeros({8, 4});
  EXPECT_EQ(BytesReadAtLeast({{"a", weight}, {"b", weight}, {"c", weight.view({4, 8})}}), 128);
  EXPECT_EQ(BytesReadAtLeast({{"top", weight.narrow(0, 0, 4)}, {"bottom", weight.narrow(0, 4, 4)}}),
            128);
  EXPECT_EQ(BytesReadAtLeast({{"whole", weight}, {"part", weight.narrow(0, 0, 2)}}), 128);
}

TEST(BytesReadAtLeast, TellsTensorsWithoutMemoryApart) {
  const auto meta = at::device(at::kMeta).dtype(at::kFloat);
  EXPECT_EQ(BytesReadAtLeast({{"a", at::empty({4}, meta)}, {"b", at::empty({4}, meta)}}), 32);
}

}  // namespace
}  // namespace assay::models
