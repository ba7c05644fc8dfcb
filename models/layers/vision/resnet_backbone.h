#ifndef ASSAY_MODELS_LAYERS_VISION_RESNET_BACKBONE_H_
#define ASSAY_MODELS_LAYERS_VISION_RESNET_BACKBONE_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/resnet_backbone.h: ResNet, ResNeXt and Wide ResNet without pooling and classifier, as
// torchvision builds them (version 1.5: the stride of a bottleneck is on its 3x3 convolution).
//
// The features from its middle are those of the third of four stages.
//
// Not for: three or five stages, antialiased or deep stems.
//
// Example:
//
//     ResNetBackbone backbone{*this, "backbone.",     // "backbone.conv1", ..., "backbone.layer4.2"
//                             {.bottleneck = true, .layers = {3, 4, 6, 3}, .dilated_stages = 2}};
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/layers/core/layer.h"
#include "models/layers/vision/backbone.h"
#include "models/layers/vision/conv_norm_activation.h"

namespace assay::models {

struct ResNetBackboneOptions {
  bool bottleneck;
  std::vector<int64_t> layers;  // blocks in each of the four stages
  int64_t groups = 1;
  int64_t width_per_group = 64;
  // The number of last stages that keep the image's size and spread the taps of their 3x3 convolutions
  // instead; of bottlenecks alone.
  int dilated_stages = 0;
  bool frozen_norms = false;  // as of BatchNorm2d
  // Whether the stem and the first stage get no gradient, as of torchvision's detectors.
  bool frozen_start = false;
  int64_t norm_groups = 0;  // of channels, by which each norm is a GroupNorm; 0: a BatchNorm2d
};

class ResNetBlock;

class ResNetBackbone final : public Backbone {
 public:
  // Adds its layers to `parent`, `prefix` before their names.
  ResNetBackbone(Layer& parent, const std::string& prefix, const ResNetBackboneOptions& options);
  ~ResNetBackbone() override;

  // Features of each of the four stages.
  std::vector<at::Tensor> Stages(const at::Tensor& image);
  at::Tensor Low(const at::Tensor& image) override;
  at::Tensor High(at::Tensor low) override;
  int64_t low_channels() const override { return high_channels() / 2; }
  int64_t high_channels() const override { return high_channels_; }

 private:
  at::Tensor Stage(size_t stage, at::Tensor x);
  // Features of the first stage.
  at::Tensor Start(const at::Tensor& image);

  ConvNormActivation stem_;
  std::vector<std::vector<std::unique_ptr<ResNetBlock>>> stages_;
  int64_t high_channels_ = 0;
  bool frozen_start_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_RESNET_BACKBONE_H_
