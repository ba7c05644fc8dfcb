// Faster R-CNN and Mask R-CNN as torchvision builds them (torchvision/models/detection/faster_rcnn.py,
// mask_rcnn.py), tensor names, order and shapes included:
//
//     image ── ResNet ── features ── proposals ── regions ── label, box ── mask
//
// Features are the levels of a pyramid, or one map: the third stage's (C4) or the fourth's, dilated (DC5), as
// detectron2 has them. With C4 the fourth stage looks at regions. The image is one that torchvision's
// transform has normalised and resized.
//
// A network that learns has frozen norms, as published files have them, and its stem and first stage stay as they
// are. torchvision draws the anchors and regions that count; here they are a fixed choice (balanced_sample.h).

#include <ATen/core/Tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

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
#include "models/layers/detection/proposal_network.h"
#include "models/layers/detection/region_targets.h"
#include "models/layers/detection/regions.h"
#include "models/layers/vision/conv_transpose2d.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/resnet_backbone.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kStride = 32;
constexpr int64_t kPooled = 7, kPooledLarge = 14;  // cells a side of a region
// Factors on the weights' recipe. That before a ReLU makes up for what it takes away. The scores of one map, whose
// features are small, would all be low.
constexpr double kReluGain = 1.4142135623730951, kOneMapScoreGain = 2;

// What Forward gives.
enum class Gives { kNumbers, kDetections, kLosses };

struct RcnnOptions {
  ResNetBackboneOptions backbone;
  std::string features;  // "fpn", "c4", "dc5"
  int64_t fpn_channels, representation_size, num_classes, regions;
  int64_t of_image;  // regions that become boxes or get a mask, or that count in losses
  bool masks;
  Gives gives;

  bool pyramid() const { return features == "fpn"; }
  bool stage_of_regions() const { return features == "c4"; }
};

class Rcnn final : public LayeredModel, public Trainable, public Detector {
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
    proposals_ = std::make_unique<ProposalNetwork>(
        *this, "rpn.head",
        ProposalNetworkOptions{.channels = channels, .pyramid = options.pyramid()});
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
  // A network that learns takes images, objects' boxes int64 (N, objects, 4), whose right and lower edges are pixels of the
  // object, labels int64 (N, objects), from 1 on, and with masks those (N, objects, H, W) -> its losses, scalars.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& image = inputs[0];
    CheckImage(image, "rcnn", {.multiple_of = kStride});
    size_ = {.height = image.size(2), .width = image.size(3)};
    const std::vector<at::Tensor> levels = Levels(image);
    const std::vector<AnchorNumbers> numbers = proposals_->Forward(levels);
    if (options_.gives == Gives::kLosses) return Losses(levels, numbers, inputs.slice(1));
    if (options_.gives == Gives::kDetections) {
      return WholeDetections(levels, proposals_->Proposals(numbers, size_, options_.regions));
    }
    SetGivenRegions(inputs[1], levels[0]);
    const int64_t images = image.size(0), count = given_.size(1);
    const auto [scores, codes] = BoxNumbers(levels, RegionsOf(given_).numbered);
    const auto [anchor_scores, anchor_codes] = OfAllLevels(numbers);
    std::vector<at::Tensor> outputs = {anchor_scores, anchor_codes,
                                       scores.view({images, count, -1}),
                                       codes.view({images, count, -1})};
    if (options_.masks) {
      const RegionRows first = RegionsOf(given_.narrow(1, 0, options_.of_image));
      outputs.push_back(
          MaskLogits(levels, first.numbered).unflatten(0, {images, options_.of_image}));
    }
    return outputs;
  }

  // The outputs are those of a network that learns.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor>) override {
    return at::stack(outputs).sum();
  }

  // The regions are those that Forward got last.
  at::Tensor Detections(at::ArrayRef<at::Tensor> outputs) override {
    return BoxesOfRegions(outputs[2].flatten(0, 1), outputs[3].flatten(0, 1), RegionsOf(given_),
                          outputs[2].size(0), size_, options_.of_image);
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

  std::vector<at::Tensor> Losses(const std::vector<at::Tensor>& levels,
                                 const std::vector<AnchorNumbers>& numbers,
                                 at::ArrayRef<at::Tensor> objects) {
    at::Tensor boxes = objects[0].to(InFloats(numbers[0].codes).scalar_type());
    boxes.narrow(2, 2, 2).add_(1);
    std::vector<at::Tensor> losses = proposals_->Losses(numbers, size_, boxes);
    const at::Tensor proposals = proposals_->Proposals(numbers, size_, options_.regions);
    const RegionTargets counted = SampledRegions(proposals, boxes, objects[1], options_.of_image);
    const auto [scores, codes] = BoxNumbers(levels, counted.numbered);
    for (at::Tensor& loss : BoxLosses(scores, codes, counted)) losses.push_back(std::move(loss));
    if (options_.masks) {
      const RegionTargets shown = WithObjects(counted);
      losses.push_back(MaskLoss(MaskLogits(levels, shown.numbered), objects[2], shown));
    }
    return losses;
  }

  void SetGivenRegions(const at::Tensor& regions, const at::Tensor& features) {
    TORCH_CHECK_VALUE(regions.dim() == 3 && regions.size(0) == features.size(0) &&
                          regions.size(1) >= options_.of_image && regions.size(2) == 4,
                      "rcnn: regions are ", regions.sizes(), "; they must be (", features.size(0),
                      " images, ", options_.of_image, " regions or more, 4)");
    given_ = InFloats(features.new_zeros({regions.size(0), regions.size(1), 6}));
    given_.narrow(2, 2, 4).copy_(regions);
    given_.narrow(2, 4, 2).add_(1);
  }

  // Scores (K, num_classes) and codes (K, num_classes * 4).
  std::pair<at::Tensor, at::Tensor> BoxNumbers(const std::vector<at::Tensor>& levels,
                                               const at::Tensor& regions) {
    at::Tensor x;
    if (options_.stage_of_regions()) {
      x = body_.High(PooledRegions(levels, regions, kPooledLarge)).mean({2, 3});
    } else {
      x = fc6_->Forward(PooledRegions(levels, regions, kPooled).flatten(1)).relu_();
      x = fc7_->Forward(x).relu_();
    }
    return {scores_->Forward(x), codes_->Forward(x)};
  }

  // (K, num_classes, M, M).
  at::Tensor MaskLogits(const std::vector<at::Tensor>& levels, const at::Tensor& regions) {
    at::Tensor x = PooledRegions(levels, regions, kPooledLarge);
    if (options_.stage_of_regions()) x = body_.High(std::move(x));
    for (const std::unique_ptr<Conv2d>& conv : mask_convs_) x = conv->Forward(x).relu_();
    return mask_logits_->Forward(larger_masks_->Forward(x).relu_());
  }

  std::vector<at::Tensor> WholeDetections(const std::vector<at::Tensor>& levels,
                                          const at::Tensor& proposals) {
    const RegionRows regions = RegionsOf(proposals);
    const auto [logits, codes] = BoxNumbers(levels, regions.numbered);
    const int64_t images = proposals.size(0), most = options_.of_image;
    const at::Tensor rows = BoxesOfRegions(logits, codes, regions, images, size_, most);
    if (!options_.masks) return {rows};
    const RegionRows found = RegionsOf(rows);
    const at::Tensor all = MaskLogits(levels, found.numbered);
    const at::Tensor labels = rows.select(2, 0).flatten().index_select(0, found.places);
    at::Tensor masks = at::zeros({images * most, all.size(2), all.size(3)}, all.options());
    masks.index_copy_(0, found.places, OfLabels(all, labels.to(at::kLong)).sigmoid());
    return {rows, masks.unflatten(0, {images, most})};
  }

  const RcnnOptions options_;
  ResNetBackbone body_;
  std::unique_ptr<FeaturePyramid> fpn_;  // of a pyramid
  std::unique_ptr<ProposalNetwork> proposals_;
  std::unique_ptr<Linear> fc6_, fc7_;  // not with C4
  std::unique_ptr<Linear> scores_, codes_;
  std::vector<std::unique_ptr<Conv2d>> mask_convs_;  // of a pyramid
  std::unique_ptr<ConvTranspose2d> larger_masks_;
  std::unique_ptr<Conv2d> mask_logits_;
  // The size of the last Forward's image and its regions, as rows, which its outputs do not show.
  ImageSize size_ = {};
  at::Tensor given_;
};

