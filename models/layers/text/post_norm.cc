#include "models/layers/text/post_norm.h"

#include <utility>

#include "models/layers/sequence/residual_sum.h"

namespace assay::models {

PostNorm::PostNorm(Layer& parent, std::string name, const PostNormOptions& options)
    : Layer(parent, std::move(name)),
      dense_(*this, "dense", {.in = options.in, .out = options.out, .gain = options.gain}),
      norm_(*this, "LayerNorm", {.features = options.out, .eps = options.eps}),
      dropout_(*this, options.dropout) {}

at::Tensor PostNorm::Forward(const at::Tensor& x, const at::Tensor& residual) const {
  return norm_.Forward(ResidualSum(dropout_.Forward(dense_.Forward(x)), residual));
}

}  // namespace assay::models
