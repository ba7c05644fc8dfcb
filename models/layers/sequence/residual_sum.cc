#include "models/layers/sequence/residual_sum.h"

namespace assay::models {

at::Tensor ResidualSum(at::Tensor branch, const at::Tensor& x) {
  return branch.scalar_type() == x.scalar_type() ? branch.add_(x) : branch.add(x);
}

}  // namespace assay::models
