#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_OUTPUT_DIFFERENCE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_OUTPUT_DIFFERENCE_H_

// ---------------------------------------------------------------------------------------------
// output_difference.h: compares the outputs of two calls: to the bit, and by the case's limits with
// the other call in the place of the reference.
//
// Under the rule DYNAMO_SAME there is no third, plain execution here: the outputs must be close, or
// their rmse within tol / 10 (numerics/rules.h).
//
// Not for: the reference of a case (numerics/comparison.h).
//
// Example:
//   OutputDifference difference = DifferenceOf(ExpectedOf(c, now), now, before, verify);
//   std::cout << difference.text;   // "logits bit-equal; pooled max |Δ| 3.1e-07, rms 4e-08 of std"
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "benchmarks/harness/numerics/comparison.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

struct OutputDifference {
  bool bit_equal = true;      // every output, in shape, dtype and every bit
  bool within_limits = true;  // every output; true where they are bit-equal
  std::string text;           // one phrase for each output, as above
  std::string reasons;        // explains each output beyond its limits, as comparison.h shows it
};

// Same dtype, same shape, same bits: NaN equals the same NaN, and 0 is not -0. Lets c10::Error
// through.
bool BitEqual(const at::Tensor& a, const at::Tensor& b);

// How many elements of two tensors of one dtype and shape have other bits. Lets c10::Error through.
int64_t ElementsThatDiffer(const at::Tensor& a, const at::Tensor& b);

// `got` and `want` have as many tensors as `expected`, in its order; on any device, in any layout.
// Outputs that cannot be read, compared or kept count as different, and the text says why.
OutputDifference DifferenceOf(const numerics::ExpectedOutputs& expected,
                              at::ArrayRef<at::Tensor> got, at::ArrayRef<at::Tensor> want,
                              const VerifyParameters& limits);

// The largest error of each kind over several outputs: "max |Δ| 3.1e-07, rms 4.0e-08 of std".
std::string WorstText(const Verdict& verdict);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_OUTPUT_DIFFERENCE_H_
