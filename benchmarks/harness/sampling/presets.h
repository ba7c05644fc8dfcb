// -----------------------------------------------------------------------------
// File: presets.h
// -----------------------------------------------------------------------------
//
// Other suites' ways to measure, step by step as they do it, so that a number taken here can be put
// beside one of theirs. Where a step is another one, it is said below. Not how this suite would
// measure: modes.h.
//
// discrete, continuous, continuous_events: facebookresearch/param, train/compute/python,
// --exec-mode. `warmup` iterations and then `iterations` of them are run in the same way:
//
//                      forward                                  backward
//   discrete           each: flush if asked for, wait, clock,   each, after an untimed forward and
//                      call, wait, clock                        untimed gradients: as forward
//   continuous         one clock around all calls; one figure,  clock around all (forward and
//                      total / count                            backward); total / count - forward
//   continuous_events  each between two device timers, all      each between two device timers,
//                      queued back to back, one wait            forward before it untimed
//
// On a device without timers (the CPU) PARAM times each iteration by itself in both continuous
// modes, and so does this. Its flush (--cuda-l2-cache=off) belongs to discrete only. PARAM's own
// flush zeroes a tensor in host memory and so does nothing; this one works.
//
// do_bench: triton.testing.do_bench(warmup=25, rep=100) of Triton 3.6: one call; an estimate from
// five, each after a flush of 256 MiB; 25 ms of calls without a flush; then 100 ms of them, each
// after a flush and between two device timers; one wait. Its headline is the mean. A device whose
// cache is larger than half of that is flushed more (Device::FlushCache). PyTorch/XLA's benchmarks
// hold a copy of an older Triton, which flushes 256,000,000 bytes.
//
//   absl::StatusOr<PresetResult> result =
//       MeasurePreset(device, Preset::kDiscrete, {.forward = forward}, {.iterations = 100});

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_PRESETS_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_PRESETS_H_

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

enum class Preset { kDiscrete, kContinuous, kContinuousEvents, kDoBench };

// "discrete", "continuous", "continuous_events", "do_bench".
std::string_view PresetName(Preset preset);
// InvalidArgument with the list of names for any other text.
absl::StatusOr<Preset> ParsePreset(std::string_view name);

// The called functions. Both queue their work; `gradients`, untimed, makes the gradients that
// backward starts from.
struct PresetCalls {
  std::function<void()> forward;
  std::function<void()> gradients = nullptr;
  std::function<void()> backward = nullptr;  // null: forward only
  // Called before each forward, outside of the timed span except in continuous: chooses the inputs.
  std::function<void()> inputs = nullptr;
};

struct PresetOptions {
  int64_t warmup = 1;  // PARAM's defaults
  int64_t iterations = 1;
  bool flush = false;  // PARAM's --cuda-l2-cache=off
};

// Nanoseconds a call. Device memory in bytes: one figure for each time or one for all; none on a
// device without timers.
struct PassResult {
  std::vector<double> warmup_ns = {}, measured_ns = {};
  std::vector<int64_t> warmup_peak_device_bytes = {}, peak_device_bytes = {};
  double cpu_ns = 0;  // CPU time of the process for each measured iteration, untimed work included
};

struct PresetResult {
  PassResult forward = {}, backward = {};
};

// InvalidArgument for counts below 1 (warmup below 0), FailedPrecondition for backward in do_bench,
// else the device's error. Exceptions of the calls pass through.
absl::StatusOr<PresetResult> MeasurePreset(Device& device, Preset preset, const PresetCalls& calls,
                                           const PresetOptions& options);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_PRESETS_H_
