// Networks of agents that learn by reinforcement, alone, without their environment and their memory of
// steps: DrQ's (arXiv:2004.13649) and soft actor-critic's (1812.05905) actors and critics, and those of
// LearningToPaint (1903.04411) with the renderer of its strokes. Tensor names are those of TorchBench's
// drq, soft_actor_critic and LearningToPaint.

#include "models/agents/agents.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/pixel_shuffle.h>
#include <ATen/ops/sigmoid.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr double kSqrtTwo = 1.4142135623730951;  // makes up for what a ReLU takes

// Three linear layers with a ReLU between them.
class Perceptron {
 public:
  Perceptron(Layer& parent, const std::array<const char*, 3>& names, int64_t in, int64_t hidden,
             int64_t out)
      : first_(parent, names[0], {.in = in, .out = hidden, .gain = kSqrtTwo}),
        second_(parent, names[1], {.in = hidden, .out = hidden, .gain = kSqrtTwo}),
        third_(parent, names[2], {.in = hidden, .out = out}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return third_.Forward(second_.Forward(first_.Forward(x).relu_()).relu_());
  }

 private:
  Linear first_, second_, third_;
};

// An actor's last layer (N, 2 * actions) -> the tanh of the mean of a normal
// distribution, and the standard deviation before the tanh, (N, actions) each.
std::vector<at::Tensor> Squashed(const at::Tensor& x) {
  constexpr double kLowest = -10, kHighest = 2;  // logarithms of the standard deviation
  const std::vector<at::Tensor> halves = x.chunk(2, 1);
  const at::Tensor logarithm = (halves[1].tanh() + 1) * (0.5 * (kHighest - kLowest)) + kLowest;
  return {halves[0].tanh(), logarithm.exp()};
}

// DrQ's encoder of images.
class PixelEncoder final : public Layer {
 public:
  PixelEncoder(Layer& parent, std::string name, const Parameters& p)
      : Layer(parent, std::move(name)) {
    const int64_t filters = p.Integer("filters"), features = p.Integer("features");
    for (int64_t i = 0; i < 4; ++i) {
      convs_.emplace_back(*this, absl::StrCat("convs.", i),
                          Conv2dOptions{.in = i == 0 ? p.Integer("channels") : filters,
                                        .out = filters,
                                        .kernel = 3,
                                        .stride = i == 0 ? 2 : 1,
                                        .bias = true,
                                        .gain = kSqrtTwo});
    }
    const int64_t side = (p.Integer("resolution") - 3) / 2 + 1 - 6;
    head_.emplace(*this, "head.0",
                  LinearOptions{.in = filters * side * side, .out = features, .gain = kSqrtTwo});
    norm_.emplace(*this, "head.1", LayerNormOptions{.features = features});
  }

  // Pixels from 0 to 255 (N, channels, resolution, resolution) -> (N, features).
  at::Tensor Forward(const at::Tensor& pixels) const {
    at::Tensor x = pixels / 255;
    for (const Conv2d& conv : convs_) x = conv.Forward(x).relu_();
    return norm_->Forward(head_->Forward(x.flatten(1))).tanh();
  }

 private:
  std::deque<Conv2d> convs_;
  std::optional<Linear> head_;
  std::optional<LayerNorm> norm_;
};

constexpr std::array<const char*, 3> kTrunk = {"trunk.0", "trunk.2", "trunk.4"};
constexpr std::array<const char*, 3> kFullyConnected = {"fc1", "fc2", "fc3"};

class DrqActor final : public LayeredModel {
 public:
  explicit DrqActor(const Parameters& p)
      : encoder_(*this, "encoder", p),
        trunk_(*this, kTrunk, p.Integer("features"), p.Integer("hidden"),
               2 * p.Integer("actions")) {}

  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return Squashed(trunk_.Forward(encoder_.Forward(inputs[0])));
  }

 private:
  PixelEncoder encoder_;
  Perceptron trunk_;
};

// A model that learns what its outputs should have been.
class Regression : public LayeredModel, public Trainable {
 public:
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    at::Tensor loss = at::mse_loss(outputs[0], targets[0]);
    for (size_t i = 1; i < outputs.size(); ++i) loss = loss + at::mse_loss(outputs[i], targets[0]);
    return loss;
  }
};

class DrqCritic final : public Regression {
 public:
  explicit DrqCritic(const Parameters& p)
      : encoder_(*this, "encoder", p),
        q1_(*this, {"Q1.0", "Q1.2", "Q1.4"}, p.Integer("features") + p.Integer("actions"),
            p.Integer("hidden"), 1),
        q2_(*this, {"Q2.0", "Q2.2", "Q2.4"}, p.Integer("features") + p.Integer("actions"),
            p.Integer("hidden"), 1) {}

  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor both = at::concat({encoder_.Forward(inputs[0]), inputs[1]}, 1);
    return {q1_.Forward(both), q2_.Forward(both)};
  }

 private:
  PixelEncoder encoder_;
  Perceptron q1_, q2_;
};

