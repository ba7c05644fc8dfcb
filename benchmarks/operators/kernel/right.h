#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_RIGHT_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_RIGHT_H_

// ---------------------------------------------------------------------------------------------
// right.h: is a kernel right? Asks many trials, drawn from a seed, until one is wrong; then looks for
// the smallest sizes at which it still is, as a property test shrinks.
//
// First the sizes that the user wants, as they are. Then sizes that kernels get wrong: 0, 1, odd ones, primes, one
// below, at and above each power of two, each letter of the row in turn while the others are small.
// Then inputs that lie otherwise and hold unusual values, at sizes drawn from both. Then the gradients of
// the inputs, at the sizes that the user wants.
//
// Example:
//   RightEnd end = IsRight(candidate, plan);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <utility>
#include <vector>

#include "benchmarks/operators/kernel/kernel.pb.h"
#include "benchmarks/operators/kernel/trial.h"

namespace assay::kernel {

struct RightPlan {
  std::vector<Sizes> sizes = {};  // that the user wants; of the same letters
  Dtype dtype = Dtype::FP32;
  uint64_t seed = 0;
  bool no_others = false;  // there is no truth at other sizes
};

// The trials, in their order.
std::vector<Trial> TrialsOf(const RightPlan& plan);

struct RightEnd {
  TrialEnd::State state = TrialEnd::State::kRight;
  KernelFailure failure = {};                          // of kWrong: the smallest
  int64_t verified = 0;                                // trials that were compared and right
  int64_t planned = 0;                                 // all that would be asked
  std::vector<double> error_shares = {};               // of the wanted sizes
  std::vector<std::pair<double, double>> errors = {};  // likewise, the largest: absolute, relative
  std::vector<std::string> warnings =
      {};  // calls that it refuses and ATen takes, and what it lacks
};

RightEnd IsRight(const Candidate& candidate, const RightPlan& plan);

// The smallest sizes at which a wrong trial is still wrong, each letter by itself, and how it is wrong
// there.
KernelFailure Shrink(const Candidate& candidate, Trial trial, KernelFailure failure);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_RIGHT_H_
