#include "benchmarks/harness/sampling/device/fake_device.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace assay::sampling {

class FakeGraph : public Graph {
 public:
  FakeGraph(FakeDevice& device, int64_t work_ns) : device_(device), work_ns_(work_ns) {}
  absl::Status Launch() override {
    device_.journal_ += 'g';
    if (std::exchange(first_, false) && device_.script_.graph_upload_ns >= 0) {
      device_.WaitForQueue();
      device_.host_ns_ += device_.script_.graph_upload_ns;
    }
    device_.host_ns_ += device_.script_.graph_launch_ns;
    if (device_.held_) {
      device_.held_work_ns_ += work_ns_;
    } else {
      device_.queue_free_ns_ = device_.QueueNs() + work_ns_;
    }
    return absl::OkStatus();
  }

 private:
  FakeDevice& device_;
  const int64_t work_ns_;
  bool first_ = true;
};

void FakeDevice::HostWork(int64_t ns) {
  journal_ += 'w';
  host_ns_ += ns;
  cpu_ns_ += static_cast<double>(ns) * script_.cpu_share;
  instructions_ += static_cast<double>(ns) * script_.instructions;
}

void FakeDevice::Enqueue(int64_t ns) {
  journal_ += 'e';
  if (capturing_) {
    captured_ns_ += ns;
  } else if (held_) {
    held_work_ns_ += ns;
  } else {
    queue_free_ns_ = QueueNs() + ns;
  }
}

void FakeDevice::EnqueueElsewhere(int64_t ns) {
  elsewhere_free_ns_ = std::max(elsewhere_free_ns_, host_ns_) + ns;
}

void FakeDevice::EnqueueLater(int64_t delay_ns, int64_t ns) {
  late_work_.push_back({.at_ns = host_ns_ + delay_ns, .ns = ns});
}

void FakeDevice::StartLateWork() {
  for (const LateWork& work : late_work_) {
    if (work.at_ns <= host_ns_) queue_free_ns_ = std::max(queue_free_ns_, work.at_ns) + work.ns;
  }
  late_work_.erase(std::remove_if(late_work_.begin(), late_work_.end(),
                                  [&](const LateWork& work) { return work.at_ns <= host_ns_; }),
                   late_work_.end());
}

bool FakeDevice::TakeCold() { return std::exchange(cold_, false); }

int64_t FakeDevice::NowNs() {
  const int64_t now = host_ns_;
  host_ns_ += script_.clock_read_ns;
  return now;
}

void FakeDevice::IdleNs(int64_t ns) {
  host_ns_ += ns;
  const double worked_ns = std::min(late_cpu_ns_, static_cast<double>(ns));
  cpu_ns_ += worked_ns;
  late_cpu_ns_ -= worked_ns;
  StartLateWork();
}

void FakeDevice::EndHold(int64_t at_ns) {
  held_ = false;
  const int64_t start_ns = std::max(queue_free_ns_, at_ns);
  for (Mark* mark : pending_) {
    mark->ns = start_ns + mark->work_before_ns;
    mark->pending = false;
  }
  pending_.clear();
  queue_free_ns_ = start_ns + held_work_ns_;
  held_work_ns_ = 0;
}

void FakeDevice::WaitForQueue() {
  // A wait while the queue is held lasts until the watchdog ends the hold.
  if (held_) {
    hold_timed_out_ = true;
    host_ns_ = hold_start_ns_ + script_.hold_timeout_ns;
    EndHold(host_ns_);
  }
  host_ns_ = QueueNs();
}

absl::Status FakeDevice::Synchronize() {
  journal_ += 's';
  ++synchronize_calls_;
  if (script_.fail_synchronize > 0 && synchronize_calls_ >= script_.fail_synchronize) {
    return absl::UnavailableError("the fake device is lost");
  }
  StartLateWork();
  WaitForQueue();
  host_ns_ = std::max(host_ns_, elsewhere_free_ns_) + script_.synchronize_ns;
  return absl::OkStatus();
}

absl::Status FakeDevice::ReserveTimers(int count) {
  if (timers_.empty()) return Device::ReserveTimers(count);
  timers_.resize(std::max(timers_.size(), static_cast<size_t>(count)));
  return absl::OkStatus();
}

