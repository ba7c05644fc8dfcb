#include "models/layers/vision/conv_norm_activation.h"

namespace assay::models {

ConvNormNames NamesInSequence(const std::string& name) { return {name + ".0", name + ".1"}; }

ConvNormActivation::ConvNormActivation(Layer& parent, const ConvNormNames& names,
                                       const ConvNormActivationOptions& options)
    : conv_(parent, names.conv,
            {.in = options.in,
             .out = options.out,
             .kernel = options.kernel,
             .stride = options.stride,
             .padding = options.padded ? Extent(options.dilation * (options.kernel.height - 1) / 2,
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
      activation_(options.activation) {}

}  // namespace assay::models
