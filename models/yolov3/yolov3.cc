// YOLOv3 (https://arxiv.org/abs/1804.02767): the Darknet-53 backbone and detection heads at three
// sizes; and YOLOv3-SPP, which pools at three sizes in its first head. Layers and their numbers are
// those of Darknet's yolov3.cfg and yolov3-spp.cfg; tensor names, order and shapes, epsilon and
// momentum those of ultralytics' PyTorch version of them, so its checkpoints fit.
//
// The output is what Darknet's yolo layers give: for each box x and y inside its cell, objectness and
// classes between 0 and 1, width and height as they are. Grids and anchors, which turn that into
// pixels, come behind the network in Darknet, and are no part of it here; nor is the choice of boxes.
// Boxes are in ultralytics' order: heads from the coarsest on, then anchors, rows, columns.

#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/upsample_nearest2d.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/gradient.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStageBlocks[] = {1, 2, 8, 8, 4};  // each stage halves the image
constexpr int64_t kStemChannels = 32;
constexpr int64_t kStride = 32;  // pixels of the image, a side, in a cell of the coarsest head
constexpr int64_t kAnchors = 3;  // boxes of a cell
constexpr int64_t kBox = 5;      // x, y, width, height, objectness
// Factors on the weights' recipe and on the scale of the last norm of a residual branch: what the
// activation takes away, without the growth over 23 sums. With sqrt(2) and 1 the heads' numbers had a
// standard deviation of 20,000 and every sigmoid was 0 or 1.
constexpr double kGain = 1.2;
constexpr double kBranchGain = 0.3;

// Convolutions of a stage: one halves the image, pairs of others are added to what they are given.
struct Stage {
  std::unique_ptr<ConvNormActivation> halve;
  std::vector<std::unique_ptr<ConvNormActivation>> pairs;
};

// Finds boxes, in features of the stage before and of the backbone side by side.
struct Head {
  std::unique_ptr<ConvNormActivation> narrow;  // of what comes from the coarser head; it has none
  std::vector<std::unique_ptr<ConvNormActivation>> convs;
  std::unique_ptr<ConvNormActivation> after_pooling;  // null: nothing is pooled
  std::unique_ptr<Conv2d> boxes;
};

constexpr int kHeads = 3;
constexpr size_t kConvs = 6;       // of a head
constexpr size_t kContinued = 5;   // so many of them make what a finer head takes over
constexpr size_t kPooled = 2;      // the one behind which YOLOv3-SPP pools
constexpr int kPyramidLayers = 6;  // of the pyramid, as Darknet counts

// The largest number near each pixel, in squares of three sizes, beside the pixels themselves.
at::Tensor Pyramid(const at::Tensor& x) {
  const auto pooled = [&](int64_t side) {
    return at::max_pool2d(x, {side, side}, /*stride=*/{1, 1}, /*padding=*/{side / 2, side / 2});
  };
  return at::concat({pooled(13), pooled(9), pooled(5), x}, 1);
}

class YoloV3 final : public LayeredModel {
 public:
  YoloV3(const char* family, bool pools, int64_t num_classes)
      : family_(family), rows_(kBox + num_classes) {
    stem_ = Convolve(3, kStemChannels, 3);
    int64_t channels = kStemChannels;
    for (const int64_t blocks : kStageBlocks) {
      Stage& stage = stages_.emplace_back();
      stage.halve = Convolve(channels, 2 * channels, 3, 2);
      channels *= 2;
      for (int64_t i = 0; i < blocks; ++i) {
        stage.pairs.push_back(Convolve(channels, channels / 2, 1));
        stage.pairs.push_back(Convolve(channels / 2, channels, 3, 1, kBranchGain));
        ++number_;  // the sum
      }
    }
    for (int i = 0; i < kHeads; ++i) AddHead(i, channels >> (i + 1), pools && i == 0);
  }

