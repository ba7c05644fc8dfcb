#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

absl::Status Device::ReserveTimers(int) {
  return absl::FailedPreconditionError("this device has no timers of its own");
}

absl::Status Device::Hold() {
  return absl::FailedPreconditionError("this device has no queue that could be held");
}

absl::StatusOr<bool> Device::Release() { return true; }

absl::StatusOr<std::unique_ptr<Graph>> Device::Capture(absl::FunctionRef<void()>) {
  return absl::FailedPreconditionError("this device cannot record work as a graph; CUDA can");
}

absl::Status Device::StartMemoryHistory() {
  return absl::FailedPreconditionError("no device memory to snapshot");
}

absl::StatusOr<std::string> Device::MemorySnapshot() {
  return absl::FailedPreconditionError("no device memory to snapshot");
}

}  // namespace assay::sampling
