#include "benchmarks/harness/sampling/modes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/sampling/sample_log.h"

namespace assay::sampling {
namespace {

constexpr Mode kModes[] = {Mode::kWall, Mode::kThroughput, Mode::kHot, Mode::kCold};
constexpr int kTimer = 0;  // one suffices while each sample is awaited
constexpr int64_t kMostCallsPerChunk = int64_t{1} << 30;

// How one sample is taken.
struct Recipe {
  bool on_timer;  // else on the host's clock
  bool flush;
  bool chunks;  // else one call
};

absl::StatusOr<Recipe> RecipeOf(const Device& device, Mode mode) {
  const bool timers = device.TimerCount() > 0;
  switch (mode) {
    case Mode::kWall:
      return Recipe{.on_timer = false, .flush = false, .chunks = false};
    case Mode::kThroughput:
      return Recipe{.on_timer = false, .flush = false, .chunks = true};
    case Mode::kHot:
      if (!timers) {
        return absl::FailedPreconditionError(
            "mode hot needs a device with timers of its own, and this one has none; "
            "use wall or throughput");
      }
      return Recipe{.on_timer = true, .flush = false, .chunks = true};
    case Mode::kCold:
      return Recipe{.on_timer = timers, .flush = true, .chunks = false};
  }
  std::abort();
}

// One sample and the host's clock when it was complete.
struct Shot {
  int64_t duration_ns;
  int64_t end_ns;
};

absl::StatusOr<Shot> ShootOnTimer(Device& device, absl::FunctionRef<void()> call, int64_t calls) {
  if (absl::Status status = device.StartTimer(kTimer); !status.ok()) return status;
  for (int64_t i = 0; i < calls; ++i) call();
  if (absl::Status status = device.StopTimer(kTimer); !status.ok()) return status;
  if (absl::Status status = device.Synchronize(); !status.ok()) return status;
  const absl::StatusOr<int64_t> duration_ns = device.TimerNs(kTimer);
  if (!duration_ns.ok()) return duration_ns.status();
  return Shot{.duration_ns = *duration_ns, .end_ns = device.NowNs()};
}

absl::StatusOr<Shot> ShootOnHostClock(Device& device, absl::FunctionRef<void()> call,
                                      int64_t calls) {
  const int64_t start_ns = device.NowNs();
  for (int64_t i = 0; i < calls; ++i) call();
  if (absl::Status status = device.Synchronize(); !status.ok()) return status;
  const int64_t end_ns = device.NowNs();
  return Shot{.duration_ns = end_ns - start_ns, .end_ns = end_ns};
}

absl::StatusOr<Shot> Shoot(Device& device, const Recipe& recipe, absl::FunctionRef<void()> call,
                           int64_t calls) {
  if (recipe.flush) {
    if (absl::Status status = device.FlushCache(); !status.ok()) return status;
    // The host's clock, unlike a timer in the queue, would run while the flush does.
    if (!recipe.on_timer) {
      if (absl::Status status = device.Synchronize(); !status.ok()) return status;
    }
  }
  return recipe.on_timer ? ShootOnTimer(device, call, calls)
                         : ShootOnHostClock(device, call, calls);
}

bool IsInterrupted(const SamplingOptions& options) {
  return options.interrupted != nullptr && options.interrupted->load(std::memory_order_relaxed);
}

// The number of calls that fill a chunk, found with chunks that are thrown away.
absl::StatusOr<int64_t> CallsPerChunk(Device& device, const Recipe& recipe,
                                      absl::FunctionRef<void()> call,
                                      const SamplingOptions& options) {
  const double min_ns = absl::ToDoubleNanoseconds(options.min_chunk);
  const double max_ns = absl::ToDoubleNanoseconds(options.max_chunk);
  int64_t calls = 1;
  while (true) {
    const absl::StatusOr<Shot> pilot = Shoot(device, recipe, call, calls);
    if (!pilot.ok()) return pilot.status();
    const double took_ns = static_cast<double>(pilot->duration_ns);
    const double call_ns = std::max(took_ns / static_cast<double>(calls), 1e-3);
    const double wanted = recipe.on_timer ? static_cast<double>(options.min_chunk_calls) : 1;
    // As many as wanted if they fit into max_ns, and enough to fill min_ns in any case.
    const double least = std::max(
        {1.0, std::ceil(min_ns / call_ns), std::min(wanted, std::floor(max_ns / call_ns))});
    if (least <= static_cast<double>(calls) || calls >= kMostCallsPerChunk ||
        IsInterrupted(options)) {
      return calls;
    }
    // A short pilot overrates a call, so the estimate falls as chunks grow; a fifth more spares
    // a round. Growth by more than ten times would trust one pilot too far.
    calls = static_cast<int64_t>(std::min(std::ceil(1.2 * least), 10 * static_cast<double>(calls)));
    calls = std::min(calls, kMostCallsPerChunk);
  }
}

absl::Status CheckOptions(const SamplingOptions& options) {
  if (options.max_samples < 1) {
    return absl::InvalidArgumentError(
        absl::StrFormat("max_samples is %d; it must be at least 1", options.max_samples));
  }
  if (options.min_chunk > options.max_chunk) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "min_chunk (%s) is longer than max_chunk (%s)", absl::FormatDuration(options.min_chunk),
        absl::FormatDuration(options.max_chunk)));
  }
  return absl::OkStatus();
}

