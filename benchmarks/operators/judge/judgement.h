#ifndef ASSAY_BENCHMARKS_OPERATORS_JUDGE_JUDGEMENT_H_
#define ASSAY_BENCHMARKS_OPERATORS_JUDGE_JUDGEMENT_H_

// ---------------------------------------------------------------------------------------------
// judgement.h: the verdict on one call with any arguments: does it leave them alone, does it give
// the same bits twice, do results and gradients agree with the same call in float64 on the CPU?
//
// An operator that draws random numbers is called twice from the same seed.
//
// Not for: cases of tables (harness/runner/verdict/operator_truth.h), whose inputs have distributions and
// names.
//
// Example:
//   const Callable call = CallableOf(bound);
//   const ArgumentState before(call);
//   Judgement judgement = Judge(call, before, ByCasting(call), {});
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/operators/judge/argument_memory.h"
#include "benchmarks/operators/judge/call_notes.h"
#include "benchmarks/operators/judge/callable.h"
#include "benchmarks/operators/judge/result_difference.h"

namespace assay::operators {

enum class Finding {
  kVerified,          // agrees with float64, forward and, where there is one, backward
  kSeeded,            // random numbers: the same twice from one seed; nothing else can be compared
  kFree,              // ran; results are not unique or not defined (samples.txt says why)
  kNotCompared,       // ran, but not in float64
  kDiffers,           // results or gradients disagree with float64
  kNondeterministic,  // two equal calls differ
  kWrites,    // an argument holds other numbers after a call, though the schema has no alias
  kAliases,   // a result lies in an argument's memory, though the schema has no alias
  kOutside,   // a call reads or writes memory that it was not given
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

struct JudgeOptions {
  bool random = false;     // it draws random numbers, so float64 is not compared
  bool gradients = true;   // compare those of all arguments that have a derivative, and of weights
  bool own_memory = true;  // results must not lie in the arguments' memory
  bool other_operator = false;  // float64 is another operator's, which may have a derivative
  Unit unit = Unit::kSpread;
  // For limits of gradients: if a rounding turns a relu or a maximum, a gradient goes elsewhere.
  double gradient_factor = 1;
  // What the same call returned before, while it was timed; null: not looked at.
  const std::vector<at::Tensor>* timed = nullptr;
};

struct Judgement {
  Finding finding = Finding::kVerified;
  std::string reason = {};      // LibTorch's words, or the numbers that disagree
  bool differentiated = false;  // gradients were compared as well
  double error = 0;             // largest error, in JudgeOptions.unit
  int64_t elements = 0;         // of the largest tensor among arguments and results
};

// The same call in float64; fails, or throws, if there is none.
using InFloat64Of = std::function<absl::StatusOr<Callable>()>;
// With the call's arguments cast.
InFloat64Of ByCasting(const Callable& call);

// `before`: the arguments' state before the first call. Never throws: an exception means that a
// comparison could not be made, kNotCompared.
Judgement Judge(const Callable& call, const ArgumentState& before, const InFloat64Of& in_float64,
                const CallNotes& notes, const JudgeOptions& options = {});

}  // namespace assay::operators

#endif  // ASSAY_BENCHMARKS_OPERATORS_JUDGE_JUDGEMENT_H_
