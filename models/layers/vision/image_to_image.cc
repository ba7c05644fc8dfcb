#include "models/layers/vision/image_to_image.h"

#include <ATen/ops/instance_norm.h>
#include <ATen/ops/reflection_pad2d.h>

#include <numbers>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/layers/core/recipes.h"

namespace assay::models {
namespace {

// Factors on the weights' recipe, for what ReLU takes away, and on the scale of the last norm of a
// residual branch, as resnet_backbone.cc has it.
constexpr double kReluGain = std::numbers::sqrt2;
constexpr double kBlockGain = 0.3;

}  // namespace

// torch.nn.InstanceNorm2d(affine=True, track_running_stats=True), which never counts its batches.
class ScaledInstanceNorm final : public Layer {
 public:
  ScaledInstanceNorm(Layer& parent, std::string name, int64_t channels, double gain)
      : Layer(parent, std::move(name)) {
    AddParameter("weight", {channels}, ScaleInit(gain), weight_);
    AddParameter("bias", {channels}, BiasInit(), bias_);
    AddBuffer("running_mean", {channels}, BiasInit(), mean_);
    AddBuffer("running_var", {channels}, ScaleInit(), variance_);
    AddCounter("num_batches_tracked", batches_);
  }

  at::Tensor Forward(const at::Tensor& x) {
    return at::instance_norm(x, weight_, bias_, mean_, variance_, /*use_input_stats=*/training(),
                             /*momentum=*/0.1, /*eps=*/1e-5, /*cudnn_enabled=*/true);
  }

 private:
  at::Tensor weight_, bias_, mean_, variance_;  // (channels)
  at::Tensor batches_;                          // int64 scalar
};

ConvolutionStep::ConvolutionStep(Layer& parent, const std::string& sequence, int number,
                                 const StepOptions& options)
    : reflected_(options.reflects ? options.kernel / 2 : 0),
      relu_(options.relu),
      instance_(options.norm == StepNorm::kInstance) {
  const std::string name = absl::StrCat(sequence, number);
  const std::string norm = absl::StrCat(sequence, number + 1);
  const int64_t padding = options.reflects ? 0 : (options.kernel - 1) / 2;
  if (options.doubles) {
    up_ = std::make_unique<ConvTranspose2d>(
        parent, name,
        ConvTranspose2dOptions{.in = options.in,
                               .out = options.out,
                               .kernel = options.kernel,
                               .stride = 2,
                               .padding = padding,
                               .output_padding = options.kernel % 2,
                               .bias = options.bias,
                               .gain = kReluGain});
  } else {
    conv_ = std::make_unique<Conv2d>(parent, name,
                                     Conv2dOptions{.in = options.in,
                                                   .out = options.out,
                                                   .kernel = options.kernel,
                                                   .stride = options.stride,
                                                   .padding = padding,
                                                   .bias = options.bias,
                                                   .gain = options.relu ? kReluGain : 1});
  }
  if (options.norm == StepNorm::kScaledInstance) {
    scaled_ = std::make_unique<ScaledInstanceNorm>(parent, norm, options.out, options.norm_gain);
  } else if (options.norm == StepNorm::kBatch) {
    batch_ = std::make_unique<BatchNorm2d>(
        parent, norm, BatchNorm2dOptions{.channels = options.out, .gain = options.norm_gain});
  }
}

ConvolutionStep::~ConvolutionStep() = default;

at::Tensor ConvolutionStep::Forward(at::Tensor x) {
  const int64_t r = reflected_;
  if (r > 0) x = at::reflection_pad2d(x, {r, r, r, r});
  x = up_ ? up_->Forward(x) : conv_->Forward(x);
  if (instance_) {
    x = at::instance_norm(x, {}, {}, {}, {}, /*use_input_stats=*/true, /*momentum=*/0.1,
                          /*eps=*/1e-5, /*cudnn_enabled=*/true);
  }
  if (scaled_) x = scaled_->Forward(x);
  if (batch_) x = batch_->Forward(x);
  return relu_ ? x.relu_() : x;
}

at::Tensor Run(const ConvolutionSteps& steps, at::Tensor x) {
  for (const std::unique_ptr<ConvolutionStep>& step : steps) x = step->Forward(std::move(x));
  return x;
}

ImageBlock::ImageBlock(Layer& parent, std::string name, const char* sequence, StepOptions options)
    : Layer(parent, std::move(name)) {
  for (const int number : options.reflects ? std::vector<int>{1, 5} : std::vector<int>{0, 3}) {
    steps_.push_back(std::make_unique<ConvolutionStep>(*this, sequence, number, options));
    options.relu = false;
    options.norm_gain = kBlockGain;
  }
}

at::Tensor ImageBlock::Forward(const at::Tensor& x) { return Run(steps_, x).add_(x); }

ImageBlocks MakeImageBlocks(Layer& parent, const char* sequence, int64_t first, int64_t count,
                            const char* block_sequence, const StepOptions& options) {
  ImageBlocks blocks;
  for (int64_t i = 0; i < count; ++i) {
    blocks.push_back(std::make_unique<ImageBlock>(parent, absl::StrCat(sequence, first + i),
                                                  block_sequence, options));
  }
  return blocks;
}

at::Tensor Run(const ImageBlocks& blocks, at::Tensor x) {
  for (const std::unique_ptr<ImageBlock>& block : blocks) x = block->Forward(x);
  return x;
}

}  // namespace assay::models