// Fills the log until the rule, the log's end or Ctrl-C stops it, and the set's figures.
absl::Status TakeSamples(Device& device, const Recipe& recipe, absl::FunctionRef<void()> call,
                         const SamplingOptions& options, StopRule& rule, SampleLog& log,
                         SampleSet& set) {
  const int64_t cpu_start_ns = device.ProcessCpuNs();
  const int64_t start_ns = device.NowNs();
  std::optional<StopReason> stop;
  while (!stop) {
    const absl::StatusOr<Shot> shot = Shoot(device, recipe, call, set.calls_per_sample);
    if (!shot.ok()) return shot.status();
    log.Append(Sample{.duration_ns = shot->duration_ns});
    set.elapsed_ns = shot->end_ns - start_ns;
    stop = rule.Check(log, absl::Nanoseconds(set.elapsed_ns));
    if (!stop && log.full()) stop = StopReason::kLogFull;
    if (!stop && IsInterrupted(options)) stop = StopReason::kInterrupted;
  }
  set.stop_reason = *stop;
  set.cpu_ns = static_cast<double>(device.ProcessCpuNs() - cpu_start_ns) /
               static_cast<double>(log.size() * set.calls_per_sample);
  return absl::OkStatus();
}

}  // namespace

std::string_view ModeName(Mode mode) {
  switch (mode) {
    case Mode::kWall:
      return "wall";
    case Mode::kThroughput:
      return "throughput";
    case Mode::kHot:
      return "hot";
    case Mode::kCold:
      return "cold";
  }
  std::abort();
}

absl::StatusOr<Mode> ParseMode(std::string_view name) {
  for (Mode mode : kModes) {
    if (name == ModeName(mode)) return mode;
  }
  const std::string known =
      absl::StrJoin(kModes, ", ", [](std::string* out, Mode mode) { out->append(ModeName(mode)); });
  return absl::InvalidArgumentError(
      absl::StrFormat("there is no mode \"%s\"; one of %s", name, known));
}

std::vector<Mode> DefaultModes(const Device& device) {
  if (device.TimerCount() > 0) return {Mode::kWall, Mode::kCold, Mode::kHot};
  return {Mode::kWall, Mode::kThroughput};
}

absl::StatusOr<SampleSet> Measure(Device& device, Mode mode, absl::FunctionRef<void()> call,
                                  const SamplingOptions& options) {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  const absl::StatusOr<Recipe> recipe = RecipeOf(device, mode);
  if (!recipe.ok()) return recipe.status();

  PrecisionRule precision(options.precision);
  StopRule& rule = options.rule != nullptr ? *options.rule : precision;
  rule.Start(options.max_samples);
  SampleLog log(options.max_samples);

  SampleSet set{.mode = mode, .stop_reason = StopReason::kInterrupted};
  if (options.warmup) {
    absl::StatusOr<WarmupReport> report =
        WarmUp(device, call, *options.warmup, options.interrupted);
    if (!report.ok()) return report.status();
    set.warmup = *report;
  }
  if (IsInterrupted(options)) return set;
  if (recipe->chunks) {
    const absl::StatusOr<int64_t> calls = CallsPerChunk(device, *recipe, call, options);
    if (!calls.ok()) return calls.status();
    set.calls_per_sample = *calls;
    if (IsInterrupted(options)) return set;
  }
  // Work left over from before must not run into the first sample.
  if (absl::Status status = device.Synchronize(); !status.ok()) return status;
  if (absl::Status status = TakeSamples(device, *recipe, call, options, rule, log, set);
      !status.ok()) {
    return status;
  }
  set.samples_ns.reserve(static_cast<size_t>(log.size()));
  for (const Sample& sample : log.samples()) {
    set.samples_ns.push_back(static_cast<double>(sample.duration_ns) /
                             static_cast<double>(set.calls_per_sample));
  }
  return set;
}

}  // namespace assay::sampling
