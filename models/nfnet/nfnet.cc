// Networks without norms as timm builds them (timm/models/nfnet.py): its own, and those that
// DeepMind's weights fit. Tensor names, order and shapes are timm's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/silu.h>

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
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/padding_by_size.h"
#include "models/layers/vision/squeeze_excitation.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStem = 128;                     // channels
constexpr double kAlpha = 0.2;                     // factor on a block's branch
constexpr double kGateGain = 2;                    // factor on what the squeeze-excitation leaves
constexpr double kWeightEps = 1e-5;                // added to the variance of a filter
constexpr double kGeluGamma = 1.7015043497085571;  // keep the variance of a normal distribution
constexpr double kSiluGamma = 1.7881293296813965;

struct NfNetOptions {
  std::vector<int64_t> layers;    // blocks in each stage
  std::vector<int64_t> channels;  // of each stage
  int64_t last;                   // channels in front of the classifier
  int64_t bottleneck;             // outer channels to inner ones
  int64_t squeeze;                // outer channels to those that they are squeezed to
  int64_t group_width;
  bool silu;      // or GELU
  bool deepmind;  // as its weights were trained: see the uses
  int64_t num_classes;

  double gamma() const { return silu ? kSiluGamma : kGeluGamma; }

  // DeepMind's networks scale what the activation gives, timm's the weights behind it.
  at::Tensor Activated(const at::Tensor& x) const {
    at::Tensor y = silu ? at::silu(x) : at::gelu(x);
    return deepmind ? y.mul_(gamma()) : y;
  }
};

struct ConvolutionOptions {
  int64_t in;
  int64_t out;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t groups = 1;
};

// A convolution whose filters have mean 0 and a variance that is learned, in every call anew.
class StandardizedConv2d final : public Layer {
 public:
  StandardizedConv2d(Layer& parent, std::string name, const NfNetOptions& net,
                     const ConvolutionOptions& options)
      : Layer(parent, std::move(name)),
        options_(options),
        // As TensorFlow pads: evenly, or one pixel more behind the image.
        pads_by_size_(net.deepmind && options.stride > 1) {
    const int64_t in_per_group = options.in / options.groups;
    const int64_t fan_in = in_per_group * options.kernel * options.kernel;
    scale_ = (net.deepmind ? 1 : net.gamma()) / std::sqrt(static_cast<double>(fan_in));
    AddParameter("weight", {options.out, in_per_group, options.kernel, options.kernel},
                 WeightInit(fan_in), weight_);
    AddParameter("bias", {options.out}, BiasInit(), bias_);
    AddParameter("gain", {options.out, 1, 1, 1}, ScaleInit(), gain_);
  }

  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor weight =
        at::batch_norm(weight_.view({1, options_.out, -1}), gain_.mul(scale_).view(-1), {}, {}, {},
                       /*training=*/true, /*momentum=*/0, kWeightEps, /*cudnn_enabled=*/true)
            .view(weight_.sizes());
    const int64_t padding = pads_by_size_ ? 0 : options_.kernel / 2;
    return at::conv2d(pads_by_size_ ? PaddedBySize(x, options_.kernel, options_.stride) : x, weight,
                      bias_, {options_.stride, options_.stride}, {padding, padding},
                      /*dilation=*/{1, 1}, options_.groups);
  }

 private:
  ConvolutionOptions options_;
  bool pads_by_size_;
  double scale_;
  at::Tensor weight_;  // (out, in / groups, kernel, kernel)
  at::Tensor bias_;    // (out)
  at::Tensor gain_;    // (out, 1, 1, 1)
};

// Activation, 1x1 to narrow, two grouped 3x3, 1x1 to wide with an activation in front of each, and
// squeeze-excitation; scaled and added to the input.
class Block final : public Layer {
 public:
  // beta: one over the standard deviation that the input would have with the first weights.
  Block(Layer& parent, std::string name, const NfNetOptions& net, int64_t in, int64_t out,
        int64_t stride, double beta)
      : Layer(parent, std::move(name)),
        net_(net),
        stride_(stride),
        beta_(beta),
        downsample_(in == out && stride == 1 ? nullptr
                                             : std::make_unique<StandardizedConv2d>(
                                                   *this, "downsample.conv", net,
                                                   ConvolutionOptions{.in = in, .out = out})),
        conv1_(*this, "conv1", net, {.in = in, .out = out / net.bottleneck}),
        conv2_(*this, "conv2", net, Inner(net, out, stride)),
        conv2b_(*this, "conv2b", net, Inner(net, out, 1)),
        conv3_(*this, "conv3", net, {.in = out / net.bottleneck, .out = out}),
        squeeze_excitation_(*this, "attn_last", {.channels = out, .squeezed = out / net.squeeze}) {
    if (net.deepmind) AddParameter("skipinit_gain", {}, ScaleInit(), skipinit_gain_);
  }

  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor y = net_.Activated(x).mul_(beta_);
    const at::Tensor shortcut = downsample_ ? downsample_->Forward(Halved(y)) : x;
    y = conv2_.Forward(net_.Activated(conv1_.Forward(y)));
    y = conv3_.Forward(net_.Activated(conv2b_.Forward(net_.Activated(y))));
    y = squeeze_excitation_.Forward(y).mul_(kGateGain);
    if (skipinit_gain_.defined()) y = y.mul(skipinit_gain_);
    return shortcut.add(y, kAlpha);
  }

 private:
  static ConvolutionOptions Inner(const NfNetOptions& net, int64_t out, int64_t stride) {
    const int64_t inner = out / net.bottleneck;
    return {.in = inner,
            .out = inner,
            .kernel = 3,
            .stride = stride,
            .groups = inner / net.group_width};
  }

  at::Tensor Halved(const at::Tensor& x) const {
    if (stride_ == 1) return x;
    return at::avg_pool2d(x, {2, 2}, {2, 2}, /*padding=*/{0, 0}, /*ceil_mode=*/true,
                          /*count_include_pad=*/false);
  }

  const NfNetOptions& net_;
  int64_t stride_;
  double beta_;
  std::unique_ptr<StandardizedConv2d> downsample_;  // null where the input fits as it is
  StandardizedConv2d conv1_;
  StandardizedConv2d conv2_;
  StandardizedConv2d conv2b_;
  StandardizedConv2d conv3_;
  SqueezeExcitation squeeze_excitation_;
  at::Tensor skipinit_gain_;  // scalar; undefined in timm's own networks
};

