#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_OPERATOR_CHECK_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_OPERATOR_CHECK_H_

// ---------------------------------------------------------------------------------------------
// operator_check.h: checks one operator with sample arguments on the CPU: does it run, does it
// leave its arguments alone, does it give the same bits twice, do results and gradients agree with
// the same call in float64, how long does a call take?
//
// Arguments that samples.txt does not name get values by their type, of several shapes in turn
// until a call succeeds. If it is right, it is called with a larger sample, mostly of 16,000 to
// 40,000 elements, since a kernel's second block or tail may be wrong although its first block is
// right. An operator that draws random numbers is called twice from the same seed.
//
// Not for: an operator that crashes; the caller is a process that may die (sweep.cc).
//
// Example:
//   for (const c10::OperatorName& name : FunctionalOperators(IsPublicAten))
//     OperatorResult result = CheckOperator(name, table.For(c10::toString(name)));
// ---------------------------------------------------------------------------------------------

#include <ATen/core/operator_name.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "benchmarks/operators/judge/judgement.h"
#include "benchmarks/operators/sweep/sample_table.h"

namespace assay::sweep {

using operators::Finding;

struct OperatorResult {
  std::string name;      // "aten::add.Tensor"
  std::string row = {};  // "mine.txt:3": the row of a user's file that asked for this call
  Finding finding = Finding::kRefused;
  std::string reason = {};      // LibTorch's words, or the numbers that disagree
  std::string sample = {};      // "self=f[4,4] other=f[4,4]": the small sample or the wrong one
  bool differentiated = false;  // gradients were compared as well
  double error = 0;             // largest error, in standard deviations of its result
  int64_t elements = 0;         // elements of the largest tensor of a compared call
  double forward_us = 0;        // median of a few calls
};

// The wanted operators that write to none of their arguments and return new tensors, by name.
std::vector<c10::OperatorName> FunctionalOperators(
    absl::FunctionRef<bool(const c10::OperatorName&)> wanted);
// Whether it is one of ATen's, and not internal to LibTorch ("aten::_…").
bool IsPublicAten(const c10::OperatorName& name);

// Never throws. `row`: of SampleTable::CallsOf(). `guarded`: an operator of unknown origin, which is first called in a copy of this
// process, in guarded memory (kernel/isolated_call.h); this process must not have computed with several threads.
OperatorResult CheckOperator(const c10::OperatorName& name, const SampleRow& row,
                             bool guarded = false);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_OPERATOR_CHECK_H_