template <bool kMasks, Gives kGives>
absl::StatusOr<std::unique_ptr<Model>> MakeRcnn(const Parameters& parameters) {
  constexpr bool kLearns = kGives == Gives::kLosses;
  const char* const of_image = kLearns ? "box_batch_size_per_image" : "detections_per_img";
  const std::string features(parameters.Text("features"));
  const RcnnOptions options = {.backbone = {.bottleneck = parameters.Text("block") == "bottleneck",
                                            .layers = parameters.Integers("layers"),
                                            .dilated_stages = features == "dc5" ? 1 : 0,
                                            .frozen_norms = kLearns,
                                            .frozen_start = kLearns},
                               .features = features,
                               .fpn_channels = parameters.Integer("fpn_channels"),
                               .representation_size = parameters.Integer("representation_size"),
                               .num_classes = parameters.Integer("num_classes"),
                               .regions = parameters.Integer("regions"),
                               .of_image = parameters.Integer(of_image),
                               .masks = kMasks,
                               .gives = kGives};
  const absl::Status status = CheckCount("rcnn", parameters, "layers", 4, "one for each stage");
  if (!status.ok()) return status;
  if (features == "dc5" && (kMasks || !options.backbone.bottleneck)) {
    return absl::InvalidArgumentError(
        "rcnn: features dc5 are there for block bottleneck without masks; take fpn or c4");
  }
  if (!kLearns && options.regions < options.of_image) {
    return absl::InvalidArgumentError(absl::StrCat("rcnn: regions ", options.regions,
                                                   " are fewer than detections_per_img ",
                                                   options.of_image));
  }
  return std::make_unique<Rcnn>(options);
}

// Six names of the same code, since an implementation's table fixes what the outputs are.
ASSAY_MODEL_IMPLEMENTATION("rcnn", (MakeRcnn<false, Gives::kNumbers>));
ASSAY_MODEL_IMPLEMENTATION("rcnn_masks", (MakeRcnn<true, Gives::kNumbers>));
ASSAY_MODEL_IMPLEMENTATION("rcnn_detections", (MakeRcnn<false, Gives::kDetections>));
ASSAY_MODEL_IMPLEMENTATION("rcnn_masks_detections", (MakeRcnn<true, Gives::kDetections>));
ASSAY_MODEL_IMPLEMENTATION("rcnn_losses", (MakeRcnn<false, Gives::kLosses>));
ASSAY_MODEL_IMPLEMENTATION("rcnn_masks_losses", (MakeRcnn<true, Gives::kLosses>));

}  // namespace
}  // namespace assay::models
