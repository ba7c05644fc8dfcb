#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_ISOLATED_CALL_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_ISOLATED_CALL_H_

// ---------------------------------------------------------------------------------------------
// isolated_call.h: calls a kernel of unknown origin in a copy of this process (fork), so that it can
// crash, hang, exit or write anywhere, and so that it remembers nothing from one call to the next
// trial. Its results come back as bytes, over a file in memory; what they are compared with is made
// afterwards, by this process.
//
// The kernel is called twice with equal inputs, in memory that is guarded and filled with another
// byte each time (guarded_memory.h): an element that it does not write differs.
//
// The calling process must not have computed with more than one thread before: its pool of threads
// would be missing in the copy. Not for a GPU, whose driver does not live through fork().
//
// Example:
//   CallEnd end = CallIsolated(bound, {.edge = Edge::kEnd, .timeout = absl::Seconds(10)});
//   if (end.kind.empty()) Compare(end.first, truth);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/operators/kernel/guarded_memory.h"

namespace assay::kernel {

struct IsolatedOptions {
  Edge edge = Edge::kEnd;  // of the inputs
  int threads = 0;         // 0: as LibTorch chooses
  bool twice = true;
  // Called between both, with other values: what it leaves behind, such as its last results, must not
  // show in the second call. Null: nothing is.
  const execution::BoundOperator* between = nullptr;
  absl::Duration timeout = absl::Seconds(10);
};

struct CallEnd {
  // The fault: "crashed", "hung", "threw", "exited", "writes to an input", "touches memory outside",
  // "returns no tensor", those of schema_check.h; empty: the calls came to their ends.
  std::string kind = {};
  std::string text = {};                             // one sentence about it
  std::vector<at::Tensor> results = {}, again = {};  // of both calls, in memory of this process
};

// Does not throw; kind is "surroundings" where there is no process or no memory for it.
CallEnd CallIsolated(const execution::BoundOperator& bound, const IsolatedOptions& options);

// Any work in such a copy, once: its tensors are the results. LibTorch's memory is guarded meanwhile;
// the work guards its inputs itself.
CallEnd RunIsolated(absl::FunctionRef<std::vector<at::Tensor>()> work,
                    const IsolatedOptions& options);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_ISOLATED_CALL_H_
