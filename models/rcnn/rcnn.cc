// Faster R-CNN and Mask R-CNN as torchvision builds them (torchvision/models/detection/faster_rcnn.py,
// mask_rcnn.py), tensor names, order and shapes included:
//
//     image ── ResNet ── features ── proposals ── regions ── label, box ── mask
//
// Features are the levels of a pyramid, or one map: the third stage's (C4) or the fourth's, dilated (DC5), as
// detectron2 has them. With C4 the fourth stage looks at regions. The image is one that torchvision's
// transform has normalised and resized.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
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
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/detection/anchor_boxes.h"
#include "models/layers/detection/detection_rows.h"
#include "models/layers/detection/feature_pyramid.h"
#include "models/layers/detection/regions.h"
#include "models/layers/vision/conv_transpose2d.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/resnet_backbone.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kSizes[] = {32, 64, 128, 256,
                              512};  // of anchors, pixels; of a pyramid each level has one
constexpr int64_t kRatios = 3;
constexpr int64_t kStride = 32;
constexpr int64_t kPooled = 7, kPooledLarge = 14;          // cells a side of a region
constexpr int64_t kCandidates = 1000;                      // proposals of a level
constexpr double kLeastProposal = 1e-3, kLeastBox = 1e-2;  // pixels a side
constexpr double kProposalNms = 0.7, kNms = 0.5;
constexpr double kScoreThreshold = 0.05;
constexpr CodeWeights kBoxWeights = {.shift = 10, .size = 5};
// Factors on the weights' recipe. That before a ReLU makes up for what it takes away. With 1 for the proposals'
// codes many boxes would have no area; the scores of one map, whose features are small, would all be low.
constexpr double kReluGain = 1.4142135623730951, kProposalGain = 0.2, kOneMapScoreGain = 2;

struct RcnnOptions {
  ResNetBackboneOptions backbone;
  std::string features;  // "fpn", "c4", "dc5"
  int64_t fpn_channels, representation_size, num_classes, regions, detections_per_img;
  bool masks, gives_detections;

  bool pyramid() const { return features == "fpn"; }
  bool stage_of_regions() const { return features == "c4"; }
};

class Rcnn final : public LayeredModel, public Detector {
 public:
  explicit Rcnn(const RcnnOptions& options)
      : options_(options), body_(*this, "backbone.body.", options.backbone) {
    const int64_t high = body_.high_channels(), classes = options.num_classes;
    const int64_t channels = options.pyramid()            ? options.fpn_channels
                             : options.stage_of_regions() ? body_.low_channels()
                                                          : high;
    if (options.pyramid()) {
      fpn_ = std::make_unique<FeaturePyramid>(
          *this, "backbone.fpn",
          FeaturePyramidOptions{.in = {high / 8, high / 4, high / 2, high}, .out = channels});
    }
    const int64_t anchors = kRatios * static_cast<int64_t>(CellsOf(0).sizes.size());
    proposal_conv_ = Convolution("rpn.head.conv.0.0", channels, channels, 3, kReluGain);
    objectness_ = Convolution("rpn.head.cls_logits", channels, anchors, 1, 1);
    proposal_codes_ = Convolution("rpn.head.bbox_pred", channels, anchors * 4, 1, kProposalGain);
    int64_t features = high;
    if (!options.stage_of_regions()) {
      features = options.representation_size;
      fc6_ = Dense("box_head.fc6", channels * kPooled * kPooled, features, kReluGain);
      fc7_ = Dense("box_head.fc7", features, features, kReluGain);
    }
    scores_ = Dense("box_predictor.cls_score", features, classes,
                    options.pyramid() ? 1 : kOneMapScoreGain);
    codes_ = Dense("box_predictor.bbox_pred", features, classes * 4, 1);
    if (!options.masks) return;
    int64_t of_masks = high;
    while (options.pyramid() && mask_convs_.size() < 4) {
      of_masks = channels;
      mask_convs_.push_back(
          Convolution(absl::StrCat("roi_heads.mask_head.", mask_convs_.size(), ".0"), channels,
                      channels, 3, kReluGain));
    }
    larger_masks_ =
        std::make_unique<ConvTranspose2d>(*this, "roi_heads.mask_predictor.conv5_mask",
                                          ConvTranspose2dOptions{.in = of_masks,
                                                                 .out = options.fpn_channels,
                                                                 .kernel = 2,
                                                                 .stride = 2,
                                                                 .bias = true,
                                                                 .gain = kReluGain});
    mask_logits_ = Convolution("roi_heads.mask_predictor.mask_fcn_logits", options.fpn_channels,
                               classes, 1, 1);
  }

