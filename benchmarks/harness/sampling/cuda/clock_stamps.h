// -----------------------------------------------------------------------------
// File: clock_stamps.h
// -----------------------------------------------------------------------------
//
// The GPU's core clock over a span, and the span's length by a clock that is not the events': a
// small kernel at each end notes %globaltimer and the cycle counter on several multiprocessors, and
// one that was noted at both ends tells the rate. nvbench does the same with multiprocessor 0 only;
// this takes any that both kernels ran on.
//
// Not for the duration that is reported: the kernels lie outside the timer's marks.
//
//   stamps->MarkStart(stream);  ...  stamps->MarkStop(stream);   // then wait for the stream
//   ClockReading reading = stamps->Read();

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CLOCK_STAMPS_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CLOCK_STAMPS_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda/kernels.h"
#include "benchmarks/harness/sampling/cuda/mapped.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

class ClockStamps {
 public:
  // The clock rate is computed only over this many steps of %globaltimer or more, which makes it
  // exact to 2 %, and over no shorter span.
  static constexpr int64_t kLeastSteps = 50;
  static constexpr int64_t kLeastSpanNs = 10'000;
  // With a coarser %globaltimer no span is reported.
  static constexpr int64_t kCoarsestStepNs = 2'000;

  // Queues first launches of the kernels, see QueueHold::Make. `sms`: multiprocessors.
  static absl::StatusOr<std::unique_ptr<ClockStamps>> Make(int sms, cudaStream_t stream);

  absl::Status MarkStart(cudaStream_t stream);
  absl::Status MarkStop(cudaStream_t stream);

  // The reading of the last two marks, once the device is done with them. All fields are 0 where
  // there is nothing new, or where the two kernels shared no multiprocessor. Does not wait.
  ClockReading Read();

  // The span that Read() finds around nothing; it is subtracted from then on.
  void set_overhead_ns(int64_t ns) { overhead_ns_ = ns; }

 private:
  struct Memory {
    ClockStamp start[kStampedSms];
    ClockStamp stop[kStampedSms];
    int64_t step_ns = 0;
  };

  ClockStamps(Mapped<Memory> memory, int sms) : memory_(std::move(memory)), sms_(sms) {}

  Mapped<Memory> memory_;
  const int sms_;
  uint64_t marks_ = 0;  // marks so far: a start is odd, its stop the next even number
  uint64_t read_ = 0;   // the last of them that Read has seen
  int64_t overhead_ns_ = 0;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CLOCK_STAMPS_H_
