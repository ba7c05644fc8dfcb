#include "models/layers/vision/inverted_residual.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::models {

int64_t RoundedTo(int64_t divisor, double channels) {
  const double half = static_cast<double>(divisor) / 2;
  const int64_t rounded =
      std::max(divisor, static_cast<int64_t>(channels + half) / divisor * divisor);
  return static_cast<double>(rounded) < 0.9 * channels ? rounded + divisor : rounded;
}

ConvNormNames NamesInBlock(int part, bool /*last*/) {
  return NamesInSequence(absl::StrCat("block.", part));
}

InvertedResidual::InvertedResidual(Layer& parent, std::string name,
                                   const InvertedResidualOptions& options)
    : Layer(parent, std::move(name)),
      stochastic_depth_(*this, options.stochastic_depth),
      sum_(options.stride == 1 && options.in == options.out ? std::make_unique<BranchSum>(*this)
                                                            : nullptr) {
  const bool expands = options.expanded != options.in;
  const bool projects = expands || !options.fused;
  int part = 0;
  const auto convolution = [&](int64_t in, int64_t out, int64_t kernel, int64_t groups, bool last) {
    return std::make_unique<ConvNormActivation>(
        *this, options.names(part++, last),
        ConvNormActivationOptions{
            .in = in,
            .out = out,
            .kernel = kernel,
            .stride = kernel > 1 ? options.stride : 1,
            .by_size = options.by_size,
            .dilation = kernel > 1 ? options.dilation : 1,
            .groups = groups,
            .activation = last && projects ? Activation::kNone : options.activation,
            .eps = options.eps,
            .momentum = options.momentum,
            .gain = options.gain,
            .norm_gain = last && sum_ ? options.branch_gain : 1});
  };
  if (options.fused) {
    before_.push_back(convolution(options.in, projects ? options.expanded : options.out,
                                  options.kernel, 1, !projects));
  } else {
    if (expands) before_.push_back(convolution(options.in, options.expanded, 1, 1, false));
    before_.push_back(
        convolution(options.expanded, options.expanded, options.kernel, options.expanded, false));
  }
  if (options.squeezed > 0) {
    squeeze_excitation_ = std::make_unique<SqueezeExcitation>(
        *this, options.timm_squeeze ? "se" : absl::StrCat("block.", part),
        SqueezeExcitationOptions{.channels = options.expanded,
                                 .squeezed = options.squeezed,
                                 .activation = options.squeeze_activation,
                                 .gate = options.gate,
                                 .gain = options.gain,
                                 .fc1 = options.timm_squeeze ? "conv_reduce" : "fc1",
                                 .fc2 = options.timm_squeeze ? "conv_expand" : "fc2"});
    ++part;
  }
  if (projects) project_ = convolution(options.expanded, options.out, 1, 1, true);
}

at::Tensor InvertedResidual::Forward(const at::Tensor& x) {
  at::Tensor out = x;
  for (const std::unique_ptr<ConvNormActivation>& convolution : before_) {
    out = convolution->Forward(out);
  }
  if (squeeze_excitation_) out = squeeze_excitation_->Forward(out);
  if (project_) out = project_->Forward(out);
  return sum_ ? sum_->Forward(stochastic_depth_.Forward(out), x) : out;
}

}  // namespace assay::models
