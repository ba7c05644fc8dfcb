#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_PEAK_PROBES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_PEAK_PROBES_H_

// ---------------------------------------------------------------------------------------------
// peak_probes.h: measures the peaks that this machine reaches, for --peaks and the roofline:
// through LibTorch, with the threads and settings of the process, by the sampling engine.
//
//   compute  operations a second in a dtype, of the fastest of: at::mm of square matrices; a 3x3
//            convolution; on a CPU the loops of peak_loops.h, which only multiply and add. Each is
//            tried for a moment, mm and convolution in several sizes, and the best two are measured
//   stream   bytes a second, read and written, of copy_ between arrays that no cache holds
//   read     bytes a second of reading one of them: of at::sum or, on a CPU, of a plain loop
//
// Several kernels are tried, since no case may lie above the roof: on two cores of an AMD EPYC
// at::mm, which is MKL's, reached 202 GFLOP/s where resnet18 reached 246 with oneDNN's
// convolutions.
//
// The probe's text says what the engine's checks flagged: a busy machine reaches less than it
// could.
//
// environment/peaks.h is something else: upper bounds from data sheets that expose impossible
// times. No kernel reaches them, so they say little about how good a kernel is.
//
// Example:
//   absl::StatusOr<std::vector<Peak>> peaks = MeasurePeaks(device, at::kCPU, BF16, {});
// ---------------------------------------------------------------------------------------------

#include <c10/core/Device.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/device/device_facts.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

struct PeakOptions {
  absl::Duration budget = absl::Milliseconds(250);  // of each probe; six samples at least
  int64_t array_bytes = 0;  // size of each array that is copied or read; 0: larger than any cache
  const std::atomic<bool>* interrupted = nullptr;
};

// "compute", "stream", "read"; without "compute" for a dtype of integers. ResourceExhausted where
// memory does not suffice, Internal for LibTorch's other exceptions, Cancelled after an interrupt,
// else the engine's errors.
absl::StatusOr<std::vector<Peak>> MeasurePeaks(sampling::Device& device, c10::Device torch_device,
                                               Dtype dtype, const PeakOptions& options);

// The size of each of the two arrays that the memory's peak is measured with on a GPU: 16 times its
// L2, so that lines which stay there between calls add little, and 1 GiB at least; but no more than
// an eighth of the memory.
int64_t GpuArrayBytes(const sampling::DeviceFacts& facts);

// The rate of calls that do `work` (operations or bytes) each and took `samples_ns`: the median's,
// and its interval where there are samples enough for one.
void SetRate(double work, const std::vector<double>& samples_ns, Peak& peak);

// "peaks              compute fp32 161 GFLOP/s ±0.4 % (mm 1024 x 1024 x 1024); stream 17.2 GB/s
// ±0.9 % (copy_ of 256 MiB); read ..."; empty where none were measured.
std::string PeaksLine(const Record& record);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_PEAK_PROBES_H_
