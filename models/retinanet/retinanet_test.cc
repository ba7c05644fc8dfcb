#include <ATen/core/Tensor.h>

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

Parameters Small(std::vector<int64_t> layers = {1, 1, 1, 1}) {
  Parameters parameters;
  parameters.Set("block", "basic");
  parameters.Set("layers", std::move(layers));
  parameters.Set("fpn_channels", 8);
  parameters.Set("num_classes", 3);
  parameters.Set("detections_per_img", 5);
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
    EXPECT_EQ(boxes.sizes(), at::IntArrayRef({2, 5, 6}));
    const at::Tensor right = boxes.select(2, 4), lower = boxes.select(2, 5);
    EXPECT_LE(right.max().item<double>(), 96);
    EXPECT_LE(lower.max().item<double>(), 64);
    EXPECT_TRUE(right.gt(boxes.select(2, 2)).all().item<bool>());
    EXPECT_TRUE(lower.gt(boxes.select(2, 3)).all().item<bool>());
  }
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
