#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_CALL_VERDICT_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_CALL_VERDICT_H_

// ---------------------------------------------------------------------------------------------
// call_verdict.h: the verdict on a measured call: PASS, a FAIL with its reason, or NOT_VERIFIED
// with the reason why nothing could be compared.
//
// Errors are in units of the root mean square of the float64 result, since PARAM's inputs lie on
// [0, 1): a sum of a thousand of them is 500 with a spread of 9, and rounding it to bfloat16 alone
// is more than the suite's limits of the spread.
//
// Example:
//   Verdict verdict = VerdictOf(call, {.backward = true, .timed = &outputs});
// ---------------------------------------------------------------------------------------------

#include "benchmarks/harness/programs/program.h"
#include "benchmarks/operators/param/operators.h"
#include "defs/proto/record.pb.h"

namespace assay::param {

struct VerdictOptions {
  bool backward = false;
  const execution::Tensors* timed = nullptr;  // what the last timed call forward returned
  double pass_bytes = 0;  // what the measured calls took: autograd's memory of a network
  // Free memory, of which float64 may take half; 0: unknown.
  double memory_bytes = 0;
};

// Makes further calls: two in the call's own dtype and one in float64, of each pass.
Verdict VerdictOf(const BoundCall& call, const VerdictOptions& options);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_CALL_VERDICT_H_