  // Images (N, 3, H, W) and regions int64 (N, regions, 4), whose right and lower edges are pixels of the region
  // -> a score (N, anchors) and a code (N, anchors, 4) for each anchor, then for each region scores of classes
  // (N, regions, num_classes) and their codes (N, regions, num_classes * 4). With masks, the first
  // detections_per_img regions have logits as well (N, these, num_classes, M, M).
  // A network that gives detections takes images alone -> detections, and with masks the mask of each
  // (N, detections_per_img, M, M), numbers from 0 to 1.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& image = inputs[0];
    CheckImage(image, "rcnn", {.multiple_of = kStride});
    height_ = image.size(2);
    width_ = image.size(3);
    const std::vector<at::Tensor> levels = Levels(image);
    std::vector<at::Tensor> anchor_scores, anchor_codes;
    for (const at::Tensor& level : levels) {
      const at::Tensor x = proposal_conv_->Forward(level).relu_();
      anchor_scores.push_back(RowsOfCells(objectness_->Forward(x), 1).squeeze(2));
      anchor_codes.push_back(RowsOfCells(proposal_codes_->Forward(x), 4));
    }
    if (options_.gives_detections)
      return WholeDetections(levels, Proposals(levels, anchor_scores, anchor_codes));
    SetGivenRegions(inputs[1], levels[0]);
    const int64_t images = image.size(0), count = given_.size(1),
                  first = options_.detections_per_img;
    const auto [scores, codes] = BoxNumbers(levels, RegionsOf(given_));
    std::vector<at::Tensor> outputs = {at::concat(anchor_scores, 1), at::concat(anchor_codes, 1),
                                       scores.view({images, count, -1}),
                                       codes.view({images, count, -1})};
    if (options_.masks) {
      const at::Tensor logits = MaskLogits(levels, RegionsOf(given_.narrow(1, 0, first)));
      outputs.push_back(logits.unflatten(0, {images, first}));
    }
    return outputs;
  }

  // The regions are those that Forward got last.
  at::Tensor Detections(at::ArrayRef<at::Tensor> outputs) override {
    return DetectionsOf(outputs[2].flatten(0, 1), outputs[3].flatten(0, 1), RegionsOf(given_),
                        outputs[2].size(0));
  }

 private:
  std::unique_ptr<Conv2d> Convolution(const std::string& name, int64_t in, int64_t out,
                                      int64_t kernel, double gain) {
    return std::make_unique<Conv2d>(*this, name,
                                    Conv2dOptions{.in = in,
                                                  .out = out,
                                                  .kernel = kernel,
                                                  .padding = kernel / 2,
                                                  .bias = true,
                                                  .gain = gain});
  }

  std::unique_ptr<Linear> Dense(const char* name, int64_t in, int64_t out, double gain) {
    return std::make_unique<Linear>(*this, absl::StrCat("roi_heads.", name),
                                    LinearOptions{.in = in, .out = out, .gain = gain});
  }

  // One map, or the five levels of a pyramid, the finest first.
  std::vector<at::Tensor> Levels(const at::Tensor& image) {
    if (fpn_) return fpn_->Forward(body_.Stages(image));
    at::Tensor low = body_.Low(image);
    return {options_.stage_of_regions() ? low : body_.High(std::move(low))};
  }

  CellAnchors CellsOf(size_t level) const {
    if (options_.pyramid()) return {.sizes = {kSizes[level]}};
    return {.sizes = {std::begin(kSizes), std::end(kSizes)}};
  }

  // Rows (N, regions, 6), whose labels are levels.
  at::Tensor Proposals(const std::vector<at::Tensor>& levels, const std::vector<at::Tensor>& scores,
                       const std::vector<at::Tensor>& codes) const {
    std::vector<at::Tensor> images;
    for (int64_t image = 0; image < scores[0].size(0); ++image) {
      std::vector<Candidates> candidates;
      for (size_t i = 0; i < levels.size(); ++i) {
        const int64_t rows = levels[i].size(2), columns = levels[i].size(3);
        const at::Tensor of_level = InFloats(codes[i][image]);
        const at::Tensor anchors =
            GridAnchors(CellsOf(i), rows, columns, height_ / rows, width_ / columns, of_level);
        const auto [best, places] =
            InFloats(scores[i][image]).topk(std::min(kCandidates, anchors.size(0)));
        const at::Tensor boxes =
            DecodedBoxes(of_level.index_select(0, places), anchors.index_select(0, places));
        candidates.push_back(WithSides({ClippedBoxes(boxes, height_, width_), best.sigmoid(),
                                        at::full_like(places, static_cast<int64_t>(i))},
                                       kLeastProposal));
      }
      images.push_back(
          ChosenDetections(candidates, {.nms_threshold = kProposalNms, .most = options_.regions}));
    }
    return at::stack(images);
  }

  void SetGivenRegions(const at::Tensor& regions, const at::Tensor& features) {
    TORCH_CHECK_VALUE(regions.dim() == 3 && regions.size(0) == features.size(0) &&
                          regions.size(1) >= options_.detections_per_img && regions.size(2) == 4,
                      "rcnn: regions are ", regions.sizes(), "; they must be (", features.size(0),
                      " images, ", options_.detections_per_img, " regions or more, 4)");
    given_ = InFloats(features.new_zeros({regions.size(0), regions.size(1), 6}));
    given_.narrow(2, 2, 4).copy_(regions);
    given_.narrow(2, 4, 2).add_(1);
  }

  // Scores (K, num_classes) and codes (K, num_classes * 4).
  std::pair<at::Tensor, at::Tensor> BoxNumbers(const std::vector<at::Tensor>& levels,
                                               const RegionRows& regions) {
    at::Tensor x;
    if (options_.stage_of_regions()) {
      x = body_.High(PooledRegions(levels, regions.numbered, kPooledLarge)).mean({2, 3});
    } else {
      x = fc6_->Forward(PooledRegions(levels, regions.numbered, kPooled).flatten(1)).relu_();
      x = fc7_->Forward(x).relu_();
    }
    return {scores_->Forward(x), codes_->Forward(x)};
  }

  // (K, num_classes, M, M).
  at::Tensor MaskLogits(const std::vector<at::Tensor>& levels, const RegionRows& regions) {
    at::Tensor x = PooledRegions(levels, regions.numbered, kPooledLarge);
    if (options_.stage_of_regions()) x = body_.High(std::move(x));
    for (const std::unique_ptr<Conv2d>& conv : mask_convs_) x = conv->Forward(x).relu_();
    return mask_logits_->Forward(larger_masks_->Forward(x).relu_());
  }

  at::Tensor DetectionsOf(const at::Tensor& logits, const at::Tensor& codes,
                          const RegionRows& regions, int64_t images) const {
    const int64_t classes = options_.num_classes;
    const at::Tensor scores = InFloats(logits).softmax(1),
                     all_codes = InFloats(codes).view({-1, 4});
    std::vector<at::Tensor> rows;
    for (int64_t i = 0; i < images; ++i) {
      const at::Tensor mine = regions.numbered.select(1, 0).eq(i).nonzero().squeeze(1);
      const at::Tensor boxes = regions.numbered.index_select(0, mine).narrow(1, 1, 4);
      // The background has the first label.
      const auto [best, of_region, labels] =
          BestOf(scores.index_select(0, mine).narrow(1, 1, classes - 1), kScoreThreshold,
                 mine.size(0) * classes);
      const at::Tensor of_class = (mine.index_select(0, of_region) * classes + labels + 1);
      const at::Tensor decoded = DecodedBoxes(all_codes.index_select(0, of_class),
                                              boxes.index_select(0, of_region), kBoxWeights);
      const Candidates candidates = {ClippedBoxes(decoded, height_, width_), best, labels + 1};
      rows.push_back(
          ChosenDetections({WithSides(candidates, kLeastBox)},
                           {.nms_threshold = kNms, .most = options_.detections_per_img}));
    }
    return at::stack(rows);
  }

  std::vector<at::Tensor> WholeDetections(const std::vector<at::Tensor>& levels,
                                          const at::Tensor& proposals) {
    const RegionRows regions = RegionsOf(proposals);
    const auto [logits, codes] = BoxNumbers(levels, regions);
    const int64_t images = proposals.size(0), most = options_.detections_per_img;
    const at::Tensor rows = DetectionsOf(logits, codes, regions, images);
    if (!options_.masks) return {rows};
    const RegionRows found = RegionsOf(rows);
    const at::Tensor all = MaskLogits(levels, found);
    const at::Tensor labels = rows.select(2, 0).flatten().index_select(0, found.places);
    const at::Tensor places =
        at::arange(all.size(0), labels.options()) * options_.num_classes + labels;
    at::Tensor masks = at::zeros({images * most, all.size(2), all.size(3)}, all.options());
    masks.index_copy_(0, found.places,
                      all.flatten(0, 1).index_select(0, places.to(at::kLong)).sigmoid());
    return {rows, masks.unflatten(0, {images, most})};
  }

  const RcnnOptions options_;
  ResNetBackbone body_;
  std::unique_ptr<FeaturePyramid> fpn_;  // of a pyramid
  std::unique_ptr<Conv2d> proposal_conv_, objectness_, proposal_codes_;
  std::unique_ptr<Linear> fc6_, fc7_;  // not with C4
  std::unique_ptr<Linear> scores_, codes_;
  std::vector<std::unique_ptr<Conv2d>> mask_convs_;  // of a pyramid
  std::unique_ptr<ConvTranspose2d> larger_masks_;
  std::unique_ptr<Conv2d> mask_logits_;
  // The size of the last Forward's image and its regions, as rows, which its outputs do not show.
  int64_t height_ = 0, width_ = 0;
  at::Tensor given_;
};

