#include "benchmarks/harness/sampling/cuda/queue_hold.h"

#include <atomic>
#include <utility>

#include "benchmarks/harness/sampling/cuda/cuda_status.h"

namespace assay::sampling {

absl::StatusOr<std::unique_ptr<QueueHold>> QueueHold::Make(cudaStream_t stream) {
  absl::StatusOr<Mapped<HoldState>> state = Mapped<HoldState>::Make();
  if (!state.ok()) return state.status();
  auto hold = std::unique_ptr<QueueHold>(new QueueHold(*std::move(state)));
  const absl::Status loaded =
      CudaStatus(LaunchHold(hold->state_.on_device(), 0, kTimeoutNs, stream), "holding the queue");
  if (!loaded.ok()) return loaded;
  return hold;
}

QueueHold::~QueueHold() {
  End();
  // The memory must outlive a kernel that reads it. There is nobody left to report an error to.
  cudaDeviceSynchronize();
}

absl::Status QueueHold::Begin(cudaStream_t stream) {
  ++number_;
  return CudaStatus(LaunchHold(state_.on_device(), number_, kTimeoutNs, stream),
                    "holding the queue");
}

bool QueueHold::End() {
  HoldState& state = state_.on_host();
  std::atomic_ref<uint64_t>(state.released).store(number_, std::memory_order_release);
  const uint64_t timed_out =
      std::atomic_ref<uint64_t>(state.timed_out).load(std::memory_order_acquire);
  return number_ == 0 || timed_out != number_;
}

}  // namespace assay::sampling
