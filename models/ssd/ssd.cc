// SSD300 as torchvision builds it (torchvision/models/detection/ssd.py): VGG16, further convolutions, and heads that
// look at six maps of features. Tensor names, order and shapes are torchvision's. The image is one that
// torchvision's transform has normalised and resized.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/meshgrid.h>
#include <ATen/ops/smooth_l1_loss.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
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
#include "models/layers/core/recipes.h"
#include "models/layers/detection/anchor_boxes.h"
#include "models/layers/detection/detection_rows.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kPixels = 300;
constexpr int64_t kNarrowest = 64;  // channels of the first stage
constexpr int64_t kFirstMap = 512;  // channels
// A map of features: how many pixels one of its cells stands for, and ratios of its boxes' sides beside 1.
struct Map {
  double stride;
  std::vector<double> ratios;
};
const Map kMaps[] = {{8, {2}}, {16, {2, 3}}, {32, {2, 3}}, {64, {2, 3}}, {100, {2}}, {300, {2}}};
constexpr double kScales[] = {0.07, 0.15, 0.33, 0.51, 0.69, 0.87, 1.05};  // of boxes, in images
constexpr CodeWeights kBoxWeights = {.shift = 10, .size = 5};
constexpr double kObject = 0.5;     // overlap of a box that shows an object
constexpr double kBackground3 = 3;  // boxes of background for each that shows an object
constexpr double kScoreThreshold = 0.01, kNmsThreshold = 0.45;
constexpr int64_t kCandidates = 400;              // of a label
constexpr double kReluGain = 1.4142135623730951;  // makes up for what a ReLU takes away

// A convolution and ReLU, perhaps a pooling before.
struct Step {
  std::unique_ptr<Conv2d> conv;
  enum { kNone, kHalf, kHalfRoundedUp, kSame } pooling = kNone;
};

at::Tensor Run(const std::vector<Step>& steps, at::Tensor x) {
  for (const Step& step : steps) {
    if (step.pooling == Step::kSame) {
      x = at::max_pool2d(x, {3, 3}, {1, 1}, {1, 1});
    } else if (step.pooling != Step::kNone) {
      x = at::max_pool2d(x, {2, 2}, {2, 2}, {0, 0}, {1, 1}, step.pooling == Step::kHalfRoundedUp);
    }
    x = step.conv->Forward(x).relu_();
  }
  return x;
}

struct SsdOptions {
  int64_t narrowing, num_classes, detections_per_img;
  bool gives_detections;  // Forward gives these, and not the heads' numbers
};

class Ssd final : public LayeredModel, public Trainable, public Detector {
 public:
  explicit Ssd(const SsdOptions& options) : options_(options) {
    const int64_t first = kFirstMap / options.narrowing;
    // Directions of all lengths become 1, a channel's part so much smaller.
    AddParameter("backbone.scale_weight", {first}, ScaleInit(std::sqrt(static_cast<double>(first))),
                 scale_);
    MakeBackbone();
    int64_t channels[] = {512, 1024, 512, 256, 256, 256};
    for (const bool of_classes : {true, false}) {
      for (size_t i = 0; i < std::size(kMaps); ++i) {
        const int64_t boxes = 2 + 2 * static_cast<int64_t>(kMaps[i].ratios.size());
        (of_classes ? scores_ : codes_)
            .push_back(std::make_unique<Conv2d>(
                *this,
                absl::StrCat("head.", of_classes ? "classification" : "regression",
                             "_head.module_list.", i),
                Conv2dOptions{.in = channels[i] / options.narrowing,
                              .out = boxes * (of_classes ? options.num_classes : 4),
                              .kernel = 3,
                              .padding = 1,
                              .bias = true}));
      }
    }
  }

