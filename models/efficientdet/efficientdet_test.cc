#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/detector.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kClasses = 3;

Parameters Small() {
  Parameters parameters;
  parameters.Set("width_multiplier", 0.125);
  parameters.Set("depth_multiplier", 0.25);
  parameters.Set("drop_path_rate", 0.0);
  // The backbone's first level has as many.
  parameters.Set("fpn_channels", 8);
  parameters.Set("fpn_cell_repeats", 1);
  parameters.Set("box_class_repeats", 1);
  parameters.Set("tensorflow", false);
  parameters.Set("num_classes", kClasses);
  parameters.Set("detections_per_img", 6);
  parameters.Set("resolution", 128);
  return parameters;
}

// 9 anchors in each cell of five levels.
constexpr int64_t kAnchors = 9 * (16 * 32 + 8 * 16 + 4 * 8 + 2 * 4 + 1 * 2);

class EfficientDetTest : public testing::Test {
 protected:
  EfficientDetTest() : model_(CreateOrDie("efficientdet", Small())) {
    FillInFloat64(*model_);
    found_ = model_->Forward({SeededFloats({2, 3, 128, 256})});
  }

  const std::unique_ptr<Model> model_;
  std::vector<at::Tensor> found_;
};

TEST_F(EfficientDetTest, LooksAtFiveLevels) {
  EXPECT_EQ(found_[0].sizes(), at::IntArrayRef({2, kAnchors, kClasses}));
  EXPECT_EQ(found_[1].sizes(), at::IntArrayRef({2, kAnchors, 4}));
}

TEST_F(EfficientDetTest, RefusesSidesThatAreNoMultiplesOf128) {
  try {
    model_->Forward({SeededFloats({1, 3, 128, 192})});
    ADD_FAILURE() << "accepted";
  } catch (const c10::ValueError& error) {
    EXPECT_STREQ(error.what_without_backtrace(),
                 "efficientdet: the image is [1, 3, 128, 192]; its height and width must be "
                 "multiples of 128 pixels");
  }
}

// Boxes are not made in bf16, whose numbers above 256 are no whole pixels.
TEST_F(EfficientDetTest, BoxesAreInFloat32AtLeast) {
  for (const auto& [dtype, of_boxes] :
       {std::pair(at::kDouble, at::kDouble), std::pair(at::kBFloat16, at::kFloat)}) {
    const at::Tensor boxes =
        dynamic_cast<Detector&>(*model_).Detections({found_[0].to(dtype), found_[1].to(dtype)});
    EXPECT_EQ(boxes.scalar_type(), of_boxes);
    EXPECT_EQ(boxes.sizes(), at::IntArrayRef({2, 6, 6}));
  }
}

// An anchor is four cells wide; boxes that begin outside of the image stay there.
TEST_F(EfficientDetTest, AnchorsBecomeBoxesOfAnImageThatIsNotSquare) {
  at::Tensor logits = at::full({2, kAnchors, kClasses}, -20., at::kDouble);
  at::Tensor codes = at::zeros({2, kAnchors, 4}, at::kDouble);
  const auto set = [&](int64_t anchor, int64_t label, double score) {
    logits[1][anchor][label] = std::log(score / (1 - score));
  };
  set(9 * (2 * 32 + 3), 2, 0.9);            // of the finest level: centre (28, 20), sides 32
  set(9 * (2 * 32 + 3) + 1, 0, 0.8);        // 1.4 and 0.7 times that
  set(9 * (16 * 32 + 16 + 2) + 5, 1, 0.7);  // (40, 24), sides 64 * 2^(1/3) * 0.7 and 1.4
  set(kAnchors - 9, 1, 0.6);  // the second of the coarsest level: (192, 64), sides 512
  codes[1][kAnchors - 9] = at::tensor({.125, -.25, std::log(.5), std::log(.25)}, at::kDouble);
  const at::Tensor found = dynamic_cast<Detector&>(*model_).Detections({logits, codes});
  const double half = 32 * std::cbrt(2), x = half * 0.7, y = half * 1.4;
  const at::Tensor want = at::tensor({2., .9, 12.,    4.,     44.,    36.,     //
                                      0., .8, 5.6,    8.8,    50.4,   31.2,    //
                                      1., .7, 40 - x, 24 - y, 40 + x, 24 + y,  //
                                      1., .6, 0.,     0.,     128.,   256.},
                                     at::kDouble)
                              .view({4, 6});
  EXPECT_TRUE(found[1].narrow(0, 0, 4).allclose(want, 1e-6, 1e-6)) << found[1];
}

