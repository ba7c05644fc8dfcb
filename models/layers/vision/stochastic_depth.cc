#include "models/layers/vision/stochastic_depth.h"

#include <ATen/ops/empty.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace assay::models {

StochasticDepth::StochasticDepth(Layer& parent, double probability)
    : Layer(parent, "stochastic_depth"), probability_(probability) {
  if (probability >= 0 && probability < 1) return;
  std::fprintf(stderr, "StochasticDepth: probability %g is not in [0, 1)\n", probability);
  std::abort();
}

at::Tensor StochasticDepth::Forward(const at::Tensor& x) const {
  if (!training() || !Draws()) return x;
  std::vector<int64_t> rows(x.dim(), 1);
  rows[0] = x.size(0);
  const double staying = 1 - probability_;
  return x.mul(at::empty(rows, x.options()).bernoulli_(staying).div_(staying));
}

}  // namespace assay::models
