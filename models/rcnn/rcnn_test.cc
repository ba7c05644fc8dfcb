#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
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

using testing::HasSubstr;

constexpr int64_t kRegions = 6, kMost = 4, kClasses = 3;

Parameters Small(std::string_view features, std::string_view block = "basic") {
  Parameters parameters;
  parameters.Set("block", std::string(block));
  parameters.Set("layers", std::vector<int64_t>{1, 1, 1, 1});
  parameters.Set("features", std::string(features));
  parameters.Set("fpn_channels", 8);
  parameters.Set("representation_size", 16);
  parameters.Set("num_classes", kClasses);
  parameters.Set("regions", kRegions);
  parameters.Set("detections_per_img", kMost);
  return parameters;
}

at::Tensor Image(at::ScalarType dtype = at::kDouble) {
  return SeededFloats({2, 3, 32, 64}).to(dtype);
}

// Each of one pixel, in the upper left corner.
at::Tensor GivenRegions() { return at::zeros({2, kRegions, 4}, at::kLong); }

TEST(RcnnTest, LooksAtOneMapOrAPyramid) {
  struct {
    const char *implementation, *features, *block;
    int64_t anchors, mask;
  } const cases[] = {{"rcnn_masks", "fpn", "basic", 3 * (8 * 16 + 4 * 8 + 2 * 4 + 1 * 2 + 1), 28},
                     {"rcnn_masks", "c4", "basic", 15 * 2 * 4, 14},
                     {"rcnn", "dc5", "bottleneck", 15 * 2 * 4, 0}};
  for (const auto& c : cases) {
    const std::unique_ptr<Model> model = CreateOrDie(c.implementation, Small(c.features, c.block));
    // Its weights stay as they are, since a fill of the 38 million of one convolution takes a second.
    const std::vector<at::Tensor> outputs = model->Forward({Image(at::kFloat), GivenRegions()});
    EXPECT_EQ(outputs[0].sizes(), at::IntArrayRef({2, c.anchors}));
    EXPECT_EQ(outputs[1].sizes(), at::IntArrayRef({2, c.anchors, 4}));
    EXPECT_EQ(outputs[2].sizes(), at::IntArrayRef({2, kRegions, kClasses}));
    EXPECT_EQ(outputs[3].sizes(), at::IntArrayRef({2, kRegions, kClasses * 4}));
    ASSERT_EQ(outputs.size(), c.mask > 0 ? 5 : 4);
    if (c.mask == 0) continue;
    EXPECT_EQ(outputs[4].sizes(), at::IntArrayRef({2, kMost, kClasses, c.mask, c.mask}));
  }
}

// Boxes are not made in bf16, whose numbers above 256 are no whole pixels.
TEST(RcnnTest, BoxesAreInFloat32AtLeast) {
  const std::unique_ptr<Model> model = CreateOrDie("rcnn", Small("fpn"));
  FillInFloat64(*model);
  at::Tensor regions = GivenRegions();
  regions.narrow(2, 2, 2).fill_(40);
  for (const auto& [dtype, of_boxes] :
       {std::pair(at::kDouble, at::kDouble), std::pair(at::kBFloat16, at::kFloat)}) {
    model->To(at::kCPU, dtype);
    const std::vector<at::Tensor> outputs = model->Forward({Image(dtype), regions});
    EXPECT_EQ(outputs[2].scalar_type(), dtype);
    const at::Tensor boxes = dynamic_cast<Detector&>(*model).Detections(outputs);
    EXPECT_EQ(boxes.scalar_type(), of_boxes);
    EXPECT_EQ(boxes.sizes(), at::IntArrayRef({2, kMost, 6}));
    EXPECT_GE(boxes.select(2, 0).max().item<double>(), 1);
    EXPECT_LE(boxes.select(2, 4).max().item<double>(), 64);
    EXPECT_LE(boxes.select(2, 5).max().item<double>(), 32);
  }
}

// The box of another region is too small.
TEST(RcnnTest, ABoxIsMadeOfItsRegion) {
  const std::unique_ptr<Model> model = CreateOrDie("rcnn", Small("fpn"));
  FillInFloat64(*model);
  at::Tensor regions = GivenRegions();
  regions[1][2].copy_(at::tensor({4, 8, 23, 17}));
  std::vector<at::Tensor> outputs = model->Forward({Image(), regions});
  outputs[2].zero_().select(2, 0).fill_(10);
  outputs[3].zero_();
  outputs[2][1][2].copy_(at::tensor({0., 1., 5.}));
  outputs[3][1][2].narrow(0, 2 * 4, 4).copy_(at::tensor({1., 2., 0., 5 * std::log(1.5)}));
  // A box of one pixel, narrowed to 0.005 and to 0.02.
  for (const auto& [region, width] : {std::pair(0, 0.005), std::pair(1, 0.02)}) {
    outputs[2][1][region].copy_(at::tensor({0., 0., 3.}));
    outputs[3][1][region].narrow(0, 2 * 4, 4).copy_(at::tensor({0., 0., 5 * std::log(width), 0.}));
  }
  const at::Tensor boxes = dynamic_cast<Detector&>(*model).Detections(outputs);
  const double score = std::exp(5) / (1 + std::exp(1) + std::exp(5));
  EXPECT_TRUE(boxes[1][0].allclose(at::tensor({2., score, 6., 7.5, 26., 22.5})));
  EXPECT_TRUE(boxes[1][1].narrow(0, 2, 4).allclose(at::tensor({.49, 0., .51, 1.})));
  EXPECT_EQ(boxes[1][2][0].item<double>(), -1);
  EXPECT_EQ(boxes[0].select(1, 0).max().item<double>(), -1);
}

