#ifndef ASSAY_BENCHMARKS_HARNESS_GOLDENS_SKIPPED_PRODUCTS_H_
#define ASSAY_BENCHMARKS_HARNESS_GOLDENS_SKIPPED_PRODUCTS_H_

// ---------------------------------------------------------------------------------------------
// skipped_products.h: while this object exists, matrix products, convolutions, fused attention,
// softmax, norms of batches, groups and layers, GELU, SiLU, nearest upsampling and draws of dropout that
// this thread calls return a tensor of the right shape whose values are not set. So do products and
// choices of rows of large tensors, and sums in place leave such a tensor as it is. A golden depends
// only on the called operators, their shapes and arguments, so it stays the same, and a call of a minute
// takes a second. The meta device would do the same, but LibTorch's C++ has no kernels for it. Calls
// that autograd records are computed: a model may differentiate within its forward pass.
//
// Not for: anything that looks at a result.
//
// Example:
//   const SkippedProducts guard;
//   model.Forward(inputs);
// ---------------------------------------------------------------------------------------------

#include <c10/core/impl/LocalDispatchKeySet.h>

namespace assay::goldens {

class SkippedProducts {
 private:
  // A key that LibTorch keeps for tests; skipped_products.cc registers kernels for it.
  const c10::impl::IncludeDispatchKeyGuard guard_{c10::DispatchKey::TESTING_ONLY_GenericMode};
};

}  // namespace assay::goldens

#endif  // ASSAY_BENCHMARKS_HARNESS_GOLDENS_SKIPPED_PRODUCTS_H_
