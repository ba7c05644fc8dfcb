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
//     OperatorResult result = CheckOperator(name, table);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/operator_name.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "benchmarks/operators/sweep/sample_table.h"

namespace assay::sweep {

enum class Finding {
  kVerified,          // agrees with float64, forward and, where there is one, backward
  kSeeded,            // random numbers: the same twice from one seed; nothing else can be compared
  kFree,              // ran; results are not unique or not defined (samples.txt says why)
  kNotCompared,       // ran, but not in float64
  kDiffers,           // results or gradients disagree with float64
  kNondeterministic,  // two equal calls differ
  kWrites,    // an argument holds other numbers after a call, though the schema has no alias
  kAliases,   // a result lies in an argument's memory, though the schema has no alias
  kNothing,   // ran, but a result is empty or holds NaN, of which no comparison says anything
  kCrashed,   // the process died of it
  kTimedOut,  // it did not come to an end
  kNoKernel,  // LibTorch has none for dense tensors on the CPU
  kNoSample,  // no sample for the type of an argument
  kRefused,   // every sample was refused
};

// "verified", "no kernel for the CPU".
std::string_view FindingName(Finding finding);
// It ran, and everything that can be compared was compared.
inline bool IsGood(Finding finding) {
  return finding == Finding::kVerified || finding == Finding::kSeeded;
}

struct OperatorResult {
  std::string name;  // "aten::add.Tensor"
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

// Never throws.
OperatorResult CheckOperator(const c10::OperatorName& name, const SampleTable& table);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_OPERATOR_CHECK_H_