  // Images (N, 3, H, W) of whole cells -> a row for each box (N, H * W * 63 / 1024, 5 + num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], family_, {.multiple_of = kStride});
    at::Tensor x = stem_->Forward(inputs[0]);
    std::vector<at::Tensor> features;  // of the stages that heads look at
    for (size_t s = 0; s < stages_.size(); ++s) {
      const Stage& stage = stages_[s];
      x = stage.halve->Forward(x);
      for (size_t i = 0; i < stage.pairs.size(); i += 2) {
        const at::Tensor branch = stage.pairs[i + 1]->Forward(stage.pairs[i]->Forward(x));
        x = AutogradRecords(branch) ? branch.add(x) : branch.add_(x);  // it needs the activation's
      }
      if (s + kHeads >= stages_.size()) features.push_back(x);
    }
    std::vector<at::Tensor> found;
    for (const Head& head : heads_) {
      if (head.narrow) {
        x = head.narrow->Forward(x);
        x = at::upsample_nearest2d(x, {2 * x.size(2), 2 * x.size(3)});
        x = at::concat({x, features.back()}, 1);
      }
      features.pop_back();
      for (size_t i = 0; i < kContinued; ++i) {
        x = head.convs[i]->Forward(x);
        if (i == kPooled && head.after_pooling) x = head.after_pooling->Forward(Pyramid(x));
      }
      found.push_back(Rows(head.boxes->Forward(head.convs[kContinued]->Forward(x))));
    }
    const std::vector<at::Tensor> parts =
        at::concat(found, 1).split_with_sizes({2, 2, rows_ - 4}, 2);
    return {at::concat({parts[0].sigmoid(), parts[1], parts[2].sigmoid()}, 2)};
  }

 private:
  std::string NextName() { return absl::StrCat("module_list.", number_++); }

  std::unique_ptr<ConvNormActivation> Convolve(int64_t in, int64_t out, int64_t kernel,
                                               int64_t stride = 1, double norm_gain = 1) {
    const std::string name = NextName();
    return std::make_unique<ConvNormActivation>(
        *this, ConvNormNames{name + ".Conv2d", name + ".BatchNorm2d"},
        ConvNormActivationOptions{.in = in,
                                  .out = out,
                                  .kernel = kernel,
                                  .stride = stride,
                                  .activation = Activation::kLeakyRelu,
                                  .eps = 1e-4,
                                  .momentum = 0.03,
                                  .gain = kGain,
                                  .norm_gain = norm_gain});
  }

  void AddHead(int i, int64_t channels, bool pools) {
    Head& head = heads_.emplace_back();
    int64_t in = 2 * channels;
    if (i > 0) {
      ++number_;  // goes back to what the coarser head made
      head.narrow = Convolve(2 * channels, channels, 1);
      number_ += 2;  // doubles it and puts it beside the backbone's
      in += channels;
    }
    while (head.convs.size() < kConvs) {
      head.convs.push_back(Convolve(in, channels, 1));
      if (pools && head.convs.size() == kPooled + 1) {
        number_ += kPyramidLayers;
        head.after_pooling = Convolve(4 * channels, channels, 1);
      }
      head.convs.push_back(Convolve(channels, 2 * channels, 3));
      in = 2 * channels;
    }
    head.boxes = std::make_unique<Conv2d>(
        *this, NextName() + ".Conv2d",
        Conv2dOptions{.in = in, .out = kAnchors * rows_, .kernel = 1, .bias = true});
    ++number_;  // the yolo layer
  }

  // (N, anchors * row, h, w) -> (N, anchors * h * w, row).
  at::Tensor Rows(const at::Tensor& x) const {
    return x.view({x.size(0), kAnchors, rows_, x.size(2), x.size(3)})
        .permute({0, 1, 3, 4, 2})
        .reshape({x.size(0), -1, rows_});
  }

  const char* family_;
  int64_t rows_;    // numbers of a box
  int number_ = 0;  // of the next layer, as Darknet counts
  std::unique_ptr<ConvNormActivation> stem_;
  std::vector<Stage> stages_;
  std::vector<Head> heads_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "yolov3", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<YoloV3>("yolov3", /*pools=*/false, parameters.Integer("num_classes"));
    });

ASSAY_MODEL_IMPLEMENTATION(
    "yolov3_spp", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<YoloV3>("yolov3_spp", /*pools=*/true,
                                      parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
