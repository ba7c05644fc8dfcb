#include "benchmarks/harness/sampling/fake_device.h"

#include <utility>

namespace assay::sampling {

void FakeDevice::HostWork(int64_t ns) {
  journal_ += 'w';
  host_ns_ += ns;
  cpu_ns_ += static_cast<double>(ns) * script_.cpu_share;
}

void FakeDevice::Enqueue(int64_t ns) {
  journal_ += 'e';
  queue_free_ns_ = QueueNs() + ns;
}

bool FakeDevice::TakeCold() { return std::exchange(cold_, false); }

int64_t FakeDevice::NowNs() {
  const int64_t now = host_ns_;
  host_ns_ += script_.clock_read_ns;
  return now;
}

absl::Status FakeDevice::Synchronize() {
  journal_ += 's';
  ++synchronize_calls_;
  if (script_.fail_synchronize > 0 && synchronize_calls_ >= script_.fail_synchronize) {
    return absl::UnavailableError("the fake device is lost");
  }
  host_ns_ = QueueNs() + script_.synchronize_ns;
  return absl::OkStatus();
}

absl::Status FakeDevice::StartTimer(int timer) {
  journal_ += '(';
  timers_.at(timer).start_ns = QueueNs();
  host_ns_ += script_.timer_record_ns;
  return absl::OkStatus();
}

absl::Status FakeDevice::StopTimer(int timer) {
  journal_ += ')';
  timers_.at(timer).stop_ns = QueueNs();
  host_ns_ += script_.timer_record_ns;
  return absl::OkStatus();
}

absl::StatusOr<int64_t> FakeDevice::TimerNs(int timer) {
  const Timer& t = timers_.at(timer);
  if (t.stop_ns > host_ns_) return absl::FailedPreconditionError("the timer has not stopped yet");
  return t.stop_ns - t.start_ns;
}

absl::Status FakeDevice::FlushCache() {
  journal_ += 'f';
  cold_ = true;
  queue_free_ns_ = QueueNs() + script_.flush_ns;
  return absl::OkStatus();
}

}  // namespace assay::sampling