void FakeDevice::Put(Mark& mark) {
  mark = {.ns = QueueNs(), .pending = held_, .work_before_ns = held_work_ns_};
  if (held_) pending_.push_back(&mark);
}

absl::Status FakeDevice::StartTimer(int timer) {
  journal_ += '(';
  Put(timers_.at(timer).start);
  host_ns_ += script_.timer_record_ns;
  return absl::OkStatus();
}

absl::Status FakeDevice::StopTimer(int timer) {
  journal_ += ')';
  Put(timers_.at(timer).stop);
  host_ns_ += script_.timer_record_ns;
  return absl::OkStatus();
}

absl::Status FakeDevice::WaitTimer(int timer) {
  journal_ += 't';
  if (held_) WaitForQueue();
  host_ns_ = std::max(host_ns_, timers_.at(timer).stop.ns);
  return absl::OkStatus();
}

absl::StatusOr<int64_t> FakeDevice::TimerNs(int timer) {
  const Timer& t = timers_.at(timer);
  if (t.stop.pending || t.stop.ns > host_ns_) {
    return absl::FailedPreconditionError("the timer has not stopped yet");
  }
  if (!std::isfinite(script_.timer_scale)) {
    return absl::DataLossError("the device's timer returned NaN");
  }
  return std::llround(static_cast<double>(t.stop.ns - t.start.ns) * script_.timer_scale);
}

absl::Status FakeDevice::FlushCache(int64_t) {
  journal_ += 'f';
  cold_ = true;
  probe_cold_ = true;
  queue_free_ns_ = QueueNs() + script_.flush_ns;
  return absl::OkStatus();
}

absl::Status FakeDevice::ReadProbe() {
  journal_ += 'p';
  const int64_t ns =
      std::exchange(probe_cold_, false) ? script_.probe_cold_ns : script_.probe_warm_ns;
  if (timers_.empty()) {
    host_ns_ += ns;
  } else if (held_) {
    held_work_ns_ += ns;
  } else {
    queue_free_ns_ = QueueNs() + ns;
  }
  return absl::OkStatus();
}

absl::Status FakeDevice::Hold() {
  if (!script_.hold) return Device::Hold();
  journal_ += 'h';
  held_ = true;
  hold_timed_out_ = false;
  hold_start_ns_ = host_ns_;
  return absl::OkStatus();
}

absl::StatusOr<bool> FakeDevice::Release() {
  if (!script_.hold) return true;
  journal_ += 'r';
  if (held_) EndHold(host_ns_);
  return !hold_timed_out_;
}

void FakeDevice::MarkClock(Mark& mark) {
  Put(mark);
  host_ns_ += script_.clock_mark_ns;
}

absl::Status FakeDevice::MarkClockStart() {
  if (mhz_ > 0 && !timers_.empty()) MarkClock(clock_start_);
  return absl::OkStatus();
}

absl::Status FakeDevice::MarkClockStop() {
  if (mhz_ > 0 && !timers_.empty()) MarkClock(clock_stop_);
  return absl::OkStatus();
}

absl::StatusOr<ClockReading> FakeDevice::ReadClock(int64_t) {
  return ClockReading{.mhz = mhz_, .span_ns = clock_stop_.ns - clock_start_.ns};
}

absl::StatusOr<std::unique_ptr<Graph>> FakeDevice::Capture(absl::FunctionRef<void()> work) {
  if (!script_.graphs) return Device::Capture(work);
  capturing_ = true;
  captured_ns_ = 0;
  std::string problem;
  try {
    work();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  capturing_ = false;
  if (!problem.empty()) return absl::FailedPreconditionError(problem);
  return std::make_unique<FakeGraph>(*this, captured_ns_);
}

// A range's number is its place in Ranges(), counted from 1.
uint64_t FakeDevice::StartRange(const std::string& name) {
  ranges_.push_back("+" + name);
  return ranges_.size();
}

void FakeDevice::EndRange(uint64_t range) {
  ranges_.push_back("-" + ranges_.at(range - 1).substr(1));
}

}  // namespace assay::sampling
