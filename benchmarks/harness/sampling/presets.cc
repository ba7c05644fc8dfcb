#include "benchmarks/harness/sampling/presets.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::sampling {
namespace {

using Function = std::function<void()>;

constexpr Preset kPresets[] = {Preset::kDiscrete, Preset::kContinuous, Preset::kContinuousEvents,
                               Preset::kDoBench};
constexpr int64_t kDoBenchFlushBytes = int64_t{256} << 20;
constexpr double kDoBenchWarmupNs = 25e6;
constexpr double kDoBenchRepeatNs = 100e6;
constexpr int kDoBenchEstimate = 5;

void Run(const Function& function) {
  if (function) function();
}

absl::StatusOr<int64_t> TimeOnHost(Device& device, int64_t count, const Function& before,
                                   const Function& timed) {
  if (absl::Status status = device.Synchronize(); !status.ok()) return status;
  const int64_t start_ns = device.NowNs();
  for (int64_t i = 0; i < count; ++i) {
    Run(before);
    timed();
  }
  if (absl::Status status = device.Synchronize(); !status.ok()) return status;
  return device.NowNs() - start_ns;
}

// One pass of one phase of PARAM: `before` is not timed, except by continuous.
class Pass {
 public:
  Pass(Device& device, Preset preset, bool flush, Function before, Function timed)
      : device_(device),
        preset_(device.TimerCount() > 0 ? preset : Preset::kDiscrete),
        // Without timers, PARAM falls back to its own timer for each iteration, but not to its
        // flush.
        flush_(flush && preset == Preset::kDiscrete),
        before_(std::move(before)),
        timed_(std::move(timed)) {}

  absl::Status Take(int64_t count, std::vector<double>& times_ns, std::vector<int64_t>& peaks) {
    if (count == 0) return absl::OkStatus();
    if (preset_ == Preset::kContinuous) return TakeAtOnce(count, times_ns, peaks);
    if (preset_ == Preset::kContinuousEvents) return TakeByTimers(count, times_ns, peaks);
    return TakeOneByOne(count, times_ns, peaks);
  }

 private:
  absl::Status TakeOneByOne(int64_t count, std::vector<double>& times_ns,
                            std::vector<int64_t>& peaks) {
    for (int64_t i = 0; i < count; ++i) {
      Run(before_);
      if (flush_) {
        if (absl::Status status = device_.FlushCache(); !status.ok()) return status;
      }
      ForgetPeak();
      const absl::StatusOr<int64_t> took_ns = TimeOnHost(device_, 1, nullptr, timed_);
      if (!took_ns.ok()) return took_ns.status();
      times_ns.push_back(static_cast<double>(*took_ns));
      KeepPeak(peaks);
    }
    return absl::OkStatus();
  }

  absl::Status TakeAtOnce(int64_t count, std::vector<double>& times_ns,
                          std::vector<int64_t>& peaks) {
    ForgetPeak();
    const absl::StatusOr<int64_t> took_ns = TimeOnHost(device_, count, before_, timed_);
    if (!took_ns.ok()) return took_ns.status();
    times_ns.push_back(static_cast<double>(*took_ns) / static_cast<double>(count));
    KeepPeak(peaks);
    return absl::OkStatus();
  }

  absl::Status TakeByTimers(int64_t count, std::vector<double>& times_ns,
                            std::vector<int64_t>& peaks) {
    ForgetPeak();
    if (absl::Status status = device_.ReserveTimers(static_cast<int>(count)); !status.ok())
      return status;
    if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
    for (int i = 0; i < count; ++i) {
      Run(before_);
      if (absl::Status status = device_.StartTimer(i); !status.ok()) return status;
      timed_();
      if (absl::Status status = device_.StopTimer(i); !status.ok()) return status;
    }
    if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
    for (int i = 0; i < count; ++i) {
      const absl::StatusOr<int64_t> took_ns = device_.TimerNs(i);
      if (!took_ns.ok()) return took_ns.status();
      times_ns.push_back(static_cast<double>(*took_ns));
    }
    KeepPeak(peaks);
    return absl::OkStatus();
  }

  // Skipped without timers: such a device is the host, which has no memory of its own, and reading
  // the host's takes longer than a small operator.
  void ForgetPeak() {
    if (device_.TimerCount() > 0) device_.ResetPeakMemory();
  }
  void KeepPeak(std::vector<int64_t>& peaks) {
    if (device_.TimerCount() > 0) peaks.push_back(device_.Memory().device_peak_bytes);
  }

