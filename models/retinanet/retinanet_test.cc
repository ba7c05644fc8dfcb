#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/detector.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

using testing::HasSubstr;

Parameters Small(std::vector<int64_t> layers = {1, 1, 1, 1}, int64_t num_classes = 3) {
  Parameters parameters;
  parameters.Set("block", "basic");
  parameters.Set("layers", std::move(layers));
  parameters.Set("fpn_channels", 8);
  parameters.Set("num_classes", num_classes);
  parameters.Set("detections_per_img", 6);
  return parameters;
}

// 9 anchors in each cell of five levels.
constexpr int64_t kAnchors = 9 * (8 * 12 + 4 * 6 + 2 * 3 + 1 * 2 + 1);

TEST(RetinaNetTest, LooksAtFiveLevels) {
  const std::unique_ptr<Model> model = CreateOrDie("retinanet", Small());
  FillInFloat64(*model);
  const std::vector<at::Tensor> outputs = model->Forward({SeededFloats({2, 3, 64, 96})});
  EXPECT_EQ(outputs[0].sizes(), at::IntArrayRef({2, kAnchors, 3}));
  EXPECT_EQ(outputs[1].sizes(), at::IntArrayRef({2, kAnchors, 4}));
}

// Boxes are not made in bf16, whose numbers above 256 are no whole pixels.
TEST(RetinaNetTest, BoxesAreInFloat32AtLeast) {
  const std::unique_ptr<Model> model = CreateOrDie("retinanet", Small());
  FillInFloat64(*model);
  for (const auto& [dtype, of_boxes] :
       {std::pair(at::kDouble, at::kDouble), std::pair(at::kBFloat16, at::kFloat)}) {
    model->To(at::kCPU, dtype);
    const std::vector<at::Tensor> outputs =
        model->Forward({SeededFloats({2, 3, 64, 96}).to(dtype)});
    const at::Tensor boxes = dynamic_cast<Detector&>(*model).Detections(outputs);
    EXPECT_EQ(boxes.scalar_type(), of_boxes);
    EXPECT_EQ(boxes.sizes(), at::IntArrayRef({2, 6, 6}));
    const at::Tensor right = boxes.select(2, 4), lower = boxes.select(2, 5);
    EXPECT_LE(right.max().item<double>(), 96);
    EXPECT_LE(lower.max().item<double>(), 64);
    EXPECT_TRUE(right.gt(boxes.select(2, 2)).all().item<bool>());
    EXPECT_TRUE(lower.gt(boxes.select(2, 3)).all().item<bool>());
  }
}

// Outputs that say of two images, 64 x 96 pixels, what each anchor is.
class OutputsOfAnchors {
 public:
  // Cells of the levels begin with these anchors.
  static constexpr int64_t kLevels[] = {0, 9 * 96, 9 * 120, 9 * 126, 9 * 128};

  void Set(int64_t image, int64_t anchor, int64_t label, double score) {
    logits[image][anchor][label] = std::log(score / (1 - score));
  }

  at::Tensor logits = at::full({2, kAnchors, 4}, -20., at::kDouble);
  at::Tensor codes = at::zeros({2, kAnchors, 4}, at::kDouble);
};

at::Tensor DetectionsOf(const OutputsOfAnchors& outputs) {
  const std::unique_ptr<Model> model = CreateOrDie("retinanet", Small({1, 1, 1, 1}, 4));
  FillInFloat64(*model);
  model->Forward({SeededFloats({2, 3, 64, 96})});
  return dynamic_cast<Detector&>(*model).Detections({outputs.logits, outputs.codes});
}

// Anchors of each level at a quarter of their size, so that the image cuts two of them alone.
TEST(RetinaNetTest, AnchorsBecomeBoxesOfAnImageThatIsNotSquare) {
  OutputsOfAnchors outputs;
  outputs.codes.narrow(2, 2, 2).fill_(std::log(0.25));
  const auto anchor = [](int level, int64_t cell, int64_t number) {
    return OutputsOfAnchors::kLevels[level] + 9 * cell + number;
  };
  const int64_t first = anchor(0, 2 * 12 + 3, 4);  // centre (24, 16), ratio 1, size 40
  outputs.Set(1, first, 2, 0.9);
  outputs.Set(1, anchor(1, 1 * 6 + 2, 0), 0, 0.8);  // centre (32, 16), ratio 1 / 2, size 64
  outputs.Set(1, anchor(3, 1, 8), 3, 0.7);          // centre (48, 0), ratio 2, size 406
  outputs.Set(1, anchor(4, 0, 4), 1, 0.6);          // centre (0, 0), ratio 1, size 645
  // Its box is (19, 11, 29, 16.2), which overlaps the first by 0.52.
  outputs.Set(1, first - 1, 2, 0.5);
  for (const auto& [number, code] :
       {std::pair(1, -0.075), std::pair(2, std::log(10. / 32)), std::pair(3, std::log(5.2 / 32))})
    outputs.codes[1][first - 1][number] = code;
  outputs.Set(1, anchor(2, 1 * 3 + 1, 4), 1, 0.052);  // centre (32, 32), ratio 1, size 161
  outputs.Set(1, anchor(2, 0, 4), 2, 0.048);          // too little
  const at::Tensor found = DetectionsOf(outputs);
  EXPECT_TRUE(found[0].select(1, 0).eq(-1).all().item<bool>());
  const at::Tensor want = at::tensor({2.,  .9,   19.,   11.,   29.,   21.,    //
                                      0.,  .8,   20.75, 10.25, 43.25, 21.75,  //
                                      3.,  .7,   12.,   0.,    84.,   64.,    //
                                      1.,  .6,   0.,    0.,    80.5,  64.,    //
                                      1.,  .052, 12.,   12.,   52.,   52.,    //
                                      -1., 0.,   0.,    0.,    0.,    0.})
                              .view({6, 6});
  EXPECT_TRUE(found[1].allclose(want, 1e-12, 1e-12)) << found[1];
}

// All boxes of the finest level are the whole image, so that each label has one.
TEST(RetinaNetTest, ALevelHasAThousandCandidates) {
  OutputsOfAnchors outputs;
  outputs.codes.narrow(2, 2, 2).fill_(4);
  for (int64_t anchor = 0; anchor < 9 * 96; ++anchor) outputs.Set(0, anchor, 0, 0.9);
  for (int64_t anchor = 0; anchor < 999 - 9 * 96; ++anchor) outputs.Set(0, anchor, 1, 0.8);
  outputs.Set(0, 7, 2, 0.7);
  outputs.Set(0, 8, 3, 0.6);
  const at::Tensor want = at::tensor({0., 1., 2., -1., -1., -1.});
  EXPECT_TRUE(DetectionsOf(outputs)[0].select(1, 0).equal(want));
}

TEST(RetinaNetTest, RefusesWhatDoesNotFit) {
  EXPECT_THAT(std::string(Create("retinanet", Small({1, 1, 1})).status().message()),
              HasSubstr("one for each stage"));
  const std::unique_ptr<Model> model = CreateOrDie("retinanet_detections", Small());
  try {
    model->Forward({SeededFloats({1, 3, 64, 40}).to(at::kFloat)});
    ADD_FAILURE() << "40 is no multiple of 32";
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("multiple"));
  }
}

}  // namespace
}  // namespace assay::models
