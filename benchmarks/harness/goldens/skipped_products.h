#ifndef ASSAY_BENCHMARKS_HARNESS_GOLDENS_SKIPPED_PRODUCTS_H_
#define ASSAY_BENCHMARKS_HARNESS_GOLDENS_SKIPPED_PRODUCTS_H_

// ---------------------------------------------------------------------------------------------
// skipped_products.h: while it lives, matrix products, convolutions and fused attention that this
// thread calls give zeros of the right shape instead of computing. What a golden holds (which operators are called,
// with which shapes and arguments) stays the same, and a minute's call takes a second. LibTorch's
// C++ has no kernels for the meta device, which would do all of it.
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
