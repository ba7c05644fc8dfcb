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

Parameters Small(int64_t narrowing = 64) {
  Parameters parameters;
  parameters.Set("narrowing", narrowing);
  parameters.Set("num_classes", 3);
  parameters.Set("detections_per_img", 5);
  return parameters;
}

// 4 or 6 boxes in each cell of six maps.
constexpr int64_t kBoxes = 4 * 38 * 38 + 6 * (19 * 19 + 10 * 10 + 5 * 5) + 4 * (3 * 3 + 1);

// Boxes are not made in bf16, whose numbers above 256 are no whole pixels.
TEST(SsdTest, LooksAtSixMapsAndBoxesAreInFloat32AtLeast) {
  const std::unique_ptr<Model> model = CreateOrDie("ssd", Small());
  FillInFloat64(*model);
  for (const auto& [dtype, of_boxes] :
       {std::pair(at::kDouble, at::kDouble), std::pair(at::kBFloat16, at::kFloat)}) {
    model->To(at::kCPU, dtype);
    const std::vector<at::Tensor> outputs =
        model->Forward({SeededFloats({2, 3, 300, 300}).to(dtype)});
    EXPECT_EQ(outputs[0].sizes(), at::IntArrayRef({2, kBoxes, 4}));
    EXPECT_EQ(outputs[1].sizes(), at::IntArrayRef({2, kBoxes, 3}));
    const at::Tensor boxes = dynamic_cast<Detector&>(*model).Detections(outputs);
    EXPECT_EQ(boxes.scalar_type(), of_boxes);
    EXPECT_EQ(boxes.sizes(), at::IntArrayRef({2, 5, 6}));
    EXPECT_GE(boxes.select(2, 0).min().item<double>(), 1);
    EXPECT_LE(boxes.narrow(2, 2, 4).max().item<double>(), 300);
  }
}

// The third box of a cell of the first map, whose sides have the ratio 2: moved by its width, at twice its height.
TEST(SsdTest, ABoxLiesAroundItsCell) {
  const std::unique_ptr<Model> model = CreateOrDie("ssd", Small());
  FillInFloat64(*model);
  std::vector<at::Tensor> outputs = model->Forward({SeededFloats({1, 3, 300, 300})});
  outputs[0].zero_();
  outputs[1].zero_().select(2, 0).fill_(10);
  const int64_t place = (2 * 38 + 5) * 4 + 2;
  outputs[0][0][place].copy_(at::tensor({10., 0., 0., 5 * std::log(2.)}));
  outputs[1][0][place].copy_(at::tensor({0., 0., 3.}));
  const at::Tensor boxes = dynamic_cast<Detector&>(*model).Detections(outputs)[0];
  const double width = 300 * .07 * std::sqrt(2), height = 300 * .07 / std::sqrt(2);
  const double score = std::exp(3) / (2 + std::exp(3));
  EXPECT_TRUE(boxes[0].allclose(
      at::tensor({2., score, 44 + width / 2, 20 - height, 44 + 1.5 * width, 20 + height}),
      /*rtol=*/1e-6));
  EXPECT_LT(boxes[1][1].item<double>(), score);
}

TEST(SsdTest, RefusesWhatDoesNotFit) {
  EXPECT_THAT(std::string(Create("ssd", Small(48)).status().message()),
              HasSubstr("narrowing 48 is no divisor of 64"));
  const std::unique_ptr<Model> model = CreateOrDie("ssd_detections", Small());
  for (const int64_t side : {299, 301}) {
    try {
      model->Forward({SeededFloats({1, 3, 300, side}).to(at::kFloat)});
      ADD_FAILURE() << side;
    } catch (const c10::Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("300"));
    }
  }
}

}  // namespace
}  // namespace assay::models
