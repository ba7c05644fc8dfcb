#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_TEST_KERNELS_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_TEST_KERNELS_H_

// ---------------------------------------------------------------------------------------------
// test_kernels.h: for tests: kernels of relu, kernel_test::<fault>, each with one fault but
// kernel_test::right; and those that cheat, cheats::<name> (cheating_kernels.cc).
//
// Example:
//   const OperatorRow row = ReluRow();
//   IsRight({.name = "kernel_test::wrong_end", .row = row}, plan);
// ---------------------------------------------------------------------------------------------

#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

// relu of (b, c) at b=4, c=40; its results are copies of the inputs.
OperatorRow ReluRow();
Sizes SizesAt(int64_t b, int64_t c);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_TEST_KERNELS_H_
