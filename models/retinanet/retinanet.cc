// RetinaNet as torchvision builds it (torchvision/models/detection/retinanet.py): a ResNet with a feature
// pyramid, and two towers of convolutions that look at its five levels. Tensor names, order and shapes are
// torchvision's. The image is one that torchvision's transform has normalised and resized.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/detector.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/detection/anchor_boxes.h"
#include "models/layers/detection/detection_rows.h"
#include "models/layers/detection/feature_pyramid.h"
#include "models/layers/detection/focal_loss.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/resnet_backbone.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kLevelSizes[] = {32, 64, 128, 256, 512};  // of each level's anchors, pixels
constexpr int64_t kAnchors = 9;                             // of a cell
constexpr int64_t kBoxNumbers = 4;
constexpr int64_t kStride = 32;                          // of the coarsest stage
constexpr int kTower = 4;                                // convolutions
constexpr double kObject = 0.5, kBackgroundBelow = 0.4;  // overlaps of anchors and objects
constexpr double kScoreThreshold = 0.05;
constexpr int64_t kCandidates = 1000;  // of a level
constexpr double kNmsThreshold = 0.5;
// Factors on the weights' recipe. That of a tower makes up for what its activations take away. With 1 for the
// others a quarter of the boxes have no area, and scores differ by less than float32 can tell.
constexpr double kTowerGain = 1.4142135623730951, kScoreGain = 0.5, kBoxGain = 0.2;

// Looks at each level: some numbers for each of a cell's anchors.
class Tower final : public Layer {
 public:
  Tower(Layer& parent, std::string name, int64_t channels, const char* last, int64_t numbers,
        double gain)
      : Layer(parent, std::move(name)), numbers_(numbers) {
    for (int i = 0; i < kTower; ++i)
      convs_.push_back(Convolution(absl::StrCat("conv.", i, ".0"), channels, channels, kTowerGain));
    last_ = Convolution(last, channels, kAnchors * numbers, gain);
  }

  // (N, H * W * anchors of all levels, numbers).
  at::Tensor Forward(const std::vector<at::Tensor>& levels) {
    std::vector<at::Tensor> rows;
    for (at::Tensor x : levels) {
      for (const std::unique_ptr<Conv2d>& conv : convs_) x = conv->Forward(x).relu_();
      rows.push_back(RowsOfCells(last_->Forward(x), numbers_));
    }
    return at::concat(rows, 1);
  }

 private:
  std::unique_ptr<Conv2d> Convolution(const std::string& name, int64_t in, int64_t out,
                                      double gain) {
    return std::make_unique<Conv2d>(
        *this, name,
        Conv2dOptions{.in = in, .out = out, .kernel = 3, .padding = 1, .bias = true, .gain = gain});
  }

  int64_t numbers_;
  std::vector<std::unique_ptr<Conv2d>> convs_;
  std::unique_ptr<Conv2d> last_;
};

struct RetinaNetOptions {
  ResNetBackboneOptions backbone;
  int64_t fpn_channels, num_classes, detections_per_img;
  bool gives_detections;  // Forward gives these, and not the towers' numbers
};

class RetinaNet final : public LayeredModel, public Trainable, public Detector {
 public:
  explicit RetinaNet(const RetinaNetOptions& options)
      : options_(options),
        body_(*this, "backbone.body.", options.backbone),
        fpn_(*this, "backbone.fpn",
             {.in = {body_.high_channels() / 4, body_.high_channels() / 2, body_.high_channels()},
              .out = options.fpn_channels,
              .top = PyramidTop::kP6P7}),
        scores_(*this, "head.classification_head", options.fpn_channels, "cls_logits",
                options.num_classes, kScoreGain),
        boxes_(*this, "head.regression_head", options.fpn_channels, "bbox_reg", kBoxNumbers,
               kBoxGain) {}

