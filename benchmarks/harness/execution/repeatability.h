#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_REPEATABILITY_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_REPEATABILITY_H_

// ---------------------------------------------------------------------------------------------
// repeatability.h: whether two equal calls of a case may give different bits, and why. The one place
// that knows: the verdict, the timed step and the flags ask here.
//
// They may where a kernel adds in no fixed order:
//   - in outputs that the case's table declares for the device (suite.proto: Nondeterminism);
//   - in all outputs of training on CUDA: cuDNN may add the gradients of a convolution atomically,
//     and so do fused attention and the backward passes of gathered rows. PyTorch's defaults are the
//     same, and setting cudnn.deterministic for the verdict alone would verify other kernels than
//     those that are timed.
// With --deterministic they may not: LibTorch then calls kernels that add in a fixed order.
//
// Not for: how far the calls may be apart. Each is held to the case's limits.
//
// Example:
//   const Repeatability calls = RepeatabilityOf(c.benchmark_case(), device);
//   if (!calls.MayDiffer("self.grad")) return Nondeterministic("self.grad");
// ---------------------------------------------------------------------------------------------

#include <c10/core/Device.h>

#include <string>
#include <string_view>
#include <vector>

#include "defs/proto/suite.pb.h"

namespace assay::execution {

struct Repeatability {
  // Names the kernels, for a person; empty: two equal calls are equal to the bit.
  std::string reason = {};
  bool all_outputs = false;
  std::vector<std::string> outputs = {};  // where not all

  bool MayDiffer() const { return !reason.empty(); }
  bool MayDiffer(std::string_view output) const;
};

Repeatability RepeatabilityOf(const BenchmarkCase& c, at::Device device);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_REPEATABILITY_H_
