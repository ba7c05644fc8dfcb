#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

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

namespace assay::models {
namespace {

using testing::HasSubstr;

Parameters Small(std::vector<int64_t> layers = {1, 1, 1, 1}, int64_t channels = 32) {
  Parameters parameters;
  parameters.Set("block", "basic");
  parameters.Set("layers", std::move(layers));
  parameters.Set("fpn_channels", channels);
  parameters.Set("num_classes", 3);
  parameters.Set("detections_per_img", 5);
  return parameters;
}

constexpr int64_t kCells = 4 * 8 + 2 * 4 + 1 * 2 + 1 + 1;

// Boxes are not made in bf16, whose numbers above 256 are no whole pixels.
TEST(FcosTest, LooksAtFiveLevelsAndBoxesAreInFloat32AtLeast) {
  const std::unique_ptr<Model> model = CreateOrDie("fcos", Small());
  FillInFloat64(*model);
  for (const auto& [dtype, of_boxes] :
       {std::pair(at::kDouble, at::kDouble), std::pair(at::kBFloat16, at::kFloat)}) {
    model->To(at::kCPU, dtype);
    const std::vector<at::Tensor> outputs =
        model->Forward({SeededFloats({2, 3, 32, 64}).to(dtype)});
    EXPECT_EQ(outputs[0].sizes(), at::IntArrayRef({2, kCells, 3}));
    EXPECT_EQ(outputs[1].sizes(), at::IntArrayRef({2, kCells, 4}));
    EXPECT_EQ(outputs[2].sizes(), at::IntArrayRef({2, kCells, 1}));
    const at::Tensor boxes = dynamic_cast<Detector&>(*model).Detections(outputs);
    EXPECT_EQ(boxes.scalar_type(), of_boxes);
    EXPECT_EQ(boxes.sizes(), at::IntArrayRef({2, 5, 6}));
    EXPECT_LE(boxes.select(2, 4).max().item<double>(), 64);
    EXPECT_LE(boxes.select(2, 5).max().item<double>(), 32);
  }
}

// One cell of the first level, 8 pixels a side, and one of the second; the others are below the threshold.
TEST(FcosTest, ABoxLiesAroundItsCell) {
  const std::unique_ptr<Model> model = CreateOrDie("fcos", Small());
  FillInFloat64(*model);
  std::vector<at::Tensor> outputs = model->Forward({SeededFloats({1, 3, 32, 64})});
  outputs[0].fill_(-10);
  outputs[1].fill_(1);
  outputs[2].fill_(1);
  const int64_t fine = 1 * 8 + 6, coarse = 4 * 8 + 1 * 4 + 3;
  outputs[0][0][fine][2] = 2;
  outputs[1][0][fine].copy_(at::tensor({1., .5, 3., .25}));
  outputs[0][0][coarse][1] = 1;
  const at::Tensor boxes = dynamic_cast<Detector&>(*model).Detections(outputs)[0];
  const auto score = [](double logit) {
    return std::sqrt(1 / (1 + std::exp(-logit)) / (1 + std::exp(-1.)));
  };
  EXPECT_TRUE(boxes[0].allclose(at::tensor({2., score(2), 40., 4., 64., 10.})));
  EXPECT_TRUE(boxes[1].allclose(at::tensor({1., score(1), 32., 0., 64., 32.})));
  EXPECT_EQ(boxes[2][0].item<double>(), -1);
}

TEST(FcosTest, RefusesWhatDoesNotFit) {
  EXPECT_THAT(std::string(Create("fcos", Small({1, 1, 1})).status().message()),
              HasSubstr("one for each stage"));
  EXPECT_THAT(std::string(Create("fcos", Small({1, 1, 1, 1}, 40)).status().message()),
              HasSubstr("fpn_channels 40 is no multiple of the 32 groups of a norm"));
  const std::unique_ptr<Model> model = CreateOrDie("fcos_detections", Small());
  try {
    model->Forward({SeededFloats({1, 3, 32, 40}).to(at::kFloat)});
    ADD_FAILURE() << "40 is no multiple of 32";
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("multiple"));
  }
}

}  // namespace
}  // namespace assay::models