  // Images (N, 3, 300, 300) -> for each default box its code (N, boxes, 4) and scores of classes
  // (N, boxes, num_classes); or detections.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "ssd", {.minimum = kPixels, .maximum = kPixels});
    at::Tensor x = Run(features_, inputs[0]);
    const at::Tensor length = x.norm(2, 1, /*keepdim=*/true).clamp_min(1e-12);
    std::vector<at::Tensor> maps = {scale_.view({1, -1, 1, 1}) * (x / length)};
    for (const std::vector<Step>& steps : extra_) maps.push_back(x = Run(steps, x));
    std::vector<at::Tensor> codes, scores;
    sides_.clear();
    for (size_t i = 0; i < maps.size(); ++i) {
      codes.push_back(RowsOfCells(codes_[i]->Forward(maps[i]), 4));
      scores.push_back(RowsOfCells(scores_[i]->Forward(maps[i]), options_.num_classes));
      sides_.push_back(maps[i].size(2));
    }
    std::vector<at::Tensor> found = {at::concat(codes, 1), at::concat(scores, 1)};
    if (options_.gives_detections) return {Detections(found)};
    return found;
  }

  at::Tensor Detections(at::ArrayRef<at::Tensor> outputs) override {
    const at::Tensor codes = InFloats(outputs[0]), scores = InFloats(outputs[1]).softmax(2);
    const at::Tensor defaults = DefaultBoxes(codes);
    std::vector<at::Tensor> images;
    for (int64_t i = 0; i < codes.size(0); ++i) {
      const at::Tensor boxes =
          ClippedBoxes(DecodedBoxes(codes[i], defaults, kBoxWeights), kPixels, kPixels);
      std::vector<Candidates> candidates;
      for (int64_t label = 1; label < options_.num_classes; ++label) {
        const auto [best, places, zeros] =
            BestOf(scores[i].narrow(1, label, 1), kScoreThreshold, kCandidates);
        candidates.push_back({boxes.index_select(0, places), best, zeros + label});
      }
      images.push_back(ChosenDetections(
          candidates, {.nms_threshold = kNmsThreshold, .most = options_.detections_per_img}));
    }
    return at::stack(images);
  }

  // Targets: boxes int64 (N, objects, 4), whose right and lower edges are pixels of the object, and labels
  // int64 (N, objects). The losses of codes and of scores, over the number of boxes that shall show an object.
  at::Tensor Loss(at::ArrayRef<at::Tensor> given, at::ArrayRef<at::Tensor> targets) override {
    const std::vector<at::Tensor> outputs = InFloats(given);
    const at::Tensor defaults = DefaultBoxes(outputs[0]);
    at::Tensor sum = outputs[0].new_zeros({});
    int64_t shown = 0;
    for (int64_t i = 0; i < outputs[0].size(0); ++i) {
      at::Tensor objects = targets[0][i].to(outputs[0].scalar_type());
      objects.narrow(1, 2, 2).add_(1);
      at::Tensor matched = MatchedObjects(objects, defaults, kObject, kObject,
                                          /*each_object=*/false);
      const at::Tensor nearest = std::get<1>(PairwiseIou(objects, defaults).max(1));
      matched.index_copy_(0, nearest, at::arange(objects.size(0), matched.options()));
      const at::Tensor here = matched.ge(0).nonzero().squeeze(1);
      const at::Tensor of_objects = matched.index_select(0, here);
      const at::Tensor wanted = EncodedBoxes(objects.index_select(0, of_objects),
                                             defaults.index_select(0, here), kBoxWeights);
      at::Tensor labels = at::zeros_like(matched);
      labels.index_copy_(0, here, targets[1][i].index_select(0, of_objects));
      const at::Tensor entropy =
          at::cross_entropy_loss(outputs[1][i], labels, /*weight=*/{}, at::Reduction::None);
      sum = sum +
            at::smooth_l1_loss(outputs[0][i].index_select(0, here), wanted, at::Reduction::Sum) +
            entropy.index_select(0, Counted(entropy, labels)).sum();
      shown += here.size(0);
    }
    return sum / std::max<int64_t>(1, shown);
  }

 private:
  // The boxes whose labels count: all that show an object, and of background those with the largest losses.
  static at::Tensor Counted(const at::Tensor& losses, const at::Tensor& labels) {
    const at::Tensor objects = labels.gt(0);
    const at::Tensor of_background =
        losses.detach().masked_fill(objects, -std::numeric_limits<double>::infinity());
    const at::Tensor order = std::get<1>(of_background.sort(/*dim=*/0, /*descending=*/true));
    const int64_t most = static_cast<int64_t>(kBackground3) * objects.sum().item<int64_t>();
    const at::Tensor hardest = order.narrow(0, 0, std::min(most, order.size(0)));
    return at::concat({objects.nonzero().squeeze(1), hardest});
  }

  void MakeBackbone() {
    int64_t in = 3;
    const auto conv = [&](const std::string& name, int64_t out, int64_t kernel, int64_t padding,
                          int64_t stride = 1, int64_t dilation = 1) {
      const Conv2dOptions options = {.in = in,
                                     .out = out / options_.narrowing,
                                     .kernel = kernel,
                                     .stride = stride,
                                     .padding = padding,
                                     .dilation = dilation,
                                     .bias = true,
                                     .gain = kReluGain};
      in = options.out;
      return std::make_unique<Conv2d>(*this, "backbone." + name, options);
    };
    // Names count poolings and ReLUs too.
    const int64_t stages[] = {64, 128, 256, 512};
    int number = 0;
    for (int stage = 0; stage < 4; ++stage) {
      for (int i = 0; i < (stage < 2 ? 2 : 3); ++i, number += 2) {
        const auto pooling = stage == 0 || i > 0 ? Step::kNone
                             : stage == 3        ? Step::kHalfRoundedUp
                                                 : Step::kHalf;
        features_.push_back(
            {conv(absl::StrCat("features.", number), stages[stage], 3, 1), pooling});
      }
      ++number;
    }
    std::vector<Step>& fifth = extra_.emplace_back();
    for (int i = 1; i <= 5; i += 2)
      fifth.push_back(
          {conv(absl::StrCat("extra.0.", i), 512, 3, 1), i == 1 ? Step::kHalf : Step::kNone});
    fifth.push_back({conv("extra.0.7.1", 1024, 3, /*padding=*/6, 1, /*dilation=*/6), Step::kSame});
    fifth.push_back({conv("extra.0.7.3", 1024, 1, 0)});
    for (int i = 1; i <= 4; ++i) {
      const bool halves = i <= 2;
      std::vector<Step>& steps = extra_.emplace_back();
      const std::string name = absl::StrCat("extra.", i, ".");
      steps.push_back({conv(name + "0", i == 1 ? 256 : 128, 1, 0)});
      steps.push_back({conv(name + "2", i == 1 ? 512 : 256, 3, halves ? 1 : 0, halves ? 2 : 1)});
    }
  }

  // (boxes, 4), for the maps that Forward made last. Sizes are rounded to float32, as torchvision's are.
  at::Tensor DefaultBoxes(const at::Tensor& like) const {
    std::vector<at::Tensor> all;
    for (size_t i = 0; i < sides_.size(); ++i) {
      std::vector<float> sizes;
      const auto add = [&](double width, double height) {
        for (const double side : {width, height})
          sizes.push_back(std::min(1.0F, static_cast<float>(side)));
      };
      const double scale = kScales[i], between = std::sqrt(scale * kScales[i + 1]);
      add(scale, scale);
      add(between, between);
      for (const double ratio : kMaps[i].ratios) {
        add(scale * std::sqrt(ratio), scale / std::sqrt(ratio));
        add(scale / std::sqrt(ratio), scale * std::sqrt(ratio));
      }
      const at::Tensor size = at::tensor(sizes).to(like.options()).view({1, -1, 2});
      const at::Tensor centre =
          (at::arange(sides_[i], like.options()) + 0.5) / (kPixels / kMaps[i].stride);
      const std::vector<at::Tensor> grid = at::meshgrid({centre, centre}, "ij");
      const at::Tensor at = at::stack({grid[1], grid[0]}, 2).view({-1, 1, 2});
      all.push_back((at::concat({at - 0.5 * size, at + 0.5 * size}, 2) * kPixels).view({-1, 4}));
    }
    return at::concat(all);
  }

  const SsdOptions options_;
  at::Tensor scale_;  // (channels of the first map)
  std::vector<Step> features_;
  std::vector<std::vector<Step>> extra_;  // the steps to each further map
  std::vector<std::unique_ptr<Conv2d>> scores_, codes_;
  std::vector<int64_t> sides_;  // of the last Forward's maps
};

template <bool kDetections>
absl::StatusOr<std::unique_ptr<Model>> MakeSsd(const Parameters& parameters) {
  const SsdOptions options = {.narrowing = parameters.Integer("narrowing"),
                              .num_classes = parameters.Integer("num_classes"),
                              .detections_per_img = parameters.Integer("detections_per_img"),
                              .gives_detections = kDetections};
  if (kNarrowest % options.narrowing != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("ssd: narrowing ", options.narrowing, " is no divisor of ", kNarrowest));
  }
  return std::make_unique<Ssd>(options);
}

// Two names of the same code, since an implementation's table fixes what the outputs are.
ASSAY_MODEL_IMPLEMENTATION("ssd", MakeSsd<false>);
ASSAY_MODEL_IMPLEMENTATION("ssd_detections", MakeSsd<true>);

}  // namespace
}  // namespace assay::models
