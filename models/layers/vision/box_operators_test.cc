#include "models/layers/vision/box_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

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
std::vector<T> ValuesOf(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous().flatten();
  return {flat.const_data_ptr<T>(), flat.const_data_ptr<T>() + flat.numel()};
}

std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "no error";
}

// Rows 0 and 3 are equal, 4 and 5 have no area.
at::Tensor Boxes() {
  return at::tensor({0.,  0.,  10., 10., 1., 1., 11., 11., 20., 20., 30., 30., 0.,  0.,
                     10., 10., 5.,  5.,  5., 5., 5.,  5.,  5.,  5.,  21., 20., 31., 30.})
      .view({7, 4});
}
at::Tensor Scores() { return at::tensor({.9, .8, .7, .9, .95, .5, .75}); }

// torchvision.ops.nms of torchvision 0.26 gives this, in either dtype.
TEST(NmsTest, KeepsWhatTorchvisionKeeps) {
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
    const auto kept = [&](double threshold) {
      return ValuesOf<int64_t>(Nms(Boxes().to(dtype), Scores().to(dtype), threshold));
    };
    EXPECT_THAT(kept(0.3), ElementsAre(4, 0, 6, 5));
    EXPECT_THAT(kept(0.5), ElementsAre(4, 0, 6, 5));
    EXPECT_THAT(kept(0.7), ElementsAre(4, 0, 1, 6, 5));
  }
}

TEST(NmsTest, BoxesOfDifferentLabelsDoNotMeet) {
  const at::Tensor labels = at::tensor({0, 1, 0, 2, 0, 0, 0}, at::kLong);
  EXPECT_THAT(ValuesOf<int64_t>(NmsByLabel(Boxes(), Scores(), labels, 0.5)),
              ElementsAre(4, 0, 3, 1, 6, 5));
}

TEST(NmsTest, IsOfNoBoxes) {
  EXPECT_EQ(Nms(at::empty({0, 4}), at::empty({0}), 0.5).sizes(), at::IntArrayRef({0}));
}

TEST(NmsTest, RefusesWhatDoesNotFit) {
  EXPECT_THAT(ErrorOf([] {
                Nms(Boxes().view({4, 7}), Scores(), 0.5);
              }),
              HasSubstr("nms: boxes is [4, 7]; it must be (K, 4)"));
  EXPECT_THAT(ErrorOf([] { Nms(Boxes(), Scores().narrow(0, 0, 3), 0.5); }),
              HasSubstr("must be one for each of 7 boxes"));
  EXPECT_THAT(ErrorOf([] { Nms(Boxes().to(at::kBFloat16), Scores(), 0.5); }),
              HasSubstr("must be float32 or float64"));
  EXPECT_THAT(ErrorOf([] { NmsByLabel(Boxes(), Scores(), Scores(), 0.5); }),
              HasSubstr("labels are Double [7]; they must be int64"));
}

at::Tensor Features() { return at::arange(80, at::kDouble).view({2, 2, 4, 5}).remainder(7); }
// Inside, over two edges, without area, outside.
at::Tensor Regions() {
  return at::tensor(
             {0., 0., 0., 4., 3., 1., -1., 1., 6., 2.5, 1., 2., 2., 2., 2., 0., -9., -9., -5., -5.})
      .view({4, 5});
}

// torchvision.ops.roi_align of torchvision 0.26 gives this.
TEST(RoiAlignTest, AlignsAsTorchvisionDoes) {
  const auto aligned = [](int64_t ratio, bool by_half_a_pixel) {
    return ValuesOf<double>(
        RoiAlign(Features(), Regions(), 0.5, /*pooled_height=*/2, 1, ratio, by_half_a_pixel));
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
  const at::Tensor wide = RoiAlign(Features(), Regions(), 0.5, 3, 2, 2, true);
  const at::Tensor narrow =
      RoiAlign(Features().to(at::kFloat), Regions().to(at::kFloat), 0.5, 3, 2, 2, true);
  EXPECT_EQ(narrow.scalar_type(), at::kFloat);
  EXPECT_TRUE(narrow.to(at::kDouble).allclose(wide, 1e-6, 1e-6));
}

TEST(RoiAlignTest, IsOfNoRegions) {
  EXPECT_EQ(RoiAlign(Features(), Regions().narrow(0, 0, 0), 0.5, 3, 2, 2, true).sizes(),
            at::IntArrayRef({0, 2, 3, 2}));
}

TEST(RoiAlignTest, RefusesWhatDoesNotFit) {
  const auto refusal = [](const at::Tensor& features, const at::Tensor& regions,
                          int64_t width = 2) {
    return ErrorOf([&] { RoiAlign(features, regions, 0.5, 2, width, 2, true); });
  };
  EXPECT_THAT(refusal(Features(), Regions().narrow(1, 0, 4)), HasSubstr("it must be (K, 5)"));
  EXPECT_THAT(refusal(Features().narrow(0, 0, 1), Regions()),
              HasSubstr("rois name the images 0 to 1 of 1"));
  EXPECT_THAT(refusal(Features(), Regions().sub(1)), HasSubstr("rois name the images -1 to 0 of"));
  EXPECT_THAT(refusal(Features().to(at::kFloat), Regions()), HasSubstr("it must be Double"));
  EXPECT_THAT(refusal(Features(), Regions(), 0), HasSubstr("2 x 0; each must be at least 1"));
  EXPECT_THAT(refusal(Features(), Regions().masked_fill(Regions().eq(-9), INFINITY)),
              HasSubstr("a roi is NaN or infinite"));
}

at::Tensor ForeignNms(const at::Tensor& boxes, const at::Tensor&, double) {
  return at::zeros({boxes.size(0)}, at::kLong);
}

TEST(RegisterTorchvisionOperatorsTest, LeavesAloneWhatIsThere) {
  torch::Library other(torch::Library::FRAGMENT, "torchvision", std::nullopt, __FILE__, __LINE__);
  other.def("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor");
  other.impl("nms", torch::dispatch(c10::DispatchKey::CPU, TORCH_FN(ForeignNms)));
  EXPECT_THAT(RegisterTorchvisionOperators(), ElementsAre("torchvision::nms"));
  EXPECT_THAT(RegisterTorchvisionOperators(), ElementsAre("torchvision::nms")) << "only once";
  const auto find = [](const char* name) {
    return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
  };
  EXPECT_EQ(find("torchvision::nms")
                .typed<at::Tensor(const at::Tensor&, const at::Tensor&, double)>()
                .call(Boxes(), Scores(), 0.5)
                .sum()
                .item<int64_t>(),
            0);
  std::vector<c10::IValue> stack = {Features(), Regions(), 0.5, 2, 1, 2, true};
  find("torchvision::roi_align").callBoxed(stack);
  EXPECT_TRUE(stack[0].toTensor().equal(RoiAlign(Features(), Regions(), 0.5, 2, 1, 2, true)));
}

}  // namespace
}  // namespace assay::models