// All boxes of the finest level are 1024 pixels wide, so that each label has one.
TEST_F(EfficientDetTest, AnImageHasFiveThousandCandidates) {
  constexpr int64_t kOfFinest = 9 * 16 * 32;
  constexpr double kX[] = {1, 1.4, 0.7}, kY[] = {1, 0.7, 1.4};
  at::Tensor logits = at::full({1, kAnchors, kClasses}, -20., at::kDouble);
  at::Tensor codes = at::zeros({1, kAnchors, 4}, at::kDouble);
  for (int64_t anchor = 0; anchor < kOfFinest; ++anchor) {
    const double side = 32 * std::pow(2, static_cast<double>(anchor % 9 / 3) / 3);
    codes[0][anchor] = at::tensor({0., 0., std::log(1024 / (side * kY[anchor % 3])),
                                   std::log(1024 / (side * kX[anchor % 3]))},
                                  at::kDouble);
  }
  logits[0].select(1, 0).narrow(0, 0, kOfFinest).fill_(2);
  logits[0][9 * (8 * 32 + 16)][0] = 3;  // in the middle, so that all others overlap it
  logits[0].select(1, 1).narrow(0, 0, 4999 - kOfFinest).fill_(1);
  logits[0][7][2] = 0.5;
  logits[0][kOfFinest][2] = 0.4;
  const at::Tensor found = dynamic_cast<Detector&>(*model_).Detections({logits, codes});
  const at::Tensor want = at::tensor({0., 1., 2., -1., -1., -1.}, at::kDouble);
  EXPECT_TRUE(found[0].select(1, 0).equal(want)) << found;
}

// Anchors of the model's own size are made once, others in each call.
TEST(EfficientDetAnchorsTest, AreTheSameWhereTheyAreKept) {
  for (const int64_t height : {128, 256}) {
    std::vector<at::Tensor> found;
    for (const int64_t resolution : {128, 256}) {
      Parameters parameters = Small();
      parameters.Set("resolution", resolution);
      const std::unique_ptr<Model> model = CreateOrDie("efficientdet_detections", parameters);
      FillInFloat64(*model);
      found.push_back(model->Forward({SeededFloats({1, 3, height, 128})})[0]);
    }
    EXPECT_TRUE(found[0].equal(found[1])) << height;
  }
}

// The best anchor of an object has it, however little it overlaps, and of two objects the first.
TEST_F(EfficientDetTest, AnObjectHasAnAnchorInAnyCase) {
  auto& trainable = dynamic_cast<Trainable&>(*model_);
  const at::Tensor logits = at::full({1, kAnchors, kClasses}, -30., at::kDouble);
  const at::Tensor codes = at::zeros({1, kAnchors, 4}, at::kDouble);
  // 44 x 11 pixels: it overlaps the second anchor, 44.8 x 22.4, of the cell with the centre (20, 4) by 0.46.
  const int64_t best = 9 * 2 + 1;
  const at::Tensor boxes = at::tensor({0, 0, 43, 10, 0, 0, 43, 10}, at::kLong).view({1, 2, 4});
  const auto loss = [&](int64_t anchor, int64_t label) {
    at::Tensor sure = logits.clone();
    sure[0][anchor][label] = 30;
    return trainable.Loss({sure, codes}, {boxes, at::tensor({1, 2}, at::kLong).view({1, 2})})
        .item<double>();
  };
  EXPECT_LT(loss(best, 1), loss(best, 2) - 1);
  EXPECT_LT(loss(best, 1), loss(best - 1, 1) - 1);
}

}  // namespace
}  // namespace assay::models