class SacActor final : public LayeredModel {
 public:
  explicit SacActor(const Parameters& p)
      : layers_(*this, kFullyConnected, p.Integer("states"), p.Integer("hidden"),
                2 * p.Integer("actions")) {}

  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return Squashed(layers_.Forward(inputs[0]));
  }

 private:
  Perceptron layers_;
};

class SacCritic final : public Regression {
 public:
  explicit SacCritic(const Parameters& p)
      : layers_(*this, kFullyConnected, p.Integer("states") + p.Integer("actions"),
                p.Integer("hidden"), 1) {}

  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {layers_.Forward(at::concat(inputs, 1))};
  }

 private:
  Perceptron layers_;
};

class PaintingActor final : public LayeredModel {
 public:
  explicit PaintingActor(const Parameters& p)
      : stem_(*this, "conv1", "bn1", {p.Integer("inputs"), p.Integer("channels"), 3, 2, 1}),
        stages_(*this, p.Integer("channels")),
        fc_(*this, "fc", {.in = 8 * p.Integer("channels"), .out = p.Integer("strokes")}) {}

  // Canvas, aim, step and coordinates (N, inputs, 128, 128) -> numbers of strokes (N, strokes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor x = stages_.Forward(stem_.Forward(inputs[0]).relu_());
    return {at::sigmoid(fc_.Forward(x))};
  }

 private:
  NormedConv stem_;
  Stages<ActorBlock> stages_;
  Linear fc_;
};

class PaintingCritic final : public Regression {
 public:
  explicit PaintingCritic(const Parameters& p)
      : stem_(*this, "conv1", {p.Integer("inputs"), p.Integer("channels"), 3, 2, 1}),
        stages_(*this, p.Integer("channels")),
        fc_(*this, "fc", {.in = 8 * p.Integer("channels"), .out = 1}),
        relu_1_(*this, "relu_1") {}

  // The actor's input with the canvas before it (N, inputs, 128, 128) -> the reward that is expected (N, 1).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {fc_.Forward(stages_.Forward(relu_1_.Forward(stem_.Forward(inputs[0]))))};
  }

 private:
  WeightNormConv stem_;
  Stages<CriticBlock> stages_;
  Linear fc_;
  ShiftedRelu relu_1_;
};

class StrokeRenderer final : public Regression {
 public:
  explicit StrokeRenderer(const Parameters& p) : side_(p.Integer("side")) {
    const int64_t width = p.Integer("width");
    const std::array<int64_t, 5> widths = {10, width, 2 * width, 4 * width, 16 * side_ * side_};
    for (size_t i = 0; i + 1 < widths.size(); ++i) {
      linears_.emplace_back(*this, absl::StrCat("fc", i + 1),
                            LinearOptions{.in = widths[i], .out = widths[i + 1], .gain = kSqrtTwo});
    }
    const std::array<int64_t, 12> channels = {16, 32, 32, 32, 8, 16, 16, 16, 4, 8, 8, 4};
    for (size_t i = 0; i < 6; ++i) {
      convs_.emplace_back(*this, absl::StrCat("conv", i + 1),
                          Conv2dOptions{.in = channels[2 * i],
                                        .out = channels[2 * i + 1],
                                        .kernel = 3,
                                        .padding = 1,
                                        .bias = true,
                                        .gain = kSqrtTwo});
    }
  }

  // Ten numbers of a stroke (N, 10) -> an image (N, 8 side, 8 side), 1 where the canvas is bare.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = inputs[0];
    for (const Linear& linear : linears_) x = linear.Forward(x).relu_();
    x = x.view({-1, 16, side_, side_});
    for (size_t i = 0; i < convs_.size(); i += 2)
      x = at::pixel_shuffle(convs_[i + 1].Forward(convs_[i].Forward(x).relu_()), 2);
    return {1 - at::sigmoid(x.squeeze(1))};
  }

 private:
  const int64_t side_;
  std::deque<Linear> linears_;
  std::deque<Conv2d> convs_;
};

template <typename Network>
absl::StatusOr<std::unique_ptr<Model>> Make(const Parameters& parameters) {
  return std::make_unique<Network>(parameters);
}

ASSAY_MODEL_IMPLEMENTATION("drq_actor", Make<DrqActor>);
ASSAY_MODEL_IMPLEMENTATION("drq_critic", Make<DrqCritic>);
ASSAY_MODEL_IMPLEMENTATION("sac_actor", Make<SacActor>);
ASSAY_MODEL_IMPLEMENTATION("sac_critic", Make<SacCritic>);
ASSAY_MODEL_IMPLEMENTATION("painting_actor", Make<PaintingActor>);
ASSAY_MODEL_IMPLEMENTATION("painting_critic", Make<PaintingCritic>);
ASSAY_MODEL_IMPLEMENTATION("stroke_renderer", Make<StrokeRenderer>);

}  // namespace
}  // namespace assay::models
