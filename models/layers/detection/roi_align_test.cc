#include "models/layers/detection/roi_align.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
std::vector<T> AlignedNumbers(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous().flatten();
  return {flat.const_data_ptr<T>(), flat.const_data_ptr<T>() + flat.numel()};
}

std::string AlignmentRefusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "no error";
}

at::Tensor FeaturesToAlign(int64_t channels = 2) {
  return at::arange(40 * channels, at::kDouble).view({2, channels, 4, 5}).remainder(7);
}
// Inside, over two edges, without area, outside.
at::Tensor RegionsToAlign() {
  return at::tensor(
             {0., 0., 0., 4., 3., 1., -1., 1., 6., 2.5, 1., 2., 2., 2., 2., 0., -9., -9., -5., -5.})
      .view({4, 5});
}

// torchvision.ops.roi_align of torchvision 0.26 gives this.
TEST(RoiAlignTest, AlignsAsTorchvisionDoes) {
  const auto aligned = [](int64_t ratio, bool by_half_a_pixel) {
    return AlignedNumbers<double>(RoiAlign(FeaturesToAlign(), RegionsToAlign(), 0.5,
                                           /*pooled_height=*/2, 1, ratio, by_half_a_pixel));
  };
  EXPECT_THAT(aligned(-1, false), ElementsAre(2.21875, 4.21875, 2.96875, 4.75, 4.02734375, 3.765625,
                                              3.51953125, 2.765625, 4, 3, 3, 2, 0, 0, 0, 0));
  EXPECT_THAT(aligned(2, false), ElementsAre(2.21875, 4.109375, 2.96875, 4.5859375, 3.875, 3.75,
                                             3.640625, 2.75, 4, 3, 3, 2, 0, 0, 0, 0));
  EXPECT_THAT(aligned(-1, true), ElementsAre(0.5, 3.625, 3, 3.9375, 3.8271484375, 3.8564453125,
                                             4.4267578125, 3.7177734375, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(aligned(2, true),
              ElementsAre(0.65625, 3.625, 3.046875, 3.9375, 3.66015625, 3.73046875, 4.4375, 3.6875,
                          4.5, 4.5, 3.5, 3.5, 0, 0, 0, 0));
}

TEST(RoiAlignTest, IsOfFloatsToo) {
  const at::Tensor wide = RoiAlign(FeaturesToAlign(), RegionsToAlign(), 0.5, 3, 2, 2, true);
  const at::Tensor narrow = RoiAlign(FeaturesToAlign().to(at::kFloat),
                                     RegionsToAlign().to(at::kFloat), 0.5, 3, 2, 2, true);
  EXPECT_EQ(narrow.scalar_type(), at::kFloat);
  EXPECT_TRUE(narrow.to(at::kDouble).allclose(wide, 1e-6, 1e-6));
}

TEST(RoiAlignTest, IsOfNoRegions) {
  EXPECT_EQ(
      RoiAlign(FeaturesToAlign(), RegionsToAlign().narrow(0, 0, 0), 0.5, 3, 2, 2, true).sizes(),
      at::IntArrayRef({0, 2, 3, 2}));
}

TEST(RoiAlignTest, RefusesWhatDoesNotFit) {
  const auto refusal = [](const at::Tensor& features, const at::Tensor& regions,
                          int64_t width = 2) {
    return AlignmentRefusal([&] { RoiAlign(features, regions, 0.5, 2, width, 2, true); });
  };
  EXPECT_THAT(refusal(FeaturesToAlign(), RegionsToAlign().narrow(1, 0, 4)),
              HasSubstr("it must be (K, 5)"));
  EXPECT_THAT(refusal(FeaturesToAlign().narrow(0, 0, 1), RegionsToAlign()),
              HasSubstr("rois name the images 0 to 1 of 1"));
  EXPECT_THAT(refusal(FeaturesToAlign(), RegionsToAlign().sub(1)),
              HasSubstr("rois name the images -1 to 0 of"));
  EXPECT_THAT(refusal(FeaturesToAlign().to(at::kFloat), RegionsToAlign()),
              HasSubstr("it must be Double"));
  EXPECT_THAT(refusal(FeaturesToAlign(), RegionsToAlign(), 0),
              HasSubstr("2 x 0; each must be at least 1"));
  EXPECT_THAT(
      refusal(FeaturesToAlign(), RegionsToAlign().masked_fill(RegionsToAlign().eq(-9), INFINITY)),
      HasSubstr("a roi is NaN or infinite"));
}

// The borders of this box fit no int, in which torchvision keeps them.
TEST(RoiAlignTest, TakesBoxesOfAnySize) {
  const at::Tensor huge = at::tensor({0., -1e30, -1e30, 1e30, 1e30}).view({1, 5}).to(at::kDouble);
  // The number of samples follows from the size, unless it is given.
  EXPECT_THROW(RoiAlign(FeaturesToAlign(), huge, 1, 1, 1, 0, false), c10::ValueError);
  EXPECT_EQ(RoiAlign(FeaturesToAlign(), huge, 1, 1, 1, 2, false).numel(),
            RoiAlign(FeaturesToAlign(), huge, 1, 1, 1, 1, false).numel());
}

// The result is linear in each pixel, so that the gradient is what a pixel of 1 alone gives.
TEST(RoiAlignTest, HasTheGradientOfItsFeatures) {
  for (const auto& [ratio, aligned] : {std::pair(-1, false), std::pair(2, true)}) {
    const auto align = [ratio = ratio, aligned = aligned](const at::Tensor& x) {
      return RoiAlign(x, RegionsToAlign(), 0.5, 2, 3, ratio, aligned);
    };
    const at::Tensor x = FeaturesToAlign().requires_grad_(true);
    const at::Tensor y = align(x);
    const at::Tensor weights = at::arange(y.numel(), at::kDouble).add_(1).view(y.sizes());
    (y * weights).sum().backward();
    at::Tensor want = at::zeros_like(x.detach());
    for (int64_t i = 0; i < x.numel(); ++i) {
      at::Tensor one = at::zeros_like(want);
      one.view(-1)[i] = 1;
      want.view(-1)[i] = (align(one) * weights).sum();
    }
    EXPECT_TRUE(x.grad().allclose(want, 1e-12, 1e-12));
    EXPECT_GT(want.ne(0).sum().item<int64_t>(), 20);
  }
}

TEST(RoiAlignTest, HasAGradientOfFloatsAndOfNoRegions) {
  for (const int64_t count : {4, 0}) {
    const at::Tensor x = FeaturesToAlign().to(at::kFloat).requires_grad_(true);
    RoiAlign(x, RegionsToAlign().to(at::kFloat).narrow(0, 0, count), 0.5, 2, 1, 2, true)
        .sum()
        .backward();
    EXPECT_EQ(x.grad().scalar_type(), at::kFloat);
    EXPECT_EQ(x.grad().abs().max().item<float>() > 0, count > 0);
  }
}

}  // namespace
}  // namespace assay::models