  Device& device_;
  const Preset preset_;
  const bool flush_;
  const Function before_, timed_;
};

absl::Status TakePasses(Device& device, Pass pass, const PresetOptions& options,
                        PassResult& result) {
  const absl::Status warmed =
      pass.Take(options.warmup, result.warmup_ns, result.warmup_peak_device_bytes);
  if (!warmed.ok()) return warmed;
  const int64_t cpu_start_ns = device.ProcessCpuNs();
  const absl::Status taken =
      pass.Take(options.iterations, result.measured_ns, result.peak_device_bytes);
  result.cpu_ns = static_cast<double>(device.ProcessCpuNs() - cpu_start_ns) /
                  static_cast<double>(options.iterations);
  return taken;
}

// Mode continuous times forward and backward together, so the time of forward is subtracted.
void Subtract(const std::vector<double>& forward_ns, std::vector<double>& both_ns) {
  for (size_t i = 0; i < std::min(both_ns.size(), forward_ns.size()); ++i)
    both_ns[i] -= forward_ns[i];
}

absl::StatusOr<PresetResult> MeasureParam(Device& device, Preset preset, const PresetCalls& calls,
                                          const PresetOptions& options) {
  PresetResult result;
  absl::Status status =
      TakePasses(device, Pass(device, preset, options.flush, calls.inputs, calls.forward), options,
                 result.forward);
  if (!status.ok()) return status;
  if (!calls.backward) return result;
  const Function before = [&] {
    Run(calls.inputs);
    calls.forward();
    if (calls.gradients) calls.gradients();
  };
  status = TakePasses(device, Pass(device, preset, options.flush, before, calls.backward), options,
                      result.backward);
  if (!status.ok()) return status;
  if (preset == Preset::kContinuous && device.TimerCount() > 0) {
    Subtract(result.forward.warmup_ns, result.backward.warmup_ns);
    Subtract(result.forward.measured_ns, result.backward.measured_ns);
  }
  return result;
}

// Makes `repeats` flushed calls, each between its own timers, or on the host's clock if there are
// none.
absl::Status TakeFlushed(Device& device, const PresetCalls& calls, int64_t repeats,
                         std::vector<double>& times_ns) {
  if (device.TimerCount() == 0) {
    for (int64_t i = 0; i < repeats; ++i) {
      Run(calls.inputs);
      if (absl::Status status = device.FlushCache(kDoBenchFlushBytes); !status.ok()) return status;
      const absl::StatusOr<int64_t> took_ns = TimeOnHost(device, 1, nullptr, calls.forward);
      if (!took_ns.ok()) return took_ns.status();
      times_ns.push_back(static_cast<double>(*took_ns));
    }
    return absl::OkStatus();
  }
  const Function before = [&] {
    Run(calls.inputs);
    device.FlushCache(kDoBenchFlushBytes).IgnoreError();
  };
  std::vector<int64_t> peaks;
  return Pass(device, Preset::kContinuousEvents, false, before, calls.forward)
      .Take(repeats, times_ns, peaks);
}

// The time of all calls of the estimate and, as in Triton's, of a flush before each of them. By the
// device's timers, or by the host's clock if there are none.
absl::StatusOr<int64_t> EstimateDoBench(Device& device, const Function& call) {
  absl::Status flushed;
  const Function flush = [&] { flushed.Update(device.FlushCache(kDoBenchFlushBytes)); };
  flush();  // allocates the buffer, as Triton does before its estimate
  absl::StatusOr<int64_t> took_ns;
  if (device.TimerCount() == 0) {
    took_ns = TimeOnHost(device, kDoBenchEstimate, flush, call);
  } else {
    const Function all = [&] {
      for (int i = 0; i < kDoBenchEstimate; ++i) {
        flush();
        call();
      }
    };
    std::vector<double> times_ns;
    std::vector<int64_t> peaks;
    const absl::Status taken =
        Pass(device, Preset::kContinuousEvents, false, nullptr, all).Take(1, times_ns, peaks);
    took_ns = taken.ok() ? absl::StatusOr<int64_t>(std::llround(times_ns[0])) : taken;
  }
  return flushed.ok() ? took_ns : flushed;
}

absl::StatusOr<PresetResult> MeasureDoBench(Device& device, const PresetCalls& calls) {
  const Function& call = calls.forward;
  PresetResult result;
  absl::StatusOr<int64_t> first_ns = TimeOnHost(device, 1, nullptr, call);
  if (!first_ns.ok()) return first_ns.status();
  const absl::StatusOr<int64_t> estimate_ns = EstimateDoBench(device, call);
  if (!estimate_ns.ok()) return estimate_ns.status();
  const double each_ns = std::max(static_cast<double>(*estimate_ns) / kDoBenchEstimate, 1.0);
  const auto warmups = std::max<int64_t>(1, static_cast<int64_t>(kDoBenchWarmupNs / each_ns));
  const auto repeats = std::max<int64_t>(1, static_cast<int64_t>(kDoBenchRepeatNs / each_ns));
  for (int64_t i = 0; i < warmups; ++i) call();
  const int64_t cpu_start_ns = device.ProcessCpuNs();
  const absl::Status taken = TakeFlushed(device, calls, repeats, result.forward.measured_ns);
  if (!taken.ok()) return taken;
  result.forward.cpu_ns =
      static_cast<double>(device.ProcessCpuNs() - cpu_start_ns) / static_cast<double>(repeats);
  return result;
}

}  // namespace

std::string_view PresetName(Preset preset) {
  switch (preset) {
    case Preset::kDiscrete:
      return "discrete";
    case Preset::kContinuous:
      return "continuous";
    case Preset::kContinuousEvents:
      return "continuous_events";
    case Preset::kDoBench:
      return "do_bench";
  }
  std::abort();
}

absl::StatusOr<Preset> ParsePreset(std::string_view name) {
  for (Preset preset : kPresets) {
    if (name == PresetName(preset)) return preset;
  }
  const std::string known = absl::StrJoin(
      kPresets, ", ", [](std::string* out, Preset preset) { out->append(PresetName(preset)); });
  return absl::InvalidArgumentError(
      absl::StrCat("there is no preset \"", name, "\"; one of ", known));
}

absl::StatusOr<PresetResult> MeasurePreset(Device& device, Preset preset, const PresetCalls& calls,
                                           const PresetOptions& options) {
  if (options.iterations < 1 || options.warmup < 0) {
    return absl::InvalidArgumentError(absl::StrCat("warmup ", options.warmup, ", iterations ",
                                                   options.iterations,
                                                   ": at least 0 and at least 1"));
  }
  if (preset != Preset::kDoBench) return MeasureParam(device, preset, calls, options);
  if (calls.backward)
    return absl::FailedPreconditionError("do_bench times one function; give forward only");
  return MeasureDoBench(device, calls);
}

}  // namespace assay::sampling
