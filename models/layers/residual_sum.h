#ifndef ASSAY_MODELS_LAYERS_RESIDUAL_SUM_H_
#define ASSAY_MODELS_LAYERS_RESIDUAL_SUM_H_

// ---------------------------------------------------------------------------------------------
// models/layers/residual_sum.h: a branch plus what it goes around, in place where that rounds nothing.
//
// Example:
//
//     return ResidualSum(narrow_.Forward(widen_.Forward(x)), x);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::models {

// Both of one shape. Of one dtype, the sum is kept in `branch`; under autocast `x` may be the wider of the
// two, and so is the sum then, as in PyTorch's own models. Lets c10::Error through.
at::Tensor ResidualSum(at::Tensor branch, const at::Tensor& x);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_RESIDUAL_SUM_H_
