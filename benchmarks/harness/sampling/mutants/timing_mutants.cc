#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/mutants/mutant.h"

namespace assay::sampling {
namespace {

// A GPU as the host sees it.
FakeDevice::Script Gpu() {
  return {.timers = 1,
          .clock_read_ns = 25,
          .synchronize_ns = 2 * kUs,
          .timer_record_ns = 500,
          .clock_mark_ns = 5 * kUs,
          .flush_ns = 60 * kUs,
          .hold = true,
          .graphs = true,
          .graph_launch_ns = 6 * kUs,
          .probe_cold_ns = 20 * kUs,
          .probe_warm_ns = 8 * kUs,
          .mhz = 1980,
          .l2_bytes = int64_t{50} << 20};
}

// 5 us of launching, then a millisecond on the device.
absl::StatusOr<SampleSet> MeasureLaunch(FakeDevice& device, Mode mode, Noise& noise) {
  const auto call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(noise(kMs));
  };
  return Measure(device, mode, call, {});
}

// Never waits, like a harness that forgets to synchronize.
class ImpatientDevice : public FakeDevice {
 public:
  using FakeDevice::FakeDevice;
  absl::Status Synchronize() override { return absl::OkStatus(); }
  absl::Status WaitTimer(int) override { return absl::OkStatus(); }
};

absl::StatusOr<SampleSet> LaunchOnly(bool, Noise& noise) {
  FakeDevice device(Gpu());
  return MeasureLaunch(device, Mode::kWall, noise);
}

absl::StatusOr<SampleSet> MissingSync(bool honest, Noise& noise) {
  FakeDevice waits(Gpu());
  ImpatientDevice does_not(Gpu());
  return MeasureLaunch(honest ? waits : does_not, Mode::kCold, noise);
}

absl::StatusOr<SampleSet> OtherStream(Mode mode, bool honest, Noise& noise) {
  FakeDevice device(Gpu());
  const auto call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(noise(50 * kUs));
    if (!honest) device.EnqueueElsewhere(noise(250 * kUs));
  };
  return Measure(device, mode, call, {});
}

// A thread launches work a millisecond after the call has returned.
absl::StatusOr<SampleSet> LateThread(bool honest, Noise& noise) {
  FakeDevice device(Gpu());
  const auto call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(noise(50 * kUs));
    if (!honest) device.EnqueueLater(kMs, noise(800 * kUs));
  };
  return Measure(device, Mode::kWall, call, {});
}

// The same after a long call: the last call's work is the only one that runs while nothing is
// called.
absl::StatusOr<SampleSet> LateThreadOfALongCall(bool honest, Noise& noise) {
  FakeDevice device(Gpu());
  const auto call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(noise(10 * kMs));
    if (!honest) device.EnqueueLater(11 * kMs, noise(800 * kUs));
  };
  return Measure(device, Mode::kWall, call, {});
}

// Its host loses 300 us in one wait for the idle device.
class JitteryDevice : public FakeDevice {
 public:
  using FakeDevice::FakeDevice;
  void IdleNs(int64_t ns) override {
    FakeDevice::IdleNs(ns);
    if (++idles_ == 30) disturbed_ = true;
  }
  absl::Status Synchronize() override {
    if (disturbed_) HostWork(300 * kUs);
    disturbed_ = false;
    return FakeDevice::Synchronize();
  }

 private:
  int idles_ = 0;
  bool disturbed_ = false;
};

// Jitter of the machine is no work: the twin has it.
absl::StatusOr<SampleSet> GoesOnOnAJitteryMachine(bool honest, Noise& noise) {
  JitteryDevice device(Gpu());
  const auto call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(noise(50 * kUs));
    for (int i = 1; !honest && i <= 3; ++i) device.EnqueueLater(i * 3 * kMs, noise(100 * kUs));
  };
  return Measure(device, Mode::kWall, call, {});
}

absl::StatusOr<SampleSet> BusyThread(bool honest, Noise& noise) {
  FakeDevice device;
  const auto call = [&] {
    device.HostWork(noise(kMs));
    if (!honest) device.CpuWorkLater(10 * kMs);
  };
  return Measure(device, Mode::kWall, call, {});
}

absl::StatusOr<SampleSet> FlushThatDoesNothing(bool honest, Noise& noise) {
  FakeDevice::Script script = Gpu();
  if (!honest) script.probe_cold_ns = script.probe_warm_ns;
  FakeDevice device(script);
  return MeasureLaunch(device, Mode::kCold, noise);
}

absl::StatusOr<SampleSet> RotationOfOneBuffer(bool honest, Noise& noise) {
  FakeDevice device(Gpu());
  ScriptedWorkload work([&] { device.Enqueue(noise(100 * kUs)); });
  work.input_bytes = int64_t{8} << 20;
  work.sets = honest ? 16 : 1;
  work.output = [&] { return work.set; };
  return Measure(device, Mode::kGraph, work, {});
}

