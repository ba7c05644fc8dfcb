// FCOS as torchvision builds it (torchvision/models/detection/fcos.py): a ResNet with a feature pyramid, and two
// towers of convolutions that look at its five levels. A cell gives one box: how far its edges are from the
// cell's centre. Tensor names, order and shapes are torchvision's. The image is one that torchvision's transform
// has normalised and resized.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/detector.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/group_norm.h"
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

constexpr int64_t kFinestSize =
    8;  // of the finest level's cells, pixels; each level has twice that of the one before
constexpr int64_t kGroups = 32;                // of a norm
constexpr int64_t kStride = 32;                // of the coarsest stage
constexpr int kTower = 4;                      // convolutions
constexpr double kCentre = 1.5;                // cells around an object's centre that shall show it
constexpr double kNearest = 4, kFarthest = 8;  // cells to the object's farthest edge
constexpr double kScoreThreshold = 0.2, kNmsThreshold = 0.6;
constexpr int64_t kCandidates = 1000;  // of a level
// Factors on the weights' recipe, which keep boxes from having no area and scores apart.
constexpr double kScoreGain = 0.5, kBoxGain = 0.3;

// Looks at a level: convolutions with norms.
class Tower final : public Layer {
 public:
  Tower(Layer& parent, std::string name, int64_t channels) : Layer(parent, std::move(name)) {
    for (int i = 0; i < kTower; ++i) {
      convs_.push_back(std::make_unique<Conv2d>(
          *this, absl::StrCat("conv.", 3 * i),
          Conv2dOptions{.in = channels, .out = channels, .kernel = 3, .padding = 1, .bias = true}));
      norms_.push_back(
          std::make_unique<GroupNorm>(*this, absl::StrCat("conv.", 3 * i + 1),
                                      GroupNormOptions{.groups = kGroups, .channels = channels}));
    }
  }

  at::Tensor Forward(at::Tensor x) const {
    for (int i = 0; i < kTower; ++i) x = norms_[i]->Forward(convs_[i]->Forward(x)).relu_();
    return x;
  }

 private:
  std::vector<std::unique_ptr<Conv2d>> convs_;
  std::vector<std::unique_ptr<GroupNorm>> norms_;
};

// Centres (K, 2) and sides (K, 1) of square cells.
std::tuple<at::Tensor, at::Tensor> CentresAndSides(const at::Tensor& cells) {
  const at::Tensor low = cells.narrow(1, 0, 2), high = cells.narrow(1, 2, 2);
  return {0.5 * (low + high), (high - low).narrow(1, 0, 1)};
}

at::Tensor BoxesOf(const at::Tensor& codes, const at::Tensor& cells) {
  const auto [centres, sides] = CentresAndSides(cells);
  const at::Tensor distances = codes * sides;
  return at::concat({centres - distances.narrow(1, 0, 2), centres + distances.narrow(1, 2, 2)}, 1);
}

// Generalised intersection over union, of boxes row by row: sum of 1 less it.
at::Tensor OverlapLoss(const at::Tensor& boxes, const at::Tensor& wanted) {
  constexpr double kEps = 1e-7;
  const auto low = [](const at::Tensor& x) { return x.narrow(1, 0, 2); };
  const auto high = [](const at::Tensor& x) { return x.narrow(1, 2, 2); };
  const auto area = [&](const at::Tensor& x) { return (high(x) - low(x)).prod(1); };
  const at::Tensor both =
      (at::minimum(high(boxes), high(wanted)) - at::maximum(low(boxes), low(wanted)))
          .clamp_min(0)
          .prod(1);
  const at::Tensor either = area(boxes) + area(wanted) - both;
  const at::Tensor around =
      (at::maximum(high(boxes), high(wanted)) - at::minimum(low(boxes), low(wanted))).prod(1);
  return (1 - both / (either + kEps) + (around - either) / (around + kEps)).sum();
}

struct FcosOptions {
  ResNetBackboneOptions backbone;
  int64_t fpn_channels, num_classes, detections_per_img;
  bool gives_detections;  // Forward gives these, and not the towers' numbers
};

