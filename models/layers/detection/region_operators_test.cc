#include "models/layers/detection/region_operators.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::models {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
std::vector<T> NumbersOf(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous().flatten();
  return {flat.const_data_ptr<T>(), flat.const_data_ptr<T>() + flat.numel()};
}

std::string RefusalOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "no error";
}

at::Tensor Features(int64_t channels = 2) {
  return at::arange(40 * channels, at::kDouble).view({2, channels, 4, 5}).remainder(7);
}
// Inside, over two edges, without area, outside.
at::Tensor Regions() {
  return at::tensor(
             {0., 0., 0., 4., 3., 1., -1., 1., 6., 2.5, 1., 2., 2., 2., 2., 0., -9., -9., -5., -5.})
      .view({4, 5});
}

// torchvision.ops of torchvision 0.26 gives the values and sources below.
struct Pooled {
  std::vector<float> values;
  std::vector<int32_t> sources;

  explicit Pooled(const std::tuple<at::Tensor, at::Tensor>& results)
      : values(NumbersOf<float>(std::get<0>(results).to(at::kFloat))),
        sources(NumbersOf<int32_t>(std::get<1>(results))) {}
};

TEST(RoiPoolTest, TakesTheGreatestPixelAsTorchvisionDoes) {
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
    const Pooled pooled(RoiPool(Features().to(dtype), Regions().to(dtype), 0.5, 2, 2));
    EXPECT_THAT(pooled.values, ElementsAre(6, 6, 6, 6, 6, 6, 5, 6, 4, 6, 4, 6, 3, 5, 3, 5, 4, 4, 4,
                                           4, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT_THAT(pooled.sources, ElementsAre(6, 6, 6, 6, 0, 7, 6, 7, 6, 8, 6, 8, 6, 8, 6, 8, 6, 6, 6,
                                            6, 6, 6, 6, 6, -1, -1, -1, -1, -1, -1, -1, -1));
  }
}

TEST(PsRoiPoolTest, TakesMeansAsTorchvisionDoes) {
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
    const at::Tensor x = Features(4).to(dtype), regions = Regions().to(dtype);
    const Pooled square(PsRoiPool(x, regions, 0.5, 2, 2));
    EXPECT_THAT(square.values, ElementsAre(0, 0, 3, 3, 1, 1.5, 6, 3, 2, 1, 0, 6, 0, 0, 0, 0));
    EXPECT_THAT(square.sources, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
    // Over the last row and column, which are left out.
    const Pooled tall(PsRoiPool(x, regions, 1, 2, 1));
    EXPECT_THAT(tall.values,
                ElementsAre(2.25, 3.625, 3.75, 2.5, 2.5, 3, 2.25, 4.5, 1, 0, 6, 5, 0, 0, 0, 0));
  }
}

TEST(PsRoiAlignTest, TakesSamplesAsTorchvisionDoes) {
  const at::Tensor x = Features(4);
  const Pooled two(PsRoiAlign(x, Regions(), 0.5, 2, 2, 2));
  EXPECT_THAT(two.values, ElementsAre(0.28125, 1.00390625, 3.875, 3.75, 2.78125, 3.25, 3.353515625,
                                      2.099609375, 2.5, 1.5, 2.25, 3, 0, 0, 0, 0));
  EXPECT_THAT(two.sources, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
  const Pooled narrow(
      PsRoiAlign(x.to(at::kFloat), Regions().to(at::kFloat), 0.5, 2, 2, /*sampling_ratio=*/2));
  EXPECT_EQ(narrow.values, two.values);
  // As many samples as pixels: a region without area has none.
  const std::vector<float> all = Pooled(PsRoiAlign(x, Regions(), 0.5, 2, 2, -1)).values;
  EXPECT_THAT(std::vector<float>(all.begin(), all.begin() + 8),
              ElementsAre(0, 0, 3.75, 3.75, 2.78125, 3.25, 3.353515625, 2.099609375));
  EXPECT_THAT(std::vector<float>(all.begin() + 8, all.begin() + 12), Each(testing::IsNan()));
}

// A pixel outside of the image is 0 whatever the image holds.
TEST(PsRoiAlignTest, ReadsNothingOutsideOfTheImage) {
  at::Tensor x = Features(4);
  x.fill_(NAN);
  EXPECT_THAT(Pooled(PsRoiAlign(x, Regions().narrow(0, 3, 1), 0.5, 2, 2, 2)).values, Each(0));
}

TEST(RegionOperatorsTest, AreOfNoRegions) {
  const at::Tensor none = Regions().narrow(0, 0, 0);
  for (const auto& [values, sources] :
       {RoiPool(Features(4), none, 0.5, 2, 2), PsRoiPool(Features(16), none, 0.5, 2, 2),
        PsRoiAlign(Features(16), none, 0.5, 2, 2, -1)}) {
    EXPECT_EQ(values.sizes(), at::IntArrayRef({0, 4, 2, 2}));
    EXPECT_EQ(sources.sizes(), values.sizes());
    EXPECT_EQ(sources.scalar_type(), at::kInt);
  }
}

TEST(RegionOperatorsTest, RefuseWhatDoesNotFit) {
  EXPECT_THAT(RefusalOf([] { PsRoiPool(Features(), Regions(), 0.5, 2, 2); }),
              HasSubstr("ps_roi_pool: the input has 2 channels; a result of 2 x 2 needs a multiple "
                        "of 4"));
  EXPECT_THAT(RefusalOf([] { RoiPool(Features().narrow(0, 0, 1), Regions(), 0.5, 2, 2); }),
              HasSubstr("roi_pool: rois name the images 0 to 1 of 1"));
  EXPECT_THAT(RefusalOf([] { PsRoiAlign(Features(4), Regions().mul(INFINITY), 0.5, 2, 2, 2); }),
              HasSubstr("ps_roi_align: rois name the images"));
  EXPECT_THAT(
      RefusalOf([] { RoiPool(Features().to(at::kHalf), Regions().to(at::kHalf), 1, 2, 2); }),
      HasSubstr("this kernel is for float32 and float64"));
}

// The borders of this box fit no int, in which torchvision keeps them.
TEST(RegionOperatorsTest, TakeBoxesOfAnySize) {
  const at::Tensor huge = at::tensor({0., -1e30, -1e30, 1e30, 1e30}).view({1, 5}).to(at::kDouble);
  EXPECT_THAT(Pooled(RoiPool(Features(), huge, 1, 1, 1)).values, Each(6));
}

}  // namespace
}  // namespace assay::models
