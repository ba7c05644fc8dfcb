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
//   // A launch of 5 us and a run of 1 ms: each sample is 1'005'000 ns.
//   auto call = [&] { device.HostWork(5'000); device.Enqueue(1'000'000); };
//   absl::StatusOr<SampleSet> set = Measure(device, Mode::kWall, call, {});

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_FAKE_DEVICE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_FAKE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

class FakeDevice : public Device {
 public:
  struct Script {
    int timers = 0;               // as Device::TimerCount()
    int64_t clock_read_ns = 0;    // host time of one NowNs(); the value returned is the time before
    int64_t synchronize_ns = 0;   // host time of Synchronize() beyond the wait
    int64_t timer_record_ns = 0;  // host time of StartTimer() and StopTimer()
    int64_t clock_mark_ns = 0;    // host time of MarkClockStart() and MarkClockStop()
    int64_t flush_ns = 0;         // device time of FlushCache()
    double cpu_share = 1;         // CPU time for each nanosecond of HostWork
    double instructions = -1;     // for each nanosecond of HostWork; -1: they are not counted
    std::string missing_instructions = {};  // why, as on a CPU; a GPU says nothing
    int64_t fail_synchronize =
        0;              // the n-th Synchronize() (from 1) and all later ones report a lost device
    bool hold = false;  // as Device::CanHold()
    int64_t hold_timeout_ns = 2'000'000'000;  // of the hold's watchdog
    bool graphs = false;                      // whether Capture() works
    int64_t graph_launch_ns = 0;              // host time of Graph::Launch()
    // The first Launch() of a graph puts it on the device: it waits for the queue, and takes this
    // much longer. -1: it does not wait.
    int64_t graph_upload_ns = -1;
    int64_t probe_cold_ns =
        2'000;  // device (host without timers) time of ReadProbe() after a flush
    int64_t probe_warm_ns = 1'000;  // and of any other ReadProbe()
    int32_t mhz = 0;                // core clock, until set_mhz()
    double timer_scale = 1;         // factor on TimerNs(), for a timer that lies
    int64_t l2_bytes = 0;
  };

  FakeDevice() : FakeDevice(Script{}) {}
  explicit FakeDevice(const Script& script)
      : script_(script), timers_(script.timers), mhz_(script.mhz) {
    facts_.l2_bytes = script.l2_bytes;
  }

  // For a called function: keeps the host busy, or queues work and returns at once.
  void HostWork(int64_t ns);
  void Enqueue(int64_t ns);
  // Queues work on another stream, which the timers do not see.
  void EnqueueElsewhere(int64_t ns);
  // Waits for the queue in the middle of a call.
  void Wait() { WaitForQueue(); }
  // Stands for a thread that the call left behind: after `delay_ns` it queues work, or keeps a CPU
  // busy.
  void EnqueueLater(int64_t delay_ns, int64_t ns);
  void CpuWorkLater(int64_t ns) { late_cpu_ns_ += static_cast<double>(ns); }
  // Moves the host's clock, backwards as well.
  void StepClock(int64_t ns) { host_ns_ += ns; }
  void SetMhz(int32_t mhz) { mhz_ = mhz; }
  // The counters of the operating system and the allocators, to be scripted.
  HostCounters& counters() { return counters_; }
  MemoryState& memory() { return memory_; }

  // Whether the cache was flushed since the last call of TakeCold(). A called function asks this if
  // its cost depends on it.
  bool TakeCold();

  // The device's calls in order, one letter each: s synchronize, ( start, ) stop, t wait for a
  // timer, f flush, p probe, w host work, e enqueue, h hold, r release, g graph.
  const std::string& Journal() const { return journal_; }
  // The ranges that were opened and closed, in order: "+name", "-name".
  const std::vector<std::string>& Ranges() const { return ranges_; }

  const DeviceFacts& Facts() const override { return facts_; }
  int64_t NowNs() override;
  int64_t ProcessCpuNs() override { return static_cast<int64_t>(cpu_ns_); }
  int64_t ProcessInstructions() override {
    return script_.instructions < 0 ? -1 : static_cast<int64_t>(instructions_);
  }
  std::string MissingInstructions() override {
    return script_.instructions < 0 ? script_.missing_instructions : "";
  }
  void IdleNs(int64_t ns) override;
  absl::Status Synchronize() override;
  int TimerCount() const override { return static_cast<int>(timers_.size()); }
  absl::Status ReserveTimers(int count) override;
  absl::Status StartTimer(int timer) override;
  absl::Status StopTimer(int timer) override;
  absl::Status WaitTimer(int timer) override;
  absl::StatusOr<int64_t> TimerNs(int timer) override;
  absl::Status FlushCache(int64_t bytes = 0) override;
  absl::Status ReadProbe() override;
  bool CanHold() const override { return script_.hold; }
  absl::Status Hold() override;
  absl::StatusOr<bool> Release() override;
  absl::Status MarkClockStart() override;
  absl::Status MarkClockStop() override;
  absl::StatusOr<ClockReading> ReadClock(int64_t now_ns) override;
  absl::StatusOr<std::unique_ptr<Graph>> Capture(absl::FunctionRef<void()> work) override;
  HostCounters Counters() override { return counters_; }
  MemoryState Memory() override { return memory_; }
  void ResetPeakMemory() override { memory_.device_peak_bytes = memory_.device_live_bytes; }
  uint64_t StartRange(const std::string& name) override;
  void EndRange(uint64_t range) override;

 private:
  friend class FakeGraph;

  // A mark in the queue. Marks made while the queue is held get their time when it is released.
  struct Mark {
    int64_t ns = 0;
    bool pending = false;
    int64_t work_before_ns = 0;  // since the hold
  };
  struct Timer {
    Mark start, stop;
  };
  struct LateWork {
    int64_t at_ns = 0;
    int64_t ns = 0;
  };

  // When work that is queued now would start.
  int64_t QueueNs() const { return queue_free_ns_ > host_ns_ ? queue_free_ns_ : host_ns_; }
  void Put(Mark& mark);
  void MarkClock(Mark& mark);
  void WaitForQueue();
  void EndHold(int64_t at_ns);
  void StartLateWork();

  Script script_;
  DeviceFacts facts_;
  std::vector<Timer> timers_;
  Mark clock_start_, clock_stop_;
  std::vector<Mark*> pending_;
  bool held_ = false;
  bool hold_timed_out_ = false;
  int64_t hold_start_ns_ = 0;
  int64_t held_work_ns_ = 0;
  bool capturing_ = false;
  int64_t captured_ns_ = 0;
  std::vector<LateWork> late_work_;
  double late_cpu_ns_ = 0;
  int32_t mhz_ = 0;
  HostCounters counters_;
  MemoryState memory_;
  int64_t host_ns_ = 1'000'000'000'000;  // not 0, so that a forgotten subtraction shows
  int64_t queue_free_ns_ = 0;
  int64_t elsewhere_free_ns_ = 0;
  double cpu_ns_ = 0;
  double instructions_ = 1e9;  // not 0, so that a forgotten subtraction shows
  int64_t synchronize_calls_ = 0;
  bool cold_ = false;
  bool probe_cold_ = false;
  std::string journal_;
  std::vector<std::string> ranges_;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_FAKE_DEVICE_H_