  // Images (N, 3, H, W) -> for each anchor scores of classes (N, anchors, num_classes) and the code of a box
  // (N, anchors, 4); or detections.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "retinanet", {.multiple_of = kStride});
    std::vector<at::Tensor> stages = body_.Stages(inputs[0]);
    stages.erase(stages.begin());
    const std::vector<at::Tensor> levels = fpn_.Forward(stages);
    height_ = inputs[0].size(2);
    width_ = inputs[0].size(3);
    grids_.clear();
    for (const at::Tensor& level : levels) grids_.push_back({level.size(2), level.size(3)});
    std::vector<at::Tensor> found = {scores_.Forward(levels), boxes_.Forward(levels)};
    if (options_.gives_detections) return {Detections(found)};
    return found;
  }

  at::Tensor Detections(at::ArrayRef<at::Tensor> outputs) override {
    const at::Tensor logits = InFloats(outputs[0]), codes = InFloats(outputs[1]);
    const std::vector<at::Tensor> anchors = Anchors(codes);
    std::vector<int64_t> of_levels;
    for (const at::Tensor& level : anchors) of_levels.push_back(level.size(0));
    std::vector<at::Tensor> images;
    for (int64_t i = 0; i < logits.size(0); ++i) {
      const std::vector<at::Tensor> level_logits = logits[i].split_with_sizes(of_levels);
      const std::vector<at::Tensor> level_codes = codes[i].split_with_sizes(of_levels);
      std::vector<Candidates> candidates;
      for (size_t level = 0; level < anchors.size(); ++level)
        candidates.push_back(CandidatesOf(level_logits[level], level_codes[level], anchors[level]));
      images.push_back(ChosenDetections(
          candidates, {.nms_threshold = kNmsThreshold, .most = options_.detections_per_img}));
    }
    return at::stack(images);
  }

  // Targets: boxes int64 (N, objects, 4), whose right and lower edges are pixels of the object, and labels
  // int64 (N, objects). The sum of both towers' losses, each a mean over the images.
  at::Tensor Loss(at::ArrayRef<at::Tensor> given, at::ArrayRef<at::Tensor> targets) override {
    const std::vector<at::Tensor> outputs = InFloats(given);
    const at::Tensor anchors = at::concat(Anchors(outputs[1]));
    at::Tensor loss;
    for (int64_t i = 0; i < outputs[0].size(0); ++i) {
      at::Tensor boxes = targets[0][i].to(outputs[1].scalar_type());
      boxes.narrow(1, 2, 2).add_(1);
      const at::Tensor of_image =
          LossOfImage(outputs[0][i], outputs[1][i], anchors, boxes, targets[1][i]);
      loss = loss.defined() ? loss + of_image : of_image;
    }
    return loss / outputs[0].size(0);
  }

 private:
  struct Grid {
    int64_t rows, columns;
  };

  // One for each level, for the image that Forward got last.
  std::vector<at::Tensor> Anchors(const at::Tensor& like) const {
    std::vector<at::Tensor> anchors;
    for (size_t i = 0; i < grids_.size(); ++i) {
      const double size = static_cast<double>(kLevelSizes[i]);
      const CellAnchors cell = {.sizes = {kLevelSizes[i],
                                          static_cast<int64_t>(size * std::pow(2, 1.0 / 3)),
                                          static_cast<int64_t>(size * std::pow(2, 2.0 / 3))}};
      const auto [rows, columns] = grids_[i];
      anchors.push_back(GridAnchors(cell, rows, columns, height_ / rows, width_ / columns, like));
    }
    return anchors;
  }

  // The best of a level.
  Candidates CandidatesOf(const at::Tensor& logits, const at::Tensor& codes,
                          const at::Tensor& anchors) const {
    const auto [scores, cells, labels] = BestOf(logits.sigmoid(), kScoreThreshold, kCandidates);
    return {ClippedBoxes(DecodedBoxes(codes.index_select(0, cells), anchors.index_select(0, cells)),
                         height_, width_),
            scores, labels};
  }

  static at::Tensor LossOfImage(const at::Tensor& logits, const at::Tensor& codes,
                                const at::Tensor& anchors, const at::Tensor& boxes,
                                const at::Tensor& labels) {
    const at::Tensor matched =
        MatchedObjects(boxes, anchors, kObject, kBackgroundBelow, /*each_object=*/true);
    const at::Tensor with_object = matched.ge(0).nonzero().squeeze(1);
    const at::Tensor counted = matched.ne(kBetween).nonzero().squeeze(1);
    const at::Tensor objects = matched.index_select(0, with_object);
    at::Tensor classes = at::zeros_like(logits);
    classes.view(-1).index_fill_(0, with_object * logits.size(1) + labels.index_select(0, objects),
                                 1);
    const at::Tensor wanted =
        EncodedBoxes(boxes.index_select(0, objects), anchors.index_select(0, with_object));
    const at::Tensor off = codes.index_select(0, with_object) - wanted;
    const at::Tensor focal =
        FocalLoss(logits.index_select(0, counted), classes.index_select(0, counted));
    return (focal + off.abs().sum()) / std::max<int64_t>(1, with_object.size(0));
  }

  const RetinaNetOptions options_;
  ResNetBackbone body_;
  FeaturePyramid fpn_;
  Tower scores_;
  Tower boxes_;
  // The size of the last Forward's image, which its outputs do not show.
  int64_t height_ = 0, width_ = 0;
  std::vector<Grid> grids_;
};

absl::StatusOr<std::unique_ptr<Model>> MakeRetinaNet(const Parameters& parameters,
                                                     bool gives_detections) {
  const RetinaNetOptions options = {
      .backbone = {.bottleneck = parameters.Text("block") == "bottleneck",
                   .layers = parameters.Integers("layers")},
      .fpn_channels = parameters.Integer("fpn_channels"),
      .num_classes = parameters.Integer("num_classes"),
      .detections_per_img = parameters.Integer("detections_per_img"),
      .gives_detections = gives_detections};
  const absl::Status status =
      CheckCount("retinanet", parameters, "layers", 4, "one for each stage");
  if (!status.ok()) return status;
  return std::make_unique<RetinaNet>(options);
}

// Two names of the same code, since an implementation's table fixes what the outputs are.
ASSAY_MODEL_IMPLEMENTATION("retinanet", [](const Parameters& parameters) {
  return MakeRetinaNet(parameters, /*gives_detections=*/false);
});
ASSAY_MODEL_IMPLEMENTATION("retinanet_detections", [](const Parameters& parameters) {
  return MakeRetinaNet(parameters, /*gives_detections=*/true);
});

}  // namespace
}  // namespace assay::models
