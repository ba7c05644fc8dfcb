#ifndef ASSAY_MODELS_LAYERS_TEXT_FEED_FORWARD_H_
#define ASSAY_MODELS_LAYERS_TEXT_FEED_FORWARD_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/feed_forward.h: the half of a vision transformer's block that sees one token.
//
//     x ── linear to the hidden width ── activation ── linear back ──
//
// Not for: gated variants, dropout inside (torchvision's classifiers are built without).
//
// Example:
//
//     FeedForward mlp{*this, {"mlp.0", "mlp.3"}, {.features = 768, .hidden = 3072}};
//     at::Tensor y = mlp.Forward(x);                                       // (..., 768), as x
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/activation.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/linear.h"

namespace assay::models {

struct FeedForwardNames {
  std::string widen;
  std::string narrow;
};

struct FeedForwardOptions {
  int64_t features;
  int64_t hidden;
  Activation activation = Activation::kGelu;
};

class FeedForward final {
 public:
  FeedForward(Layer& parent, const FeedForwardNames& names, const FeedForwardOptions& options)
      : widen_(parent, names.widen, {.in = options.features, .out = options.hidden}),
        narrow_(parent, names.narrow, {.in = options.hidden, .out = options.features}),
        activation_(options.activation) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return narrow_.Forward(Activate(activation_, widen_.Forward(x)));
  }

 private:
  Linear widen_;
  Linear narrow_;
  Activation activation_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_FEED_FORWARD_H_
