// EfficientDet as effdet builds it (effdet/efficientdet.py): the stages of an EfficientNet, a pyramid whose
// nodes weigh features of neighbouring levels, down and up again and again, and two heads that look at its
// five levels. Tensor names, order and shapes are effdet's. Each level's side is half of the finer level's,
// so the image's is a multiple of 128.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/huber_loss.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/detector.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/detection/anchor_boxes.h"
#include "models/layers/detection/bifpn.h"
#include "models/layers/detection/detection_rows.h"
#include "models/layers/detection/focal_loss.h"
#include "models/layers/vision/efficientnet_body.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kFinest = 8, kCoarsest = 128;  // pixels of the image to one of a level
constexpr int64_t kBoxNumbers = 4, kOctaves = 3;
constexpr double kSides[][2] = {{1, 1}, {1.4, 0.7}, {0.7, 1.4}};  // of an anchor, x and y
constexpr int64_t kAnchors = 9;                                   // of a cell
constexpr double kLeastSide = 1e-7;                               // added to sides
constexpr double kObject = 0.5, kNmsThreshold = 0.5;              // overlaps
constexpr int64_t kCandidates = 5000;
constexpr double kGamma = 1.5, kHuber = 0.1, kBoxWeight = 50;  // of the loss
// Factors on the weights' recipe of the heads' last convolutions.
constexpr double kScoreGain = 1, kBoxGain = 0.3;

struct EfficientDetOptions {
  EfficientNetBodyOptions backbone;
  BiFpnOptions pyramid;
  int64_t repeats;  // convolutions of a head
  int64_t num_classes;
  int64_t detections_per_img;
  int64_t resolution;
  bool gives_detections;  // Forward gives these, and not the heads' numbers
};

// Looks at each level: some numbers for each of a cell's anchors. Levels share convolutions, not norms.
class Head final : public Layer {
 public:
  Head(Layer& parent, std::string name, int64_t numbers, double gain, const EfficientDetOptions& o)
      : Layer(parent, std::move(name)), numbers_(numbers) {
    const BiFpnOptions& pyramid = o.pyramid;
    for (int64_t i = 0; i < o.repeats; ++i)
      convs_.emplace_back(*this, absl::StrCat("conv_rep.", i),
                          SeparableConvOptions{.in = pyramid.channels,
                                               .out = pyramid.channels,
                                               .bias = pyramid.tensorflow,
                                               .gain = kSiluGain});
    for (int64_t i = 0; i < o.repeats * kBiFpnLevels; ++i)
      norms_.emplace_back(*this,
                          absl::StrCat("bn_rep.", i / kBiFpnLevels, ".", i % kBiFpnLevels, ".bn"),
                          pyramid.Norm());
    predict_ = std::make_unique<SeparableConv>(
        *this, "predict",
        SeparableConvOptions{
            .in = pyramid.channels, .out = kAnchors * numbers, .bias = true, .gain = gain});
  }

  // (N, H * W * anchors of all levels, numbers).
  at::Tensor Forward(const std::vector<at::Tensor>& levels) {
    std::vector<at::Tensor> rows;
    for (size_t level = 0; level < levels.size(); ++level) {
      at::Tensor x = levels[level];
      for (size_t i = 0; i < convs_.size(); ++i) {
        x = norms_[i * kBiFpnLevels + level].Forward(convs_[i].Forward(x));
        x = Activate(Activation::kSilu, std::move(x));
      }
      rows.push_back(RowsOfCells(predict_->Forward(x), numbers_));
    }
    return at::concat(rows, 1);
  }

 private:
  const int64_t numbers_;
  std::deque<SeparableConv> convs_;
  std::deque<BatchNorm2d> norms_;
  std::unique_ptr<SeparableConv> predict_;
};