// A model whose proposals are the anchors at `scale` times their size, and whose detections are the proposals, with
// label 1 and sides of exp(`larger` / 5) times their size.
std::unique_ptr<Model> ShowsAnchors(double scale, double larger) {
  Parameters parameters = Small("fpn");
  parameters.Set("regions", 500);
  parameters.Set("detections_per_img", 500);
  std::unique_ptr<Model> model = CreateOrDie("rcnn_detections", parameters);
  FillInFloat64(*model);
  const std::string proposals = "rpn.head.", boxes = "roi_heads.box_predictor.";
  for (const std::string& layer : {proposals + "cls_logits", proposals + "bbox_pred",
                                   boxes + "cls_score", boxes + "bbox_pred"}) {
    for (const char* tensor : {".weight", ".bias"}) Find(*model, layer + tensor).zero_();
  }
  Find(*model, boxes + "cls_score.bias")[1] = 5;
  Find(*model, proposals + "bbox_pred.bias").view({-1, 4}).narrow(1, 2, 2).fill_(std::log(scale));
  Find(*model, boxes + "bbox_pred.bias").view({-1, 4}).narrow(1, 2, 2).fill_(larger);
  return model;
}

TEST(RcnnTest, AnchorsLieInTheWholeImage) {
  const at::Tensor found = ShowsAnchors(1, 0)->Forward({SeededFloats({1, 3, 32, 128})})[0][0];
  const at::Tensor first = found.narrow(0, 0, found.select(1, 0).eq(1).sum().item<int64_t>());
  EXPECT_GT(first.size(0), 2);
  const at::Tensor left = first.select(1, 2), right = first.select(1, 4);
  EXPECT_EQ(left.min().item<double>(), 0);
  EXPECT_GE(left.max().item<double>(), 64);
  EXPECT_EQ(right.max().item<double>(), 128);
  EXPECT_EQ(first.select(1, 5).max().item<double>(), 32);
}

// The finest level has 64 cells, the next one 16, with anchors of 23 to 45 pixels a side, and of twice that.
TEST(RcnnTest, ProposalsOfLessThanAThousandthOfAPixelAreLeftOut) {
  const at::Tensor image = SeededFloats({1, 3, 32, 32});
  const auto count = [&](double scale) {
    return ShowsAnchors(scale, 20)->Forward({image})[0].select(2, 0).eq(1).sum().item<int64_t>();
  };
  EXPECT_GE(count(1e-4), 64);
  EXPECT_LE(count(1e-5), 18);
}

// The background is the likeliest by far, so that no class is above the threshold.
TEST(RcnnTest, AnImageMayHaveNoBoxes) {
  for (const char* features : {"fpn", "c4"}) {
    const std::unique_ptr<Model> model = CreateOrDie("rcnn_masks_detections", Small(features));
    FillInFloat64(*model);
    const std::vector<at::Tensor> some = model->Forward({Image()});
    EXPECT_GE(some[0].select(2, 0).max().item<double>(), 1);
    EXPECT_GT(some[1].max().item<double>(), 0);
    at::Tensor bias = Find(*model, "roi_heads.box_predictor.cls_score.bias");
    bias[0] = 100;
    const std::vector<at::Tensor> none = model->Forward({Image()});
    EXPECT_EQ(none[0].select(2, 0).max().item<double>(), -1);
    EXPECT_EQ(none[1].sizes(), some[1].sizes());
    EXPECT_EQ(none[1].abs().max().item<double>(), 0);
  }
}

Parameters SmallThatLearns(const char* features) {
  Parameters parameters = Small(features);
  parameters.Set("box_batch_size_per_image", 12);
  return parameters;
}

// Of Image(), each with two objects.
std::vector<at::Tensor> ImagesWithObjects() {
  const at::Tensor boxes =
      at::tensor({0, 0, 20, 20, 30, 4, 62, 30, 8, 8, 30, 31, 40, 0, 50, 9}, at::kLong);
  at::Tensor masks = at::zeros({2, 2, 32, 64}, at::kBool);
  masks.narrow(3, 16, 20).fill_(true);
  return {Image(), boxes.view({2, 2, 4}), at::tensor({1, 2, 2, 1}, at::kLong).view({2, 2}), masks};
}

