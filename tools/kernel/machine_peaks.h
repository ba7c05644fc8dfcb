// -----------------------------------------------------------------------------
// File: machine_peaks.h
// -----------------------------------------------------------------------------
//
// The speeds that this machine was measured to reach, kept in the user's cache folder: a file for each processor, number of
// threads and dtype. Measuring takes seconds, so it is done when the user asks for it.
//
//   absl::Status kept = KeepPeaks({.machine = ProcessorName(), .threads = 2, .dtype = FP32}, peaks);
//   std::optional<KernelPeaks> peaks = KeptPeaks(same);

#ifndef ASSAY_TOOLS_KERNEL_MACHINE_PEAKS_H_
#define ASSAY_TOOLS_KERNEL_MACHINE_PEAKS_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/operators/kernel/kernel.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::kernel {

// Empty where Linux does not say it.
std::string ProcessorName();

struct PeaksKey {
  std::string machine = {};
  int threads = 0;
  Dtype dtype = DTYPE_UNSPECIFIED;
};

// FailedPrecondition without a cache folder; else errors of writing.
absl::Status KeepPeaks(const PeaksKey& key, const KernelPeaks& peaks);

// Absent where none were kept.
std::optional<KernelPeaks> KeptPeaks(const PeaksKey& key);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_MACHINE_PEAKS_H_