class EfficientDet final : public LayeredModel, public Trainable, public Detector {
 public:
  explicit EfficientDet(const EfficientDetOptions& o)
      : options_(o),
        backbone_(*this, o.backbone),
        pyramid_(*this, "fpn", o.pyramid),
        scores_(*this, "class_net", o.num_classes, kScoreGain, o),
        boxes_(*this, "box_net", kBoxNumbers, kBoxGain, o) {
    AddConstant(MadeAnchors(o.resolution, o.resolution), anchors_, /*keeps_dtype=*/true);
  }

  // Images (N, 3, H, W) -> for each anchor scores of classes (N, anchors, num_classes) and the code of a box
  // (N, anchors, 4), y before x; or detections, whose labels begin with 0, where effdet's begin with 1.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "efficientdet", {.multiple_of = kCoarsest});
    height_ = inputs[0].size(2);
    width_ = inputs[0].size(3);
    const std::vector<at::Tensor> levels = Levels(inputs[0]);
    std::vector<at::Tensor> found = {scores_.Forward(levels), boxes_.Forward(levels)};
    if (options_.gives_detections) return {Detections(found)};
    return found;
  }

  // Unlike effdet's, a side of a box is at most 62.5 times as long as its anchor's.
  at::Tensor Detections(at::ArrayRef<at::Tensor> outputs) override {
    const at::Tensor logits = InFloats(outputs[0]), codes = CodesOfXy(outputs[1]);
    const at::Tensor anchors = Anchors(codes);
    std::vector<at::Tensor> images;
    for (int64_t i = 0; i < logits.size(0); ++i) {
      const auto [best, cells, labels] = BestOf(logits[i], /*threshold=*/std::nullopt, kCandidates);
      const at::Tensor boxes =
          DecodedBoxes(codes[i].index_select(0, cells), anchors.index_select(0, cells));
      images.push_back(
          ChosenDetections({{boxes, best.sigmoid(), labels}},
                           {.nms_threshold = kNmsThreshold, .most = options_.detections_per_img}));
    }
    return at::stack(images);
  }

  // Targets: boxes int64 (N, objects, 4), whose right and lower edges are pixels of the object, and labels
  // int64 (N, objects). The sum of both heads' losses by the number of anchors that have an object.
  at::Tensor Loss(at::ArrayRef<at::Tensor> given, at::ArrayRef<at::Tensor> targets) override {
    const at::Tensor logits = InFloats(given[0]), codes = CodesOfXy(given[1]);
    const at::Tensor anchors = Anchors(codes);
    const at::Tensor eps = at::tensor({0., 0., kLeastSide, kLeastSide}, codes.options());
    at::Tensor classes = at::zeros_like(logits), wanted = at::zeros_like(codes);
    int64_t with_objects = 1;
    for (int64_t i = 0; i < logits.size(0); ++i) {
      at::Tensor boxes = targets[0][i].to(codes.scalar_type());
      boxes.narrow(1, 2, 2).add_(1);
      const at::Tensor matched = Matched(boxes, anchors);
      const at::Tensor cells = matched.ge(0).nonzero().squeeze(1);
      const at::Tensor objects = matched.index_select(0, cells);
      classes[i].view(-1).index_fill_(
          0, cells * logits.size(2) + targets[1][i].index_select(0, objects), 1);
      wanted[i].index_copy_(
          0, cells,
          EncodedBoxes(boxes.index_select(0, objects) + eps, anchors.index_select(0, cells) + eps));
      with_objects += cells.size(0);
    }
    // A number that is to be zero does not count, as where there is no object.
    const at::Tensor off = at::huber_loss(codes * wanted.ne(0), wanted, at::Reduction::Sum, kHuber);
    return (FocalLoss(logits, classes, kGamma) + kBoxWeight / kBoxNumbers * off) / with_objects;
  }

 private:
  // The stages' features end here, before the heads.
  std::vector<at::Tensor> Levels(const at::Tensor& image) {
    std::vector<at::Tensor> stages;
    backbone_.Forward(image, &stages);
    return pyramid_.Forward({stages[2], stages[4], stages[6]});
  }

  // In float32 at least, with x before y.
  static at::Tensor CodesOfXy(const at::Tensor& codes) {
    return InFloats(codes).unflatten(-1, {2, 2}).flip(-1).flatten(-2);
  }

  // For each anchor the object that overlaps it enough; the best anchor of an object has it in any case.
  static at::Tensor Matched(const at::Tensor& boxes, const at::Tensor& anchors) {
    const at::Tensor matched =
        MatchedObjects(boxes, anchors, kObject, kObject, /*each_object=*/false);
    const at::Tensor best = PairwiseIou(boxes, anchors).argmax(1);
    for (int64_t object = boxes.size(0); object-- > 0;)
      matched.index_fill_(0, best.narrow(0, object, 1), object);
    return matched;
  }

  // (anchors of all levels, 4), for the image that Forward got last.
  at::Tensor Anchors(const at::Tensor& like) const {
    const bool kept = height_ == options_.resolution && width_ == options_.resolution;
    return (kept ? anchors_ : MadeAnchors(height_, width_)).to(like.options());
  }

  // In float32, as effdet keeps them.
  static at::Tensor MadeAnchors(int64_t height, int64_t width) {
    std::vector<at::Tensor> levels;
    for (int64_t stride = kFinest; stride <= kCoarsest; stride *= 2) {
      const double centre = static_cast<double>(stride) / 2;
      std::vector<double> edges;
      for (int64_t octave = 0; octave < kOctaves; ++octave) {
        const double half = centre * 4 * std::pow(2, static_cast<double>(octave) / kOctaves);
        for (const auto& [x, y] : kSides)
          edges.insert(edges.end(), {centre - half * x, centre - half * y, centre + half * x,
                                     centre + half * y});
      }
      levels.push_back(
          BoxesOfGrid(edges, height / stride, width / stride, stride, stride, at::kDouble));
    }
    return at::concat(levels).to(at::kFloat);
  }

  const EfficientDetOptions options_;
  at::Tensor anchors_;  // of a square image of the parameter's resolution
  EfficientNetBody backbone_;
  BiFpn pyramid_;
  Head scores_;
  Head boxes_;
  int64_t height_ = 0, width_ = 0;  // of the last Forward's image, which its outputs do not show
};

