#include "models/layers/detection/bifpn.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/upsample_nearest2d.h>

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"

namespace assay::models {

// A node of the pyramid. It reads features by number: those of the levels come first, then the nodes'. Nodes
// go down from the coarsest level, then up again.
struct BiFpnPlan {
  int64_t level;
  std::vector<int64_t> read;
};

namespace {

constexpr double kLeastSum = 1e-4;  // added to the sum of a node's weights

// Gives features the pyramid's channels; null where they have them.
std::unique_ptr<ConvNormActivation> Narrowing(Layer& parent, const std::string& name, int64_t in,
                                              const BiFpnOptions& o) {
  if (in == o.channels) return nullptr;
  const BatchNorm2dOptions norm = o.Norm();
  return std::make_unique<ConvNormActivation>(
      parent, ConvNormNames{name + ".conv", name + ".bn"},
      ConvNormActivationOptions{.in = in,
                                .out = o.channels,
                                .bias = o.tensorflow,
                                .activation = Activation::kNone,
                                .eps = norm.eps,
                                .momentum = norm.momentum});
}

at::Tensor Halved(const at::Tensor& x, bool tensorflow) {
  return tensorflow ? at::max_pool2d(x, {3, 3}, {2, 2}, {0, 0}, {1, 1}, /*ceil_mode=*/true)
                    : at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
}

const std::vector<BiFpnPlan>& Plan() {
  static const auto* plan =
      new std::vector<BiFpnPlan>{{3, {3, 4}},    {2, {2, 5}},    {1, {1, 6}},     {0, {0, 7}},
                                 {1, {1, 7, 8}}, {2, {2, 6, 9}}, {3, {3, 5, 10}}, {4, {4, 11}}};
  return *plan;
}

}  // namespace

SeparableConv::SeparableConv(Layer& parent, std::string name, const SeparableConvOptions& options)
    : Layer(parent, std::move(name)),
      channels_(
          *this, "conv_dw",
          {.in = options.in, .out = options.in, .kernel = 3, .padding = 1, .groups = options.in}),
      pixels_(*this, "conv_pw",
              {.in = options.in,
               .out = options.out,
               .kernel = 1,
               .bias = options.bias,
               .gain = options.gain}) {}

// A weighted mean of features, then a convolution.
class BiFpnNode final : public Layer {
 public:
  // `channels`: of the levels.
  BiFpnNode(Layer& parent, std::string name, const BiFpnPlan& plan,
            const std::vector<int64_t>& channels, const BiFpnOptions& o)
      : Layer(parent, std::move(name)), plan_(plan), tensorflow_(o.tensorflow) {
    // Some are below zero, and so do not count.
    AddParameter("combine.edge_weights", {static_cast<int64_t>(plan.read.size())},
                 Init{.multiplier = 0.75, .offset = 1, .slope = 1.25}, weights_);
    for (const int64_t number : plan.read)
      narrowing_.push_back(Narrowing(*this, absl::StrCat("combine.resample.", number, ".conv"),
                                     number < kBiFpnLevels ? channels[number] : o.channels, o));
    conv_ = std::make_unique<SeparableConv>(
        *this, "after_combine.conv",
        SeparableConvOptions{
            .in = o.channels, .out = o.channels, .bias = o.tensorflow, .gain = kSiluGain});
    norm_ = std::make_unique<BatchNorm2d>(*this, "after_combine.conv.bn", o.Norm());
  }

  at::Tensor Forward(const std::vector<at::Tensor>& features) {
    const at::Tensor positive = weights_.relu(), weights = positive / (positive.sum() + kLeastSum);
    at::Tensor mean;
    for (size_t i = 0; i < narrowing_.size(); ++i) {
      const int64_t number = plan_.read[i];
      const int64_t level = number < kBiFpnLevels ? number : Plan()[number - kBiFpnLevels].level;
      at::Tensor x = features[number];
      if (narrowing_[i]) x = narrowing_[i]->Forward(x);
      if (level < plan_.level) x = Halved(x, tensorflow_);
      if (level > plan_.level) x = at::upsample_nearest2d(x, {2 * x.size(2), 2 * x.size(3)});
      x = x * weights[static_cast<int64_t>(i)];
      mean = mean.defined() ? mean + x : x;
    }
    return norm_->Forward(conv_->Forward(Activate(Activation::kSilu, mean)));
  }

 private:
  const BiFpnPlan& plan_;
  const bool tensorflow_;
  at::Tensor weights_;  // (features that are read)
  std::vector<std::unique_ptr<ConvNormActivation>> narrowing_;
  std::unique_ptr<SeparableConv> conv_;
  std::unique_ptr<BatchNorm2d> norm_;
};

BiFpn::BiFpn(Layer& parent, std::string name, const BiFpnOptions& options)
    : Layer(parent, std::move(name)), tensorflow_(options.tensorflow) {
  top_ = Narrowing(*this, "resample.3.conv", options.in.back(), options);
  std::vector<int64_t> channels = options.in;
  channels.resize(kBiFpnLevels, options.channels);
  for (int64_t cell = 0; cell < options.cells; ++cell) {
    for (size_t i = 0; i < Plan().size(); ++i)
      nodes_.push_back(std::make_unique<BiFpnNode>(*this, absl::StrCat("cell.", cell, ".fnode.", i),
                                                   Plan()[i], channels, options));
    channels.assign(kBiFpnLevels, options.channels);
  }
}

BiFpn::~BiFpn() = default;

std::vector<at::Tensor> BiFpn::Forward(std::vector<at::Tensor> levels) {
  levels.push_back(Halved(top_ ? top_->Forward(levels.back()) : levels.back(), tensorflow_));
  levels.push_back(Halved(levels.back(), tensorflow_));
  for (size_t i = 0; i < nodes_.size(); ++i) {
    levels.push_back(nodes_[i]->Forward(levels));
    if ((i + 1) % Plan().size() == 0) levels.erase(levels.begin(), levels.end() - kBiFpnLevels);
  }
  return levels;
}

}  // namespace assay::models