// The flush is queued behind the start of the timer.
class LateFlushDevice : public FakeDevice {
 public:
  using FakeDevice::FakeDevice;
  absl::Status FlushCache(int64_t) override {
    flush_ = true;
    return absl::OkStatus();
  }
  absl::Status StartTimer(int timer) override {
    absl::Status status = FakeDevice::StartTimer(timer);
    if (flush_) Enqueue(60 * kUs);
    flush_ = false;
    return status;
  }

 private:
  bool flush_ = false;
};

absl::StatusOr<SampleSet> FlushInsideTheTimer(bool honest, Noise& noise) {
  FakeDevice right(Gpu());
  LateFlushDevice wrong(Gpu());
  return MeasureLaunch(honest ? right : wrong, Mode::kCold, noise);
}

absl::StatusOr<SampleSet> ScaledTimer(Mode mode, bool honest, Noise& noise) {
  FakeDevice::Script script = Gpu();
  if (!honest) script.timer_scale = 0.9;
  FakeDevice device(script);
  return MeasureLaunch(device, mode, noise);
}

absl::StatusOr<SampleSet> TimerOfNan(bool honest, Noise& noise) {
  FakeDevice::Script script = Gpu();
  if (!honest) script.timer_scale = std::numeric_limits<double>::quiet_NaN();
  FakeDevice device(script);
  return MeasureLaunch(device, Mode::kHot, noise);
}

absl::StatusOr<SampleSet> ClockThatStepsBack(bool honest, Noise& noise) {
  FakeDevice device;
  int64_t calls = 0;
  const auto call = [&] {
    device.HostWork(noise(kMs));
    if (!honest && ++calls == 45) device.StepClock(-5 * kMs);
  };
  return Measure(device, Mode::kWall, call, {});
}

absl::StatusOr<SampleSet> TinyOps(Mode mode, bool honest, Noise& noise) {
  FakeDevice device(Gpu());
  const auto call = [&] {
    for (int i = 0; i < 100; ++i) {
      device.HostWork(noise(5 * kUs));
      device.Enqueue(honest ? noise(20 * kUs) : kUs);
    }
  };
  return Measure(device, mode, call, {});
}

absl::StatusOr<SampleSet> HangInTheHold(bool honest, Noise& noise) {
  FakeDevice device(Gpu());
  const auto call = [&] {
    device.Enqueue(noise(kMs));
    if (!honest) device.Wait();
  };
  return Measure(device, Mode::kCold, call, {});
}

absl::StatusOr<SampleSet> LostDevice(bool honest, Noise& noise) {
  FakeDevice::Script script = Gpu();
  if (!honest) script.fail_synchronize = 50;
  FakeDevice device(script);
  return MeasureLaunch(device, Mode::kWall, noise);
}

// Binds the mode, for scenarios that run in several.
auto In(Mode mode, absl::StatusOr<SampleSet> (*scenario)(Mode, bool, Noise&)) {
  return [=](bool honest, Noise& noise) { return scenario(mode, honest, noise); };
}

}  // namespace

std::vector<Mutant> TimingMutants() {
  constexpr absl::StatusCode kDataLoss = absl::StatusCode::kDataLoss;
  constexpr int64_t kLaunchWallNs = kMs + 5 * kUs + 2 * kUs;
  return {
      {"1", "call returns before its work is done", Reads(kLaunchWallNs), LaunchOnly},
      {"1", "missing synchronization", Fails(absl::StatusCode::kFailedPrecondition), MissingSync},
      {"2", "work on another stream, hot", Flags("all_work_awaited"), In(Mode::kHot, OtherStream)},
      {"2", "work on another stream, cold", Flags("all_work_awaited"),
       In(Mode::kCold, OtherStream)},
      {"3", "a thread launches after the call returned", Flags("quiet_after"), LateThread},
      {"3", "a thread launches after a long call returned", Flags("quiet_after"),
       LateThreadOfALongCall},
      {"3", "a thread goes on launching, on a machine with jitter", Flags("quiet_after"),
       GoesOnOnAJitteryMachine},
      {"3", "a thread works on after the call returned", Flags("quiet_after"), BusyThread},
      {"4", "the flush does nothing", Flags("cache_cold"), FlushThatDoesNothing},
      {"5", "graph rotates one buffer", Notes("beyond_cache"), RotationOfOneBuffer},
      {"6", "the flush is inside the timer", Flags("null_small"), FlushInsideTheTimer},
      {"21", "timer reads 10 % too little, hot", Flags("clocks_agree"),
       In(Mode::kHot, ScaledTimer)},
      {"21", "timer reads 10 % too little, cold", Flags("clocks_agree"),
       In(Mode::kCold, ScaledTimer)},
      {"24", "a hundred tiny launches, hot", Flags("launch_bound"), In(Mode::kHot, TinyOps)},
      {"24", "a hundred tiny launches, wall", Notes("launch_bound"), In(Mode::kWall, TinyOps)},
      {"-", "a call waits while the queue is held", Notes("hold"), HangInTheHold},
      {"-", "the timer reads NaN", Fails(kDataLoss), TimerOfNan},
      {"-", "the host's clock steps back", Fails(kDataLoss), ClockThatStepsBack},
      {"-", "the device is lost in the middle", Fails(absl::StatusCode::kUnavailable), LostDevice},
  };
}

}  // namespace assay::sampling