absl::StatusOr<std::unique_ptr<Model>> MakeEfficientDet(const Parameters& p,
                                                        bool gives_detections) {
  const bool tensorflow = p.Flag("tensorflow");
  const EfficientNetBodyOptions backbone = {.stages = EfficientNetB(),
                                            .width_multiplier = p.Real("width_multiplier"),
                                            .depth_multiplier = p.Real("depth_multiplier"),
                                            .pads_by_size = tensorflow,
                                            .norm_epsilon = tensorflow ? 1e-3 : 1e-5,
                                            .stochastic_depth = p.Real("drop_path_rate"),
                                            .timm = "backbone."};
  const auto width = [&](int stage) { return backbone.Width(backbone.stages[stage].out); };
  return std::make_unique<EfficientDet>(
      EfficientDetOptions{.backbone = backbone,
                          .pyramid = {.in = {width(2), width(4), width(6)},
                                      .channels = p.Integer("fpn_channels"),
                                      .cells = p.Integer("fpn_cell_repeats"),
                                      .tensorflow = tensorflow},
                          .repeats = p.Integer("box_class_repeats"),
                          .num_classes = p.Integer("num_classes"),
                          .detections_per_img = p.Integer("detections_per_img"),
                          .resolution = p.Integer("resolution"),
                          .gives_detections = gives_detections});
}

// Two names of the same code, since an implementation's table fixes what the outputs are.
ASSAY_MODEL_IMPLEMENTATION("efficientdet", [](const Parameters& parameters) {
  return MakeEfficientDet(parameters, /*gives_detections=*/false);
});
ASSAY_MODEL_IMPLEMENTATION("efficientdet_detections", [](const Parameters& parameters) {
  return MakeEfficientDet(parameters, /*gives_detections=*/true);
});

}  // namespace
}  // namespace assay::models
