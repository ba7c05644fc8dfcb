#include "models/layers/detection/box_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/detection/region_operators.h"
#include "models/layers/detection/roi_align.h"

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
              HasSubstr("this kernel is for float32 and float64"));
  EXPECT_THAT(ErrorOf([] { NmsByLabel(Boxes(), Scores(), Scores(), 0.5); }),
              HasSubstr("labels are Double [7]; they must be int64"));
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
  const at::Tensor x = at::arange(80, at::kDouble).view({2, 2, 4, 5});
  const at::Tensor regions = at::tensor({1., 0., 0., 4., 3.}).view({1, 5}).to(at::kDouble);
  const auto same = [&](const char* name, std::vector<c10::IValue> more, const at::Tensor& want) {
    std::vector<c10::IValue> stack = {x, regions, 0.5};
    stack.insert(stack.end(), more.begin(), more.end());
    find(name).callBoxed(stack);
    EXPECT_TRUE(stack[0].toTensor().equal(want)) << name;
  };
  same("torchvision::roi_align", {2, 1, 2, true}, RoiAlign(x, regions, 0.5, 2, 1, 2, true));
  same("torchvision::roi_pool", {2, 1}, std::get<0>(RoiPool(x, regions, 0.5, 2, 1)));
  same("torchvision::ps_roi_pool", {2, 1}, std::get<0>(PsRoiPool(x, regions, 0.5, 2, 1)));
  same("torchvision::ps_roi_align", {2, 1, 2}, std::get<0>(PsRoiAlign(x, regions, 0.5, 2, 1, 2)));
}

}  // namespace
}  // namespace assay::models
