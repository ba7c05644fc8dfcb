// -----------------------------------------------------------------------------
// File: queue_hold.h
// -----------------------------------------------------------------------------
//
// Holds a stream with a kernel of one thread that looks at a flag in the host's memory until the
// host sets it, as nvbench's blocking kernel does, so that a call and the marks around it can be
// queued before the first of them runs.
//
// Two kinds of call cannot be queued behind it: calls that wait for the device (cudaMalloc, copies
// to the host, loading of a kernel on its first launch), and calls of more launches than fit into
// the driver's queue, since the host then waits for room: about a thousand, or four times as many
// with a driver that reads CUDA_SCALE_LAUNCH_QUEUES (cuda_plugin.h). For both the kernel's watchdog
// ends the hold after kTimeoutNs, and End() returns false.
//
// Not for more than one stream at a time.
//
//   absl::StatusOr<std::unique_ptr<QueueHold>> hold = QueueHold::Make(stream);
//   absl::Status status = (*hold)->Begin(stream);
//   ...
//   bool held = (*hold)->End();

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_QUEUE_HOLD_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_QUEUE_HOLD_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda/kernels.h"
#include "benchmarks/harness/sampling/cuda/mapped.h"

namespace assay::sampling {

class QueueHold {
 public:
  static constexpr int64_t kTimeoutNs = 2'000'000'000;

  // Queues a first launch that ends at once: CUDA loads a kernel when it is first launched, which
  // may wait for the device. Wait for the device before the first Begin.
  static absl::StatusOr<std::unique_ptr<QueueHold>> Make(cudaStream_t stream);

  // Releases every hold.
  ~QueueHold();
  QueueHold(const QueueHold&) = delete;
  QueueHold& operator=(const QueueHold&) = delete;

  absl::Status Begin(cudaStream_t stream);
  // False if the watchdog ended the hold before. True if there was no hold.
  bool End();

 private:
  explicit QueueHold(Mapped<HoldState> state) : state_(std::move(state)) {}

  Mapped<HoldState> state_;
  uint64_t number_ = 0;  // number of the last hold
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_QUEUE_HOLD_H_