// torchvision's trainable_backbone_layers = 3. Norms are buffers.
TEST(RcnnTest, LearnsAllButItsStart) {
  for (const char* features : {"fpn", "c4"}) {
    const std::unique_ptr<Model> model =
        CreateOrDie("rcnn_masks_losses", SmallThatLearns(features));
    FillInFloat64(*model);
    model->SetTraining(true);
    std::vector<NamedTensor> state = model->State();
    for (NamedTensor& entry : state) entry.tensor.requires_grad_(entry.trainable);
    const std::vector<at::Tensor> losses = model->Forward(ImagesWithObjects());
    ASSERT_EQ(losses.size(), 5);
    at::Tensor sum = at::zeros({}, at::kDouble);
    for (const at::Tensor& loss : losses) {
      EXPECT_EQ(loss.dim(), 0);
      EXPECT_GT(loss.item<double>(), 0);
      sum = sum + loss.detach();
    }
    const at::Tensor loss = dynamic_cast<Trainable&>(*model).Loss(losses, {});
    EXPECT_TRUE(loss.allclose(sum, 1e-12, 1e-12));
    loss.backward();
    for (const NamedTensor& entry : state) {
      const bool start = absl::StartsWith(entry.name, "backbone.body.conv1.") ||
                         absl::StartsWith(entry.name, "backbone.body.layer1.");
      EXPECT_EQ(entry.tensor.grad().defined(), entry.trainable && !start) << entry.name;
      EXPECT_EQ(entry.trainable, !absl::StrContains(entry.name, ".bn") &&
                                     !absl::StrContains(entry.name, ".downsample.1."))
          << entry.name;
    }
  }
}

// All scores of labels are equal at first.
TEST(RcnnTest, LossesAreOfTheObjects) {
  const std::unique_ptr<Model> model = CreateOrDie("rcnn_losses", SmallThatLearns("fpn"));
  FillInFloat64(*model);
  for (const char* name : {"cls_score", "bbox_pred"}) {
    for (const char* of : {".weight", ".bias"})
      Find(*model, absl::StrCat("roi_heads.box_predictor.", name, of)).zero_();
  }
  std::vector<at::Tensor> inputs = ImagesWithObjects();
  const std::vector<at::Tensor> losses = model->Forward(inputs);
  ASSERT_EQ(losses.size(), 4);
  EXPECT_NEAR(losses[2].item<double>(), std::log(kClasses), 1e-12);
  Find(*model, "roi_heads.box_predictor.cls_score.bias")[2] = 2;
  const double more = model->Forward(inputs)[2].item<double>();
  inputs[2].fill_(2);
  EXPECT_LT(model->Forward(inputs)[2].item<double>(), more);
}

// The first of objects that overlap alike counts, as torchvision has it. The labels of the second ones are read by no loss.
TEST(RcnnTest, ObjectsMayAllBeAtOnePlace) {
  const std::unique_ptr<Model> model = CreateOrDie("rcnn_masks_losses", SmallThatLearns("fpn"));
  FillInFloat64(*model);
  std::vector<at::Tensor> inputs = ImagesWithObjects();
  inputs[1].copy_(at::tensor({4, 4, 27, 29}, at::kLong).expand({2, 2, 4}));
  const std::vector<at::Tensor> losses = model->Forward(inputs);
  inputs[2].select(1, 1).copy_(inputs[2].select(1, 0));
  const std::vector<at::Tensor> again = model->Forward(inputs);
  for (size_t i = 0; i < losses.size(); ++i) {
    EXPECT_GT(losses[i].item<double>(), 0) << i;
    EXPECT_EQ(losses[i].item<double>(), again[i].item<double>()) << i;
  }
}

TEST(RcnnTest, RefusesWhatDoesNotFit) {
  const auto message = [](const char* implementation, const Parameters& parameters) {
    return std::string(Create(implementation, parameters).status().message());
  };
  Parameters stages = Small("fpn"), few = Small("fpn");
  stages.Set("layers", std::vector<int64_t>{1, 1, 1});
  few.Set("regions", kMost - 1);
  EXPECT_THAT(message("rcnn", stages), HasSubstr("one for each stage"));
  EXPECT_THAT(message("rcnn", few), HasSubstr("regions 3 are fewer than detections_per_img 4"));
  EXPECT_THAT(message("rcnn", Small("dc5")), HasSubstr("block bottleneck without masks"));
  EXPECT_THAT(message("rcnn_masks", Small("dc5", "bottleneck")), HasSubstr("without masks"));
  const std::unique_ptr<Model> model = CreateOrDie("rcnn", Small("c4"));
  FillInFloat64(*model);
  const at::Tensor odd = SeededFloats({2, 3, 32, 40}).to(at::kDouble);
  const at::Tensor regions = GivenRegions();
  const std::pair<std::vector<at::Tensor>, const char*> inputs[] = {
      {{odd, regions}, "multiple"},
      {{Image(), regions[0]}, "regions are [6, 4]; they must be (2 images, 4 regions or more, 4)"},
      {{Image(), regions.narrow(0, 0, 1)}, "2 images"},
      {{Image(), regions.narrow(1, 0, kMost - 1)}, "4 regions or more"},
      {{Image(), regions.narrow(2, 0, 3)}, "4)"}};
  for (const auto& [given, text] : inputs) {
    try {
      model->Forward(given);
      ADD_FAILURE() << text;
    } catch (const c10::Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  }
}

}  // namespace
}  // namespace assay::models
