// Semantic segmentation as torchvision builds it (torchvision/models/segmentation): FCN, DeepLabV3
// and LR-ASPP on dilated ResNets and MobileNetV3. Tensor names, order and shapes are torchvision's,
// so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/upsample_bilinear2d.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/vision/backbone.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/mobilenet_v3_backbone.h"
#include "models/layers/vision/resnet_backbone.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kFcnDropout = 0.1;
constexpr double kAsppDropout = 0.5;
constexpr int64_t kAsppChannels = 256;
constexpr int64_t kAsppRates[] = {12, 24, 36};  // dilations
constexpr int64_t kLrasppChannels = 128;

at::Tensor Resized(const at::Tensor& x, const at::Tensor& like) {
  return at::upsample_bilinear2d(x, {like.size(2), like.size(3)}, /*align_corners=*/false);
}

// Makes scores of classes, smaller than the image, out of a backbone's features.
class Head : public Layer {
 public:
  using Layer::Layer;
  virtual at::Tensor Forward(const at::Tensor& low, const at::Tensor& high) = 0;
};

class FcnHead final : public Head {
 public:
  FcnHead(Layer& parent, std::string name, int64_t in, int64_t num_classes)
      : Head(parent, std::move(name)),
        conv_(*this, {"0", "1"}, {.in = in, .out = in / 4, .kernel = 3}),
        scores_(*this, "4", {.in = in / 4, .out = num_classes, .kernel = 1, .bias = true}) {}

  at::Tensor Forward(const at::Tensor& x) {
    return scores_.Forward(dropout_.Forward(conv_.Forward(x)));
  }
  at::Tensor Forward(const at::Tensor& /*low*/, const at::Tensor& high) override {
    return Forward(high);
  }

 private:
  ConvNormActivation conv_;
  Conv2d scores_;
  Dropout dropout_{*this, kFcnDropout};
};

// Atrous spatial pyramid pooling: the same features at several dilations, side by side.
class Aspp final : public Layer {
 public:
  Aspp(Layer& parent, std::string name, int64_t in)
      : Layer(parent, std::move(name)), point_(*this, NamesInSequence("convs.0"), Options(in)) {
    for (const int64_t rate : kAsppRates) {
      ConvNormActivationOptions options = Options(in);
      options.kernel = 3;
      options.dilation = rate;
      dilated_.push_back(std::make_unique<ConvNormActivation>(
          *this, NamesInSequence(absl::StrCat("convs.", dilated_.size() + 1)), options));
    }
    const std::string pooled = absl::StrCat("convs.", dilated_.size() + 1);
    pooled_ = std::make_unique<ConvNormActivation>(
        *this, ConvNormNames{pooled + ".1", pooled + ".2"}, Options(in));
    project_ = std::make_unique<ConvNormActivation>(
        *this, NamesInSequence("project"),
        Options(static_cast<int64_t>(dilated_.size() + 2) * kAsppChannels));
  }

  at::Tensor Forward(const at::Tensor& x) {
    std::vector<at::Tensor> parts = {point_.Forward(x)};
    for (const std::unique_ptr<ConvNormActivation>& conv : dilated_) {
      parts.push_back(conv->Forward(x));
    }
    parts.push_back(Resized(pooled_->Forward(at::adaptive_avg_pool2d(x, {1, 1})), x));
    return dropout_.Forward(project_->Forward(at::concat(parts, 1)));
  }

 private:
  static ConvNormActivationOptions Options(int64_t in) { return {.in = in, .out = kAsppChannels}; }

  ConvNormActivation point_;
  std::vector<std::unique_ptr<ConvNormActivation>> dilated_;
  std::unique_ptr<ConvNormActivation> pooled_;
  std::unique_ptr<ConvNormActivation> project_;
  Dropout dropout_{*this, kAsppDropout};
};

class DeepLabHead final : public Head {
 public:
  DeepLabHead(Layer& parent, std::string name, int64_t in, int64_t num_classes)
      : Head(parent, std::move(name)),
        aspp_(*this, "0", in),
        conv_(*this, {"1", "2"}, {.in = kAsppChannels, .out = kAsppChannels, .kernel = 3}),
        scores_(*this, "4", {.in = kAsppChannels, .out = num_classes, .kernel = 1, .bias = true}) {}

  at::Tensor Forward(const at::Tensor& /*low*/, const at::Tensor& high) override {
    return scores_.Forward(conv_.Forward(aspp_.Forward(high)));
  }

 private:
  Aspp aspp_;
  ConvNormActivation conv_;
  Conv2d scores_;
};

