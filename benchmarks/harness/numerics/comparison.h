#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_COMPARISON_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_COMPARISON_H_

// ---------------------------------------------------------------------------------------------
// comparison.h: the verdict on a model's outputs.
//
// For each output, in this order, the first failure deciding: is it there, is the reference sound,
// shape, dtype, finiteness of every element (also of those that a sample leaves out), values by the
// rule (rules.h). Shapes must be equal: nothing is ever broadcast. An output of the model without a
// reference, a reference without its output, and a reference without outputs never pass.
//
// Not for: reading references (reference.h), nor for choosing limits (defs/tolerances.bzl).
//
// Example:
//   Verdict verdict = Compare(reference, implementation.outputs(), outputs, verify, Dtype::BF16);
//   if (verdict.outcome() != Outcome::PASS) std::cerr << verdict.message() << "\n";
// which prints
//   output "logits" differs from the reference
//     worst  [3, 781]  got 4.1275  want 4.1012  (abs 0.0263, tolerance 0.01·std = 0.0098)
//     error  rms 0.012·std, limit 0.001; max 0.0268·std, limit 0.01
//     wrong  212 of 8000 elements (2.65 %), cosine 0.99981
//     reference  sha256 9f3c41d2…, torchvision 0.26.0, float64
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "ATen/core/Tensor.h"
#include "benchmarks/harness/numerics/reference.h"
#include "defs/record.pb.h"
#include "defs/suite.pb.h"

namespace assay::numerics {

// `names` and `got` are positional: names[i] is the name of got[i], a tensor of any device and
// memory layout. `expected_dtype` is that of every output. `baseline`, for DYNAMO_SAME only, holds
// the outputs of an eager run in the same dtype; empty: none.
//
// Fills outcome, message (empty on PASS; one paragraph for each output that failed, without an
// end of line), outputs, rule, limits_provenance and reference.sha256. Every number in it is
// finite. The outcome is the gravest of the outputs': FAIL_ARTIFACT, then trouble with device or
// memory, FAIL_SHAPE, FAIL_DTYPE, FAIL_NONFINITE, FAIL_ACCURACY. Unusable limits are FAIL_ACCURACY.
Verdict Compare(const ReferenceOutputs& reference, const std::vector<std::string>& names,
                at::ArrayRef<at::Tensor> got, const VerifyParameters& limits, Dtype expected_dtype,
                at::ArrayRef<at::Tensor> baseline = {});

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_COMPARISON_H_
