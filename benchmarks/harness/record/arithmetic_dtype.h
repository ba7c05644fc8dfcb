#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_ARITHMETIC_DTYPE_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_ARITHMETIC_DTYPE_H_

// ---------------------------------------------------------------------------------------------
// arithmetic_dtype.h: the dtype in which a case computes its products: that of autocast, if there
// is one. It decides which peak applies.
//
// Example:
//   Dtype dtype = ArithmeticDtype(record.benchmark_case());
// ---------------------------------------------------------------------------------------------

#include "defs/proto/suite.pb.h"

namespace assay::record {

inline Dtype ArithmeticDtype(const BenchmarkCase& c) {
  const Dtype autocast = c.execution().autocast();
  return autocast == DTYPE_UNSPECIFIED ? c.dtype() : autocast;
}

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_ARITHMETIC_DTYPE_H_
