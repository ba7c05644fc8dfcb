#include "models/layers/vision/windows.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

constexpr WindowSizes kWindow = {2, 3, 2};

// (1, frames, rows, columns, 1), each number once.
at::Tensor Numbered(int64_t frames, int64_t rows, int64_t columns) {
  return at::arange(frames * rows * columns, at::kLong).view({1, frames, rows, columns, 1});
}

TEST(WindowsTest, HoldNeighboursRowByRow) {
  const at::Tensor windows = Windows(Numbered(4, 6, 4), kWindow);
  ASSERT_EQ(windows.sizes(), at::IntArrayRef({8, 12, 1}));
  const auto tokens = [&](int64_t window) {
    const int64_t* first = windows[window].const_data_ptr<int64_t>();
    return std::vector<int64_t>(first, first + 12);
  };
  EXPECT_EQ(tokens(0), (std::vector<int64_t>{0, 1, 4, 5, 8, 9, 24, 25, 28, 29, 32, 33}));
  EXPECT_EQ(tokens(1)[0], 2);   // beside it
  EXPECT_EQ(tokens(2)[0], 12);  // below
  EXPECT_EQ(tokens(4)[0], 48);  // later
}

TEST(WindowsTest, ComeBackAsTheyWere) {
  const at::Tensor x = Numbered(4, 9, 4).expand({2, 4, 9, 4, 5}).contiguous();
  EXPECT_TRUE(WithoutWindows(Windows(x, kWindow), kWindow, x).equal(x));
}

TEST(WindowsTest, ZerosFillTheLastOnes) {
  const at::Tensor x = Numbered(3, 4, 5) + 1;
  const at::Tensor padded = PaddedToMultiples(x, kWindow);
  ASSERT_EQ(padded.sizes(), at::IntArrayRef({1, 4, 6, 6, 1}));
  EXPECT_TRUE(padded.narrow(1, 0, 3).narrow(2, 0, 4).narrow(3, 0, 5).equal(x));
  EXPECT_EQ(padded.sum().item<int64_t>(), x.sum().item<int64_t>());
  const at::Tensor whole = Numbered(2, 3, 4);
  EXPECT_TRUE(PaddedToMultiples(whole, kWindow).is_same(whole));
}

}  // namespace
}  // namespace assay::models
