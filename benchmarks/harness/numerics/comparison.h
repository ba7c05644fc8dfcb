#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_COMPARISON_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_COMPARISON_H_

// ---------------------------------------------------------------------------------------------
// comparison.h: the comparison of a model's outputs with their reference.
//
// For each output these are checked, in this order: its presence, the soundness of its reference,
// its shape, dtype and layout, the finiteness of every element (also of those that a sample leaves
// out, and of rows that are not compared), and its values by the rule (rules.h); the first failure
// decides. Shapes must be equal: nothing is ever broadcast. An output of the model without a
// reference, a reference without its output, and a reference without outputs never pass.
//
// If the reference holds NaN or infinity, for a masked logit for example, the output must hold the
// same at the same places, infinity with the same sign, and nowhere else. The rule and its limits
// then apply to the finite elements, and the check nonfinite_outputs (NOTED) says so.
//
// Not for: reading references (reference.h), nor for choosing limits (defs/tolerances.bzl).
//
// Example:
//   Verdict verdict = Compare(reference, c.verified().outputs(), outputs, verify);
//   if (verdict.outcome() != Outcome::PASS) std::cerr << verdict.message() << "\n";
// which prints
//   output "logits" differs from the reference
//     worst  [3, 781]  got 4.1275  want 4.1012  (abs 0.0263, tolerance 0.01·std = 0.0098)
//     error  rms 0.012·std, limit 0.001; max 0.0268·std, limit 0.01
//     wrong  212 of 8000 elements (2.65 %), cosine 0.99981
//     reference  sha256 9f3c41d2…, torchvision 0.26.0, float64
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ATen/core/Tensor.h"
#include "benchmarks/harness/numerics/reference.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::numerics {

// The expected outputs: name, dtype, shape and rule of each.
using ExpectedOutputs = google::protobuf::RepeatedPtrField<ExpectedOutput>;

// `expected` and `got` are positional: expected[i] specifies got[i], a tensor of any device and
// memory layout. Each output is compared with its specification and with the reference, by its own
// rule or, if it has none, by that of `limits`. `baseline`, for DYNAMO_SAME only, holds the outputs
// of an eager run in the same dtype; empty: none. `rows`: of a batched output, which of its rows
// the reference's rows are; empty: it has no others.
//
// Fills outcome, message (empty on PASS; one paragraph for each output that failed, without an end
// of line), outputs, rule, limits_provenance and reference.sha256. Every number in it is finite.
// The outcome is the worst of the outputs': FAIL_ARTIFACT, then trouble with device or memory,
// FAIL_SHAPE, FAIL_DTYPE, FAIL_NONFINITE, FAIL_ACCURACY. Unusable limits are FAIL_ACCURACY.
Verdict Compare(const ReferenceOutputs& reference, const ExpectedOutputs& expected,
                at::ArrayRef<at::Tensor> got, const VerifyParameters& limits,
                at::ArrayRef<at::Tensor> baseline = {}, at::IntArrayRef rows = {});

// "logits is NaN in 3 % and infinite in 25 %": shares of an output's elements, for a person; "" where
// there are none.
std::string NonfiniteText(std::string_view name, int64_t nan, int64_t infinite, int64_t elements);

// How the tensor differs from its specification, "has shape [2], …", and the outcome for that;
// nullopt if it does not. Values are not compared.
struct Misfit {
  Outcome outcome;
  std::string message;
};
std::optional<Misfit> MisfitOf(const ExpectedOutput& expected, const at::Tensor& got);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_COMPARISON_H_
