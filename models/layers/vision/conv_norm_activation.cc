#include "models/layers/vision/conv_norm_activation.h"

namespace assay::models {

ConvNormNames NamesInSequence(const std::string& name) { return {name + ".0", name + ".1"}; }

namespace {

bool BySize(const ConvNormActivationOptions& options) {
  return options.by_size && options.stride > 1;
}

}  // namespace

ConvNormActivation::ConvNormActivation(Layer& parent, const ConvNormNames& names,
                                       const ConvNormActivationOptions& options)
    : conv_(parent, names.conv,
            {.in = options.in,
             .out = options.out,
             .kernel = options.kernel,
             .stride = options.stride,
             .padding = options.padded && !BySize(options)
                            ? Extent(options.dilation * (options.kernel.height - 1) / 2,
                                     options.dilation * (options.kernel.width - 1) / 2)
                            : Extent(0),
             .dilation = options.dilation,
             .groups = options.groups,
             .gain = options.gain}),
      norm_(parent, names.norm,
            {.channels = options.out,
             .eps = options.eps,
             .momentum = options.momentum,
             .gain = options.norm_gain}),
      activation_(options.activation),
      by_size_(BySize(options)),
      kernel_(options.kernel.height),
      stride_(options.stride) {}

}  // namespace assay::models