class NfNet final : public LayeredModel {
 public:
  explicit NfNet(NfNetOptions options)
      : options_(std::move(options)),
        stem1_(*this, "stem.conv1", options_,
               {.in = 3, .out = kStem / 8, .kernel = 3, .stride = 2}),
        stem2_(*this, "stem.conv2", options_, {.in = kStem / 8, .out = kStem / 4, .kernel = 3}),
        stem3_(*this, "stem.conv3", options_, {.in = kStem / 4, .out = kStem / 2, .kernel = 3}),
        stem4_(*this, "stem.conv4", options_,
               {.in = kStem / 2, .out = kStem, .kernel = 3, .stride = 2}),
        blocks_(MakeBlocks()),
        last_(*this, "final_conv", options_,
              {.in = options_.channels.back(), .out = options_.last}),
        head_(*this, "head.fc", {.in = options_.last, .out = options_.num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "nfnet", {});
    at::Tensor x = stem2_.Forward(options_.Activated(stem1_.Forward(inputs[0])));
    x = stem3_.Forward(options_.Activated(x));
    x = stem4_.Forward(options_.Activated(x));
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x);
    x = options_.Activated(last_.Forward(x));
    return {head_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
  }

 private:
  std::vector<std::unique_ptr<Block>> MakeBlocks() {
    std::vector<std::unique_ptr<Block>> blocks;
    int64_t in = kStem;
    double variance = 1;  // of the input; a stage's first block lets none of its input through
    for (size_t stage = 0; stage < options_.layers.size(); ++stage) {
      const int64_t out = options_.channels[stage];
      for (int64_t i = 0; i < options_.layers[stage]; ++i) {
        blocks.push_back(std::make_unique<Block>(*this, absl::StrCat("stages.", stage, ".", i),
                                                 options_, in, out, stage > 0 && i == 0 ? 2 : 1,
                                                 1 / std::sqrt(variance)));
        if (i == 0) variance = 1;
        variance += kAlpha * kAlpha;
        in = out;
      }
    }
    return blocks;
  }

  const NfNetOptions options_;
  StandardizedConv2d stem1_;
  StandardizedConv2d stem2_;
  StandardizedConv2d stem3_;
  StandardizedConv2d stem4_;
  std::vector<std::unique_ptr<Block>> blocks_;
  StandardizedConv2d last_;
  Linear head_;
};

absl::Status Check(const NfNetOptions& options) {
  for (const int64_t channels : options.channels) {
    for (const int64_t divisor : {8 * options.squeeze, options.bottleneck * options.group_width}) {
      if (channels % divisor == 0) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("nfnet: channels ", channels, " are not a multiple of ", divisor,
                       ": of 8 * squeeze and of bottleneck * group_width"));
    }
  }
  return absl::OkStatus();
}

ASSAY_MODEL_IMPLEMENTATION(
    "nfnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      NfNetOptions options = {.layers = parameters.Integers("layers"),
                              .channels = parameters.Integers("channels"),
                              .last = parameters.Integer("last"),
                              .bottleneck = parameters.Integer("bottleneck"),
                              .squeeze = parameters.Integer("squeeze"),
                              .group_width = parameters.Integer("group_width"),
                              .silu = parameters.Text("activation") == "silu",
                              .deepmind = parameters.Flag("deepmind"),
                              .num_classes = parameters.Integer("num_classes")};
      absl::Status status = CheckForEachStage("nfnet", parameters, "layers", "channels");
      status.Update(Check(options));
      if (!status.ok()) return status;
      return std::make_unique<NfNet>(std::move(options));
    });

}  // namespace
}  // namespace assay::models
