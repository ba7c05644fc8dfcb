#ifndef ASSAY_MODELS_LAYERS_TEXT_POST_NORM_H_
#define ASSAY_MODELS_LAYERS_TEXT_POST_NORM_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/post_norm.h: the end of a sub-layer whose norm comes last, as in BERT: a projection
// is added to what went into the sub-layer, and the sum is normed. The names are transformers'.
//
// Not for: blocks whose norm comes first (encoder_block.h).
//
// Example:
//
//     PostNorm output{*this, "output", {.in = 3072, .out = 768, .eps = 1e-12}};
//     at::Tensor y = output.Forward(hidden, x);   // "output.dense.weight", "output.LayerNorm.weight"
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/dropout.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"

namespace assay::models {

struct PostNormOptions {
  int64_t in;
  int64_t out;
  double eps;
  double dropout = 0.1;  // transformers' default for hidden_dropout_prob
  double gain = 1;       // factor on the projection's recipe
};

class PostNorm final : public Layer {
 public:
  PostNorm(Layer& parent, std::string name, const PostNormOptions& options);

  // x (..., in) and residual (..., out) -> (..., out).
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& residual) const;

 private:
  Linear dense_;
  LayerNorm norm_;
  Dropout dropout_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_POST_NORM_H_
