#include "models/layers/vision/convnext_body.h"

#include <ATen/ops/adaptive_avg_pool2d.h>

#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/image_input.h"

namespace assay::models {
namespace {

constexpr int64_t kStages = 4;
constexpr int64_t kMinimumPixels =
    32;  // the stem divides by 4, and three times the image is halved

// Halves the image between two stages.
class Downsample final : public Layer {
 public:
  Downsample(Layer& parent, std::string name, int64_t in, int64_t out)
      : Layer(parent, std::move(name)),
        norm_(*this, "0", {.features = in, .eps = kConvNextEps}),
        conv_(*this, "1", {.in = in, .out = out, .kernel = 2, .stride = 2, .bias = true}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return conv_.Forward(norm_.ForwardOverChannels(x));
  }

 private:
  LayerNorm norm_;
  Conv2d conv_;
};

struct Stage {
  std::unique_ptr<Downsample> downsample;  // null in the first one
  std::vector<std::unique_ptr<ConvNextBlock>> blocks;
};

class ConvNext final : public LayeredModel {
 public:
  ConvNext(const Parameters& parameters, const ConvNextNames& names,
           const MakeConvNextBlock& make_block)
      : family_(names.family),
        channels_(parameters.Integers("channels")),
        stem_(*this, absl::StrCat(names.stem, ".0"),
              {.in = 3, .out = channels_[0], .kernel = 4, .stride = 4, .bias = true}),
        stem_norm_(*this, absl::StrCat(names.stem, ".1"),
                   {.features = channels_[0], .eps = kConvNextEps}),
        stages_(MakeStages(parameters.Integers("layers"), names, make_block)),
        norm_(*this, names.norm, {.features = channels_.back(), .eps = kConvNextEps}),
        linear_(*this, names.linear,
                {.in = channels_.back(), .out = parameters.Integer("num_classes")}) {}

  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], family_.c_str(), {.minimum = kMinimumPixels});
    at::Tensor x = stem_norm_.ForwardOverChannels(stem_.Forward(inputs[0]));
    for (const Stage& stage : stages_) {
      if (stage.downsample) x = stage.downsample->Forward(x);
      for (const std::unique_ptr<ConvNextBlock>& block : stage.blocks) x = block->Forward(x);
    }
    return {linear_.Forward(norm_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1)))};
  }

 private:
  std::vector<Stage> MakeStages(const std::vector<int64_t>& layers, const ConvNextNames& names,
                                const MakeConvNextBlock& make_block) {
    const int64_t last = std::accumulate(layers.begin(), layers.end(), int64_t{0}) - 1;
    std::vector<Stage> stages(kStages);
    int64_t block = 0;
    for (int64_t stage = 0; stage < kStages; ++stage) {
      if (stage > 0) {
        stages[stage].downsample = std::make_unique<Downsample>(
            *this, names.downsample(stage), channels_[stage - 1], channels_[stage]);
      }
      for (int64_t i = 0; i < layers[stage]; ++i) {
        stages[stage].blocks.push_back(make_block(*this, {.name = names.block(stage, i),
                                                          .channels = channels_[stage],
                                                          .block = block++,
                                                          .last = last}));
      }
    }
    return stages;
  }

  const std::string family_;
  const std::vector<int64_t> channels_;  // of each stage
  Conv2d stem_;
  LayerNorm stem_norm_;
  std::vector<Stage> stages_;
  LayerNorm norm_;
  Linear linear_;
};

}  // namespace

ConvNextBlock::ConvNextBlock(Layer& parent, const ConvNextPlace& place, std::string conv,
                             std::string norm)
    : Layer(parent, place.name),
      conv_(*this, std::move(conv),
            {.in = place.channels,
             .out = place.channels,
             .kernel = 7,
             .padding = 3,
             .groups = place.channels,
             .bias = true}),
      norm_(*this, std::move(norm), {.features = place.channels, .eps = kConvNextEps}) {}

absl::StatusOr<std::unique_ptr<Model>> MakeConvNext(const Parameters& parameters,
                                                    const ConvNextNames& names,
                                                    const MakeConvNextBlock& make_block) {
  absl::Status status =
      CheckCount(names.family, parameters, "channels", kStages, "one for each stage");
  status.Update(CheckCount(names.family, parameters, "layers", kStages, "one for each stage"));
  if (!status.ok()) return status;
  return std::make_unique<ConvNext>(parameters, names, make_block);
}

}  // namespace assay::models
