// -----------------------------------------------------------------------------
// File: fake_device.h
// -----------------------------------------------------------------------------
//
// A device whose clocks move only when the test says so: by the work that called functions do and
// by the costs scripted below. The host and the device's queue run side by side as they do on a
// GPU: queued work starts when it is queued or when the work before it ends, whichever is later.
//
// For tests only. It never sleeps and reads no real clock.
//
//   FakeDevice device({.timers = 1});
//   auto call = [&] { device.HostWork(5'000); device.Enqueue(1'000'000); };   // 5 us launch, 1 ms
//   run absl::StatusOr<SampleSet> set = Measure(device, Mode::kWall, call, {});   // 1'005'000 each

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_FAKE_DEVICE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_FAKE_DEVICE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/harness/sampling/device.h"

namespace assay::sampling {

class FakeDevice : public Device {
 public:
  struct Script {
    int timers = 0;               // as Device::TimerCount()
    int64_t clock_read_ns = 0;    // host time of one NowNs(); the value returned is the time before
    int64_t synchronize_ns = 0;   // host time of Synchronize() beyond the wait
    int64_t timer_record_ns = 0;  // host time of StartTimer() and StopTimer()
    int64_t flush_ns = 0;         // device time of FlushCache()
    double cpu_share = 1;         // CPU time for each nanosecond of HostWork
    int64_t fail_synchronize =
        0;  // the n-th Synchronize() (from 1) and all later ones lose the device
  };

  FakeDevice() : FakeDevice(Script{}) {}
  explicit FakeDevice(const Script& script) : script_(script), timers_(script.timers) {}

  // What a called function does: keeps the host busy, or queues work and returns at once.
  void HostWork(int64_t ns);
  void Enqueue(int64_t ns);
  // Time passes in which the host does nothing.
  void Idle(int64_t ns) { host_ns_ += ns; }

  // Whether the cache was flushed since the last call of this function: what a called function asks
  // when its cost depends on that.
  bool TakeCold();

  // What was asked of the device, in order and one letter each: s synchronize, ( start, ) stop,
  // f flush, w host work, e enqueue.
  const std::string& Journal() const { return journal_; }

  const DeviceFacts& Facts() const override { return facts_; }
  int64_t NowNs() override;
  int64_t ProcessCpuNs() override { return static_cast<int64_t>(cpu_ns_); }
  absl::Status Synchronize() override;
  int TimerCount() const override { return script_.timers; }
  absl::Status StartTimer(int timer) override;
  absl::Status StopTimer(int timer) override;
  absl::StatusOr<int64_t> TimerNs(int timer) override;
  absl::Status FlushCache() override;

 private:
  struct Timer {
    int64_t start_ns = 0;
    int64_t stop_ns = 0;
  };

  // When work that is queued now would start.
  int64_t QueueNs() const { return queue_free_ns_ > host_ns_ ? queue_free_ns_ : host_ns_; }

  Script script_;
  DeviceFacts facts_;
  std::vector<Timer> timers_;
  int64_t host_ns_ = 1'000'000'000'000;  // not 0, so that a forgotten subtraction shows
  int64_t queue_free_ns_ = 0;
  double cpu_ns_ = 0;
  int64_t synchronize_calls_ = 0;
  bool cold_ = false;
  std::string journal_;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_FAKE_DEVICE_H_