class Fcos final : public LayeredModel, public Trainable, public Detector {
 public:
  explicit Fcos(const FcosOptions& options)
      : options_(options),
        body_(*this, "backbone.body.", options.backbone),
        fpn_(*this, "backbone.fpn",
             {.in = {body_.high_channels() / 4, body_.high_channels() / 2, body_.high_channels()},
              .out = options.fpn_channels,
              .top = PyramidTop::kP6P7}),
        of_scores_(*this, "head.classification_head", options.fpn_channels),
        scores_(*this, "head.classification_head.cls_logits",
                Last(options.num_classes, kScoreGain)),
        of_boxes_(*this, "head.regression_head", options.fpn_channels),
        codes_(*this, "head.regression_head.bbox_reg", Last(4, kBoxGain, /*positive_bias=*/true)),
        centredness_(*this, "head.regression_head.bbox_ctrness", Last(1, 1)) {}

  // Images (N, 3, H, W) -> for each cell scores of classes (N, cells, num_classes), distances of a box's edges in
  // cells (N, cells, 4), and how near its centre it is, as a logit (N, cells, 1); or detections.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "fcos", {.multiple_of = kStride});
    std::vector<at::Tensor> stages = body_.Stages(inputs[0]);
    stages.erase(stages.begin());
    height_ = inputs[0].size(2);
    width_ = inputs[0].size(3);
    grids_.clear();
    std::vector<at::Tensor> scores, codes, centredness;
    for (const at::Tensor& level : fpn_.Forward(stages)) {
      grids_.push_back({level.size(2), level.size(3)});
      scores.push_back(
          RowsOfCells(scores_.Forward(of_scores_.Forward(level)), options_.num_classes));
      const at::Tensor x = of_boxes_.Forward(level);
      codes.push_back(RowsOfCells(codes_.Forward(x).relu_(), 4));
      centredness.push_back(RowsOfCells(centredness_.Forward(x), 1));
    }
    std::vector<at::Tensor> found = {at::concat(scores, 1), at::concat(codes, 1),
                                     at::concat(centredness, 1)};
    if (options_.gives_detections) return {Detections(found)};
    return found;
  }

  at::Tensor Detections(at::ArrayRef<at::Tensor> outputs) override {
    const at::Tensor codes = InFloats(outputs[1]);
    const at::Tensor scores =
        (InFloats(outputs[0]).sigmoid() * InFloats(outputs[2]).sigmoid()).sqrt();
    const std::vector<at::Tensor> cells = Cells(codes);
    std::vector<at::Tensor> images;
    for (int64_t i = 0; i < codes.size(0); ++i) {
      std::vector<Candidates> candidates;
      int64_t begin = 0;
      for (const at::Tensor& level : cells) {
        const int64_t count = level.size(0);
        const auto [best, places, labels] =
            BestOf(scores[i].narrow(0, begin, count), kScoreThreshold, kCandidates);
        const at::Tensor boxes = BoxesOf(codes[i].narrow(0, begin, count).index_select(0, places),
                                         level.index_select(0, places));
        candidates.push_back({ClippedBoxes(boxes, height_, width_), best, labels});
        begin += count;
      }
      images.push_back(ChosenDetections(
          candidates, {.nms_threshold = kNmsThreshold, .most = options_.detections_per_img}));
    }
    return at::stack(images);
  }

  // Targets: boxes int64 (N, objects, 4), whose right and lower edges are pixels of the object, and labels
  // int64 (N, objects). The sum of three losses, each over the number of cells that shall show an object.
  at::Tensor Loss(at::ArrayRef<at::Tensor> given, at::ArrayRef<at::Tensor> targets) override {
    const std::vector<at::Tensor> outputs = InFloats(given);
    const std::vector<at::Tensor> levels = Cells(outputs[1]);
    const at::Tensor cells = at::concat(levels);
    const auto [centres, sides] = CentresAndSides(cells);
    at::Tensor sum = outputs[0].new_zeros({});
    int64_t shown = 0;
    for (int64_t i = 0; i < outputs[0].size(0); ++i) {
      at::Tensor boxes = targets[0][i].to(outputs[1].scalar_type());
      boxes.narrow(1, 2, 2).add_(1);
      const at::Tensor matched = Matched(boxes, levels, centres, sides);
      const at::Tensor here = matched.ge(0).nonzero().squeeze(1);
      const at::Tensor objects = matched.index_select(0, here);
      const at::Tensor& logits = outputs[0][i];
      at::Tensor classes = at::zeros_like(logits);
      classes.view(-1).index_fill_(
          0, here * options_.num_classes + targets[1][i].index_select(0, objects), 1);
      const at::Tensor wanted = boxes.index_select(0, objects);
      const at::Tensor from_low = centres.index_select(0, here) - wanted.narrow(1, 0, 2);
      const at::Tensor to_high = wanted.narrow(1, 2, 2) - centres.index_select(0, here);
      const at::Tensor centred =
          (at::minimum(from_low, to_high) / at::maximum(from_low, to_high)).prod(1).sqrt();
      sum = sum + FocalLoss(logits, classes) +
            OverlapLoss(BoxesOf(outputs[1][i].index_select(0, here), cells.index_select(0, here)),
                        wanted) +
            at::binary_cross_entropy_with_logits(outputs[2][i].squeeze(1).index_select(0, here),
                                                 centred, /*weight=*/{}, /*pos_weight=*/{},
                                                 at::Reduction::Sum);
      shown += here.size(0);
    }
    return sum / std::max<int64_t>(1, shown);
  }

 private:
  struct Grid {
    int64_t rows, columns;
  };

  Conv2dOptions Last(int64_t numbers, double gain, bool positive_bias = false) const {
    return {.in = options_.fpn_channels,
            .out = numbers,
            .kernel = 3,
            .padding = 1,
            .bias = true,
            .gain = gain,
            .positive_bias = positive_bias};
  }

  // Square boxes around the cells of each level, for the image that Forward got last.
  std::vector<at::Tensor> Cells(const at::Tensor& like) const {
    std::vector<at::Tensor> cells;
    for (const auto& [rows, columns] : grids_) {
      const CellAnchors cell = {.sizes = {kFinestSize << cells.size()}, .ratios = {1}};
      cells.push_back(GridAnchors(cell, rows, columns, height_ / rows, width_ / columns, like));
    }
    return cells;
  }

  // The object (M of them) that each cell shall show, int64 (K), or kBackground: the smallest in which the cell's
  // centre is, near the object's own, at a distance that is its level's.
  static at::Tensor Matched(const at::Tensor& objects, const std::vector<at::Tensor>& levels,
                            const at::Tensor& centres, const at::Tensor& sides) {
    const at::Tensor low = objects.narrow(1, 0, 2), high = objects.narrow(1, 2, 2);
    const at::Tensor of_cells = centres.unsqueeze(1);  // (K, 1, 2)
    const at::Tensor near = (of_cells - (low + high) / 2).abs().amax(2).lt(kCentre * sides);
    const at::Tensor distances = at::concat({of_cells - low, high - of_cells}, 2);  // (K, M, 4)
    at::Tensor nearest = sides * kNearest, farthest = sides * kFarthest;
    nearest.narrow(0, 0, levels.front().size(0)).zero_();
    const int64_t coarsest = levels.back().size(0);
    farthest.narrow(0, farthest.size(0) - coarsest, coarsest)
        .fill_(std::numeric_limits<double>::infinity());
    const at::Tensor edge = distances.amax(2);
    const at::Tensor shown = near & distances.amin(2).gt(0) & edge.gt(nearest) & edge.lt(farthest);
    const auto [best, smallest] = (shown * (1e8 - (high - low).prod(1))).max(1);
    return smallest.masked_fill(best < 1e-5, kBackground);
  }

  const FcosOptions options_;
  ResNetBackbone body_;
  FeaturePyramid fpn_;
  Tower of_scores_;
  Conv2d scores_;
  Tower of_boxes_;
  Conv2d codes_;
  Conv2d centredness_;
  // The size of the last Forward's image, which its outputs do not show.
  int64_t height_ = 0, width_ = 0;
  std::vector<Grid> grids_;
};

template <bool kDetections>
absl::StatusOr<std::unique_ptr<Model>> MakeFcos(const Parameters& parameters) {
  const FcosOptions options = {.backbone = {.bottleneck = parameters.Text("block") == "bottleneck",
                                            .layers = parameters.Integers("layers")},
                               .fpn_channels = parameters.Integer("fpn_channels"),
                               .num_classes = parameters.Integer("num_classes"),
                               .detections_per_img = parameters.Integer("detections_per_img"),
                               .gives_detections = kDetections};
  const absl::Status status = CheckCount("fcos", parameters, "layers", 4, "one for each stage");
  if (!status.ok()) return status;
  if (options.fpn_channels % kGroups != 0) {
    return absl::InvalidArgumentError(absl::StrCat("fcos: fpn_channels ", options.fpn_channels,
                                                   " is no multiple of the ", kGroups,
                                                   " groups of a norm"));
  }
  return std::make_unique<Fcos>(options);
}

// Two names of the same code, since an implementation's table fixes what the outputs are.
ASSAY_MODEL_IMPLEMENTATION("fcos", MakeFcos<false>);
ASSAY_MODEL_IMPLEMENTATION("fcos_detections", MakeFcos<true>);

}  // namespace
}  // namespace assay::models