template <bool kMasks, bool kDetections>
absl::StatusOr<std::unique_ptr<Model>> MakeRcnn(const Parameters& parameters) {
  const std::string features(parameters.Text("features"));
  const RcnnOptions options = {.backbone = {.bottleneck = parameters.Text("block") == "bottleneck",
                                            .layers = parameters.Integers("layers"),
                                            .dilated_stages = features == "dc5" ? 1 : 0},
                               .features = features,
                               .fpn_channels = parameters.Integer("fpn_channels"),
                               .representation_size = parameters.Integer("representation_size"),
                               .num_classes = parameters.Integer("num_classes"),
                               .regions = parameters.Integer("regions"),
                               .detections_per_img = parameters.Integer("detections_per_img"),
                               .masks = kMasks,
                               .gives_detections = kDetections};
  const absl::Status status = CheckCount("rcnn", parameters, "layers", 4, "one for each stage");
  if (!status.ok()) return status;
  if (features == "dc5" && (kMasks || !options.backbone.bottleneck)) {
    return absl::InvalidArgumentError(
        "rcnn: features dc5 are there for block bottleneck without masks; take fpn or c4");
  }
  if (options.regions < options.detections_per_img) {
    return absl::InvalidArgumentError(absl::StrCat("rcnn: regions ", options.regions,
                                                   " are fewer than detections_per_img ",
                                                   options.detections_per_img));
  }
  return std::make_unique<Rcnn>(options);
}

// Four names of the same code, since an implementation's table fixes what the outputs are.
ASSAY_MODEL_IMPLEMENTATION("rcnn", (MakeRcnn<false, false>));
ASSAY_MODEL_IMPLEMENTATION("rcnn_masks", (MakeRcnn<true, false>));
ASSAY_MODEL_IMPLEMENTATION("rcnn_detections", (MakeRcnn<false, true>));
ASSAY_MODEL_IMPLEMENTATION("rcnn_masks_detections", (MakeRcnn<true, true>));

}  // namespace
}  // namespace assay::models
