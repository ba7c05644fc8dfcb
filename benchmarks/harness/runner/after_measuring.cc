#include "benchmarks/harness/runner/after_measuring.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/environment/energy_counters.h"
#include "benchmarks/harness/record/arithmetic_dtype.h"
#include "benchmarks/harness/runner/capturing.h"
#include "benchmarks/harness/runner/measure/energy_pass.h"
#include "benchmarks/harness/runner/measure/memory_pass.h"
#include "benchmarks/harness/runner/measure/peak_probes.h"
#include "benchmarks/harness/runner/measured_steps.h"
#include "benchmarks/harness/runner/output/presentation.h"
#include "benchmarks/harness/runner/profiling.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {
namespace {

MeasuredSteps StepsOfRun(const FinishedRun& run) {
  return {run.c,          run.settings, run.record.get().environment(),
          run.executable, run.device,   run.torch_device,
          run.as_given};
}

}  // namespace

absl::Status LookAtMemory(const FinishedRun& run) {
  run.record.Doing("counting memory");
  absl::StatusOr<ProgramMemory> memory = MemoryPass(run.c, run.executable, run.torch_device,
                                                    run.record.get().measurements(), run.as_given);
  if (!memory.ok()) return memory.status();
  // Measuring resets the process's peak, so this takes the highest of all readings.
  int64_t peak =
      std::max(run.record.get().memory().peak_host_bytes(), run.device.Memory().host_peak_bytes);
  for (const Measurement& m : run.record.get().measurements())
    peak = std::max(peak, m.peak_host_bytes());
  memory->set_peak_host_bytes(peak);
  run.record.Keep([&memory](Record& record) {
    *record.mutable_memory() = *std::move(memory);
    AddMemoryChecks(record);
  });
  return absl::OkStatus();
}

absl::Status TakeEnergy(const FinishedRun& run) {
  run.record.Doing("--energy");
  environment::EnergySources sources;
  if (run.settings.device == CUDA)
    sources.gpu = environment::GpuChoice{.visible_devices = std::getenv("CUDA_VISIBLE_DEVICES")};
  EnergyMeter meter(environment::OpenEnergyCounters(sources), run.device, run.interrupted);
  MeasuredSteps steps = StepsOfRun(run);
  const auto keep = [&run](const std::string& step, const Energy& energy) {
    run.record.Keep([&](Record& record) {
      for (Measurement& m : *record.mutable_measurements()) {
        if (m.step() == step) *m.mutable_energy() = energy;
      }
    });
  };
  const absl::Status taken =
      meter.MeasureSteps(run.record.get().measurements(), WorkOf(steps), keep);
  const std::string missing = meter.Missing();
  if (!missing.empty() && !run.record.get().measurements().empty()) {
    run.record.Keep([&missing](Record& record) {
      Check& check = *record.mutable_measurements(0)->add_checks();
      check.set_name("energy");
      check.set_status(CHECK_NOT_RUN);
      check.set_detail(missing);
    });
  }
  run.out << EnergyLines(run.record.get(), missing);
  if (absl::IsCancelled(taken)) return Ended(INTERRUPTED, "what was measured until then is kept");
  return taken;
}

absl::Status TakePeaks(const FinishedRun& run) {
  run.record.Doing("--peaks");
  const absl::StatusOr<std::vector<Peak>> peaks =
      MeasurePeaks(run.device, run.torch_device, record::ArithmeticDtype(run.c.benchmark_case()),
                   {.interrupted = run.interrupted});
  if (absl::IsCancelled(peaks.status()))
    return Ended(INTERRUPTED, "what was measured until then is kept");
  if (!peaks.ok()) return peaks.status();
  run.record.Keep([&peaks](Record& record) {
    *record.mutable_peaks() = {peaks->begin(), peaks->end()};
  });
  return absl::OkStatus();
}

absl::Status RunProfilers(const FinishedRun& run) {
  MeasuredSteps steps = StepsOfRun(run);
  const ProfiledCase profiled = {run.c, run.line, run.settings, run.device, steps};
  if (run.settings.profile.only_ranges) return CallOnlyInRanges(profiled);
  if (const std::string& path = run.settings.profile.timeline_path; !path.empty()) {
    run.record.Doing("the memory timeline");
    absl::Status written =
        WriteTimeline(run.c, run.executable, run.torch_device, run.record.get().measurements(),
                      run.as_given, path, run.out);
    const bool goes_on = run.settings.profile.capture || run.settings.profile.any();
    if (!written.ok() || !goes_on) return written;
  }
  if (run.settings.profile.capture) {
    run.record.Doing("the execution trace");
    const absl::Status captured = CaptureTraces(profiled, run.out);
    if (!captured.ok() || !run.settings.profile.any()) return captured;
  }
  run.record.Doing("the profile");
  absl::StatusOr<Profile> kept = runner::TakeProfile(profiled, run.out);
  if (!kept.ok()) return kept.status();
  run.record.Keep([&kept](Record& record) { *record.mutable_profile() = *std::move(kept); });
  return absl::OkStatus();
}

}  // namespace assay::runner