class LrasppHead final : public Head {
 public:
  LrasppHead(Layer& parent, std::string name, const Backbone& backbone, int64_t num_classes)
      : Head(parent, std::move(name)),
        cbr_(*this, NamesInSequence("cbr"),
             {.in = backbone.high_channels(), .out = kLrasppChannels}),
        scale_(*this, "scale.1",
               {.in = backbone.high_channels(), .out = kLrasppChannels, .kernel = 1}),
        low_scores_(*this, "low_classifier",
                    {.in = backbone.low_channels(), .out = num_classes, .kernel = 1, .bias = true}),
        high_scores_(*this, "high_classifier",
                     {.in = kLrasppChannels, .out = num_classes, .kernel = 1, .bias = true}) {}

  at::Tensor Forward(const at::Tensor& low, const at::Tensor& high) override {
    const at::Tensor scale = scale_.Forward(at::adaptive_avg_pool2d(high, {1, 1})).sigmoid_();
    const at::Tensor x = cbr_.Forward(high).mul(scale);
    return low_scores_.Forward(low).add_(high_scores_.Forward(Resized(x, low)));
  }

 private:
  ConvNormActivation cbr_;
  Conv2d scale_;
  Conv2d low_scores_;
  Conv2d high_scores_;
};

struct SegmentationOptions {
  std::string head;
  std::string backbone;
  bool auxiliary;
  int64_t num_classes;

  bool mobile() const { return backbone == "mobilenet_v3_large"; }
};

class Segmentation final : public LayeredModel {
 public:
  explicit Segmentation(const SegmentationOptions& options)
      : backbone_(MakeBackbone(options)), head_(MakeHead(options)) {
    if (!options.auxiliary) return;
    auxiliary_ = std::make_unique<FcnHead>(*this, "aux_classifier", backbone_->low_channels(),
                                           options.num_classes);
  }

  // Images (N, 3, H, W) -> scores (N, num_classes, H, W), and those of the auxiliary head.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& image = inputs[0];
    CheckImage(image, "segmentation", {});
    const at::Tensor low = backbone_->Low(image);
    std::vector<at::Tensor> outputs = {Resized(head_->Forward(low, backbone_->High(low)), image)};
    if (auxiliary_) outputs.push_back(Resized(auxiliary_->Forward(low), image));
    return outputs;
  }

 private:
  std::unique_ptr<Backbone> MakeBackbone(const SegmentationOptions& options) {
    if (options.mobile()) {
      return std::make_unique<MobileNetV3Backbone>(
          *this, "backbone.", MobileNetV3BackboneOptions{.large = true, .dilated = true});
    }
    return std::make_unique<ResNetBackbone>(
        *this, "backbone.",
        ResNetBackboneOptions{.bottleneck = true,
                              .layers = {3, 4, options.backbone == "resnet50" ? 6 : 23, 3},
                              .dilated_stages = 2});
  }

  std::unique_ptr<Head> MakeHead(const SegmentationOptions& options) {
    const int64_t in = backbone_->high_channels();
    if (options.head == "fcn") {
      return std::make_unique<FcnHead>(*this, "classifier", in, options.num_classes);
    }
    if (options.head == "deeplabv3") {
      return std::make_unique<DeepLabHead>(*this, "classifier", in, options.num_classes);
    }
    return std::make_unique<LrasppHead>(*this, "classifier", *backbone_, options.num_classes);
  }

  std::unique_ptr<Backbone> backbone_;
  std::unique_ptr<Head> head_;
  std::unique_ptr<FcnHead> auxiliary_;
};

absl::StatusOr<std::unique_ptr<Model>> MakeSegmentation(const Parameters& parameters) {
  const SegmentationOptions options = {.head = parameters.Text("head"),
                                       .backbone = parameters.Text("backbone"),
                                       .auxiliary = parameters.Flag("aux_loss"),
                                       .num_classes = parameters.Integer("num_classes")};
  if ((options.head == "fcn" && options.mobile()) ||
      (options.head == "lraspp" && !options.mobile())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "segmentation: torchvision has no ", options.head, " on ", options.backbone,
        "; fcn stands on a resnet, lraspp on mobilenet_v3_large, deeplabv3 on either"));
  }
  if (options.head == "lraspp" && options.auxiliary) {
    return absl::InvalidArgumentError(
        "segmentation: lraspp has no auxiliary head; aux_loss = False");
  }
  return std::make_unique<Segmentation>(options);
}

// Two names of the same code, since an implementation's table fixes how many outputs there are.
ASSAY_MODEL_IMPLEMENTATION("segmentation", MakeSegmentation);
ASSAY_MODEL_IMPLEMENTATION("segmentation_aux", MakeSegmentation);

}  // namespace
}  // namespace assay::models
