#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_RESIDUAL_SUM_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_RESIDUAL_SUM_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/residual_sum.h: adds a branch to its residual, in place where no precision is lost.
//
// Example:
//
//     return ResidualSum(narrow_.Forward(widen_.Forward(x)), x);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::models {

// Both have one shape. If they have one dtype, the sum is stored in `branch`. Under autocast `x`
// may have the wider dtype, and the sum has it then, as in PyTorch's own models. Lets c10::Error
// through.
at::Tensor ResidualSum(at::Tensor branch, const at::Tensor& x);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_RESIDUAL_SUM_H_
