// -----------------------------------------------------------------------------
// File: verdicts.h
// -----------------------------------------------------------------------------
//
// From the answers of several processes to a candidate's report: for each size and kind of cache a
// speedup with its interval and FASTER, SLOWER, SAME or INCONCLUSIVE, as compare decides
// (tools/compare/decision/decision.h): one ratio from each process, all series together.
//
// Not for starting processes: kernel.cc.
//
//   absl::Status summed = Conclude(timed, candidate);   // candidate: the answer of the check

#ifndef ASSAY_TOOLS_KERNEL_REPORT_VERDICTS_H_
#define ASSAY_TOOLS_KERNEL_REPORT_VERDICTS_H_

#include <vector>

#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

// 0 where there are none.
double MedianOf(const google::protobuf::RepeatedField<double>& values);

// The least time of one call by the peaks; 0 where the peaks or the call's work are unknown. Memory has none with a
// hot cache, which may be faster.
double LeastNs(const KernelSize& size, const KernelPeaks& peaks, bool cold);

// `timed`: the answers of the timing processes, each with the same sizes. Sets the sizes' times, their
// shares of the candidate's peaks, and the geometric mean of the speedups with a hot cache.
void Conclude(const std::vector<KernelCandidate>& timed, KernelCandidate& candidate);

// The share of the sizes that are right and at least `threshold` times as fast as ATen (KernelBench's
// fast_p).
double FastShare(const KernelCandidate& candidate, double threshold);

// base::kProductWrong for a wrong kernel, and with `gate` for one that is slower at a size;
// base::kSurroundings for one that could not be checked, and with `gate` where a time is FLAGGED.
int ExitCode(const KernelReport& report, bool gate);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_REPORT_VERDICTS_H_
