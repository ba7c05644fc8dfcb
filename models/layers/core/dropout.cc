#include "models/layers/core/dropout.h"

#include <ATen/ops/dropout.h>

#include <cstdio>
#include <cstdlib>

namespace assay::models {

Dropout::Dropout(Layer& parent, double probability)
    : Layer(parent, "dropout"), probability_(probability) {
  if (probability >= 0 && probability < 1) return;
  std::fprintf(stderr, "Dropout: probability %g is not in [0, 1)\n", probability);
  std::abort();
}

at::Tensor Dropout::Forward(const at::Tensor& x) const {
  return active_probability() > 0 ? at::dropout(x, probability_, /*train=*/true) : x;
}

}  // namespace assay::models
