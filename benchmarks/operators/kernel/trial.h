#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_TRIAL_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_TRIAL_H_

// ---------------------------------------------------------------------------------------------
// trial.h: one question about a kernel's results: sizes, dtype, where the inputs lie, what they hold.
// A trial calls the candidate twice in a copy of this process (isolated_call.h), then computes the truth
// in float64 by ATen's own kernel, and compares every element (element_check.h).
//
// Everything is drawn from the trial's seed, so a trial can be repeated.
//
// Example:
//   TrialEnd end = RunTrial(candidate, {.sizes = sizes, .values = Values::kNan, .seed = 7}, options);
//   if (end.state == TrialEnd::State::kWrong) Print(end.failure.text());
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>

#include "absl/time/time.h"
#include "benchmarks/operators/kernel/guarded_memory.h"
#include "benchmarks/operators/kernel/kernel.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::kernel {

// How an input lies in memory.
enum class Layout {
  kPlain,       // contiguous
  kTransposed,  // its last two dimensions lie the other way round
  kSliced,      // every row begins at an odd element of a longer one
  kBroadcast,   // its first dimension has a stride of 0
};

// The values of floating-point inputs, beside those of the row's distribution.
enum class Values {
  kDrawn,
  kNan,               // here and there
  kInfinite,          // both signs, here and there
  kNegativeInfinity,  // a whole row
  kSubnormal,
  kHuge,      // as large as the dtype allows
  kTies,      // three different numbers
  kConstant,  // one
  kSorted,
  kLongTail,  // a few are a million times the others
};
inline constexpr int kLayouts = 4, kValues = 10;

struct Trial {
  Sizes sizes = {};
  Dtype dtype = Dtype::FP32;
  Layout layout = Layout::kPlain;
  Values values = Values::kDrawn;
  Edge edge = Edge::kEnd;
  uint64_t seed = 0;
  bool gradients = false;  // asks for the gradients of the inputs, not for the results
};

// "r=7 c=33, fp32, transposed, values with NaN".
std::string TrialText(const Trial& trial);

struct Candidate {
  std::string name = {};  // "mine::softmax"
  OperatorRow row = {};   // of the operator that it must be like
  bool nondeterministic = false;
  int threads = 0;
  absl::Duration timeout = absl::Seconds(10);
};

struct TrialEnd {
  enum class State {
    kRight,
    kWrong,
    kRefused,  // it threw, which is loud: nobody takes that for a result
    kNoQuestion,  // the operator itself does not take such a call; the failure's text says why, where it is known
    kNoted,  // nothing was compared, and the text says what would have to be there
    kSurroundings,
  } state = State::kRight;
  KernelFailure failure = {};  // of kWrong and kRefused; without the smallest sizes
  double error_share = 0;      // the largest error as a share of its limit
  double absolute_error = 0, relative_error = 0;  // element_check.h
};

TrialEnd RunTrial(const Candidate& candidate, const Trial& trial);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_TRIAL_H_
