#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_PEAK_PROBES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_PEAK_PROBES_H_

// ---------------------------------------------------------------------------------------------
// peak_probes.h: what this machine is seen to reach, for --peaks and the roofline made of it: by
// LibTorch, with the threads and the settings of the process, by the sampling engine.
//
//   gemm     operations a second of at::mm of square matrices of a dtype: of 8192, 4096, 2048, 1024,
//            512 or 256 rows, the most with which a call takes a twelfth of a second at most
//   stream   bytes a second, read and written, of copy_ between arrays that no cache holds
//
// What the engine's checks flag (a busy machine reaches less than it can) stands in the probe's text.
//
// Not environment/peaks.h: those are upper bounds from data sheets, for finding times that cannot
// be; no kernel reaches them, and so they are no yardstick.
//
// Example:
//   absl::StatusOr<std::vector<Peak>> peaks = MeasurePeaks(device, at::kCPU, BF16, {});
// ---------------------------------------------------------------------------------------------

#include <c10/core/Device.h>

#include <atomic>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "defs/record.pb.h"
#include "defs/suite.pb.h"

namespace assay::runner {

struct PeakOptions {
  absl::Duration budget = absl::Milliseconds(500);  // of each probe; overdrawn for six samples
  const std::atomic<bool>* interrupted = nullptr;
};

// "gemm", then "stream"; without "gemm" for a dtype that is no floating-point one. ResourceExhausted
// where memory does not suffice, Internal for what else LibTorch throws, Cancelled where it was
// interrupted, else what the engine returns.
absl::StatusOr<std::vector<Peak>> MeasurePeaks(sampling::Device& device, c10::Device torch_device,
                                               Dtype dtype, const PeakOptions& options);

// "peaks              gemm fp32 161 GFLOP/s ±0.4 % (mm 1024 x 1024 x 1024); stream 17.2 GB/s ±0.9 %
// (copy_ of 256 MiB)"; empty where none were measured.
std::string PeaksLine(const Record& record);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_PEAK_PROBES_H_
