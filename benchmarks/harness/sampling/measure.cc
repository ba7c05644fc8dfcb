#include "benchmarks/harness/sampling/measure.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/sampling/probes.h"
#include "benchmarks/harness/sampling/sample_log.h"
#include "benchmarks/harness/sampling/shot.h"

namespace assay::sampling {
namespace {

// The share of the budget that is kept for the checks after the samples.
constexpr double kShareForFreshInputs = 0.03;
constexpr double kShareForIdling = 0.05;
constexpr double kMostReserve = 0.2;
// If each probe must flush the caches first, the probes before the samples take at most this share
// of a strict budget.
constexpr double kMostForFlushedProbes = 0.5;
constexpr int64_t kCallsForFreshInputs = 3;  // a pair's
constexpr int64_t kMostPairs = 20;
constexpr int64_t kMostIdleNs = 20'000'000;

absl::Status CheckOptions(const SamplingOptions& options) {
  if (options.max_samples < 1) {
    return absl::InvalidArgumentError(
        absl::StrFormat("max_samples is %d; it must be at least 1", options.max_samples));
  }
  if (options.chunk.min_duration > options.chunk.max_duration) {
    return absl::InvalidArgumentError(
        absl::StrFormat("min_chunk (%s) is longer than max_chunk (%s)",
                        absl::FormatDuration(options.chunk.min_duration),
                        absl::FormatDuration(options.chunk.max_duration)));
  }
  return absl::OkStatus();
}

// One measurement in progress.
class Measurement {
 public:
  Measurement(Device& device, Mode mode, const Protocol& protocol, TimedWork& work,
              const SamplingOptions& options)
      : device_(device),
        work_(work),
        options_(options),
        shooter_(device, protocol, work),
        precision_(options.precision),
        rule_(options.rule != nullptr ? *options.rule : precision_),
        log_(options.max_samples),
        budget_ns_(absl::ToDoubleNanoseconds(options.precision.budget)),
        strict_(options.strict_budget) {
    set_.mode = mode;
    set_.stop_reason = StopReason::kInterrupted;
  }

  absl::StatusOr<SampleSet> Make();

 private:
  bool IsInterrupted() const {
    return options_.interrupted != nullptr && options_.interrupted->load(std::memory_order_relaxed);
  }
  void PrepareAndCall() {
    if (work_.HasPreparation()) work_.Prepare();
    work_.Call();
  }
  bool HasFreshInputs() const { return work_.InputSets() >= 2 && !work_.HasPreparation(); }
  absl::Status WarmUpAndProbe();
  absl::Status WarmUpFlush();
  bool ProbesFit() const;
  absl::Status TryHold();
  int64_t ReserveNs(const ShotTally& tally) const;
  int64_t LeftNs() const;
  int64_t IdleNs() const {
    return std::min(kMostIdleNs, static_cast<int64_t>(kShareForIdling * budget_ns_));
  }
  absl::Status TakeSamples();
  void KeepInstructions(int64_t counted);
  void KeepSamples();
  absl::Status LookAfterwards();
  absl::Status CompareWithFreshInputs();
  // The average time of a call.
  double CallNs() const { return std::max(evidence_.tally->duration_ns / Calls(), 1.0); }
  double Calls() const { return static_cast<double>(log_.size() * set_.calls_per_sample); }
  absl::Status CompareFingerprints();

  Device& device_;
  TimedWork& work_;
  const SamplingOptions& options_;
  Shooter shooter_;
  PrecisionRule precision_;
  StopRule& rule_;
  SampleLog log_;
  SampleSet set_;
  Evidence evidence_;
  std::optional<uint64_t> inputs_before_, outputs_first_, outputs_before_;
  int64_t begun_ns_ = 0;  // when the budget began to run
  int64_t flush_ns_ = 0;  // of a flush, where the mode flushes and the warm-up tried it
  const double budget_ns_;
  const bool strict_;
  int64_t calls_after_ = 0;  // that the checks want to make when the samples have been taken
};

absl::Status Measurement::WarmUpAndProbe() {
  if (options_.warmup) {
    absl::StatusOr<WarmupReport> report = WarmUp(
        device_, [this] { PrepareAndCall(); }, *options_.warmup, options_.interrupted,
        [this] { outputs_first_ = options_.checks ? work_.OutputDigest() : std::nullopt; });
    if (!report.ok()) return report.status();
    set_.warmup = *report;
    if (absl::Status status = WarmUpFlush(); !status.ok()) return status;
    evidence_.warmup = set_.warmup;
  }
  if (absl::Status status = TryHold(); !status.ok()) return status;
  begun_ns_ = device_.NowNs();
  if (!options_.checks || IsInterrupted()) return absl::OkStatus();
  if (ProbesFit()) {
    absl::StatusOr<NullReading> null = ReadNull(device_, shooter_.protocol());
    if (!null.ok()) return null.status();
    evidence_.null = *null;
    set_.null_ns = null->duration_ns;
    if (set_.mode == Mode::kCold) {
      absl::StatusOr<CacheProbe> cache = ProbeCache(device_);
      if (!cache.ok()) return cache.status();
      evidence_.cache = *cache;
    }
  }
  inputs_before_ = work_.InputDigest();
  if (options_.warmup) outputs_before_ = work_.OutputDigest();
  calls_after_ = (outputs_before_ ? 1 : 0) + (HasFreshInputs() ? kCallsForFreshInputs : 0);
  return absl::OkStatus();
}

// Makes two flushes: the first takes longer, since it allocates the buffer.
absl::Status Measurement::WarmUpFlush() {
  if (!shooter_.protocol().flush || IsInterrupted()) return absl::OkStatus();
  for (int i = 0; i < 2; ++i) {
    const int64_t start_ns = device_.NowNs();
    if (absl::Status status = device_.FlushCache(); !status.ok()) return status;
    if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
    flush_ns_ = device_.NowNs() - start_ns;
    set_.warmup->total_ns += flush_ns_;
  }
  return absl::OkStatus();
}

// A flush of 256 MiB takes 60 ms, so the probes' flushes exceed a budget of 200 ms.
bool Measurement::ProbesFit() const {
  const double probes_ns = static_cast<double>(kFlushesOfProbes * flush_ns_);
  return !strict_ || probes_ns <= kMostForFlushedProbes * budget_ns_;
}

// One cold call that does not count, before the budget runs: a call that waits for the device, or
// that queues more than the queue holds, ends the hold by its watchdog, and that takes seconds.
absl::Status Measurement::TryHold() {
  if (!shooter_.protocol().hold || shooter_.protocol().graph) return absl::OkStatus();
  Shot shot;
  if (absl::Status status = shooter_.Take(1, shot); !status.ok()) return status;
  if (shot.held) return absl::OkStatus();
  shooter_.StopHolding();
  evidence_.hold_ended = true;
  return absl::OkStatus();
}

// Takes samples until the rule, a full log or Ctrl-C stops it, then fills in the set's figures.
absl::Status Measurement::TakeSamples() {
  ShotTally tally(shooter_.protocol(), evidence_.null.value_or(NullReading{}));
  evidence_.counters_before = device_.Counters();
  device_.ResetPeakMemory();
  evidence_.memory_before = device_.Memory();
  const int64_t instructions_before = device_.ProcessInstructions();
  const int64_t cpu_start_ns = device_.ProcessCpuNs();
  const int64_t start_ns = device_.NowNs();
  int64_t end_ns = start_ns;
  std::optional<StopReason> stop;
  while (!stop) {
    Shot shot;
    if (absl::Status status = shooter_.Take(set_.calls_per_sample, shot); !status.ok())
      return status;
    end_ns = shot.end_ns;
    const absl::StatusOr<ClockReading> clock = device_.ReadClock(end_ns);
    if (!clock.ok()) return clock.status();
    shot.clock = *clock;
    tally.Add(shot);
    if (!shot.held) shooter_.StopHolding();
    log_.Append(Sample{.duration_ns = shot.duration_ns,
                       .clock_in_2_mhz = static_cast<uint64_t>(shot.clock.mhz / 2)});
    stop = rule_.Check(log_, end_ns - begun_ns_ + ReserveNs(tally));
    if (!stop && log_.full()) stop = StopReason::kLogFull;
    if (!stop && IsInterrupted()) stop = StopReason::kInterrupted;
  }
  const double calls = Calls();
  set_.stop_reason = *stop;
  set_.elapsed_ns = end_ns - start_ns;
  const int64_t cpu_ns = tally.cpu_known ? tally.cpu_ns : device_.ProcessCpuNs() - cpu_start_ns;
  set_.cpu_ns = static_cast<double>(cpu_ns) / calls;
  const int64_t instructions_after = device_.ProcessInstructions();
  KeepInstructions(tally.cpu_known          ? tally.instructions
                   : instructions_after < 0 ? -1
                                            : instructions_after - instructions_before);
  evidence_.cpu_ns = cpu_ns;
  evidence_.cpu_wall_ns = tally.cpu_known ? tally.cpu_wall_ns : set_.elapsed_ns;
  set_.enqueue_ns = tally.enqueue_ns / calls;
  evidence_.counters_after = device_.Counters();
  evidence_.memory_after = device_.Memory();
  evidence_.tally = tally;
  return absl::OkStatus();
}

// The part of a strict budget that is kept for the checks' calls after the samples.
int64_t Measurement::ReserveNs(const ShotTally& tally) const {
  if (!strict_ || calls_after_ == 0) return 0;
  const double call_ns =
      tally.duration_ns / static_cast<double>(tally.shots * set_.calls_per_sample);
  return static_cast<int64_t>(
      std::min(static_cast<double>(calls_after_) * call_ns, kMostReserve * budget_ns_));
}

// Time left until the budget is exceeded by as much as it may be.
int64_t Measurement::LeftNs() const {
  const PrecisionRule::Options& precision = options_.precision;
  const bool fits = static_cast<double>(precision.min_samples_in_budget) * CallNs() <= budget_ns_;
  const double most = strict_ && fits ? 1.1 : precision.most_budgets;
  return static_cast<int64_t>(most * budget_ns_) - IdleNs() - (device_.NowNs() - begun_ns_);
}

void Measurement::KeepInstructions(int64_t counted) {
  if (counted > 0) {
    set_.instructions = static_cast<double>(counted) / Calls();
  } else {
    set_.instructions_missing =
        counted < 0 ? device_.MissingInstructions() : "the hardware's counter stands still";
  }
}

void Measurement::KeepSamples() {
  const double calls = static_cast<double>(set_.calls_per_sample);
  bool clocked = false;
  set_.samples_ns.reserve(static_cast<size_t>(log_.size()));
  for (const Sample& sample : log_.samples()) {
    set_.samples_ns.push_back(static_cast<double>(sample.duration_ns) / calls);
    clocked |= sample.clock_in_2_mhz != 0;
  }
  if (clocked) {
    set_.clock_mhz.reserve(static_cast<size_t>(log_.size()));
    for (const Sample& sample : log_.samples())
      set_.clock_mhz.push_back(static_cast<uint32_t>(2 * sample.clock_in_2_mhz));
  }
  const MemoryState& before = evidence_.memory_before;
  const MemoryState& after = evidence_.memory_after;
  set_.peak_device_bytes = after.device_peak_bytes;
  set_.peak_host_bytes = after.host_peak_bytes;
  set_.leaked_bytes = after.host_live_bytes - before.host_live_bytes + after.device_live_bytes -
                      before.device_live_bytes;
}

absl::Status Measurement::CompareFingerprints() {
  evidence_.input_concern = work_.InputConcern();
  if (const auto now = work_.InputDigest(); now && inputs_before_)
    evidence_.inputs_unchanged = *now == *inputs_before_;
  if (!outputs_before_) return absl::OkStatus();
  if (outputs_first_) evidence_.outputs_unchanged_in_warmup = *outputs_first_ == *outputs_before_;
  if (CallNs() > static_cast<double>(LeftNs())) return absl::OkStatus();
  // In mode graph the last call may have used another set of inputs.
  work_.UseInputs(0);
  PrepareAndCall();
  if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
  if (const auto now = work_.OutputDigest()) evidence_.outputs_unchanged = *now == *outputs_before_;
  return absl::OkStatus();
}

// Makes the observations that follow the samples.
absl::Status Measurement::LookAfterwards() {
  if (absl::Status status = CompareFingerprints(); !status.ok()) return status;
  if (absl::Status status = CompareWithFreshInputs(); !status.ok()) return status;
  std::function<void()> once_more;
  if (CallNs() <= static_cast<double>(LeftNs())) once_more = [this] { PrepareAndCall(); };
  absl::StatusOr<LateWork> late = LookForLateWork(device_, IdleNs(), once_more);
  if (!late.ok()) return late.status();
  evidence_.late = *late;
  return absl::OkStatus();
}

absl::Status Measurement::CompareWithFreshInputs() {
  if (!HasFreshInputs()) {
    evidence_.fresh_not_run = "the work has one set of inputs";
    return absl::OkStatus();
  }
  const double round_ns = kCallsForFreshInputs * CallNs();
  if (round_ns > static_cast<double>(LeftNs())) {
    evidence_.fresh_not_run = "a call takes too large a part of the budget";
    return absl::OkStatus();
  }
  const int64_t pairs = static_cast<int64_t>(kShareForFreshInputs * budget_ns_ / round_ns);
  absl::StatusOr<FreshInputs> fresh =
      TryFreshInputs(device_, work_, std::clamp<int64_t>(pairs, 1, kMostPairs));
  if (!fresh.ok()) return fresh.status();
  evidence_.fresh = *fresh;
  return absl::OkStatus();
}

absl::StatusOr<SampleSet> Measurement::Make() {
  rule_.Start(options_.max_samples);
  if (absl::Status status = WarmUpAndProbe(); !status.ok()) return status;
  if (IsInterrupted()) return std::move(set_);
  const bool rotates = options_.rotate_inputs && work_.InputSets() > 1;
  if (rotates) {
    shooter_.RotateInputs();
    set_.bytes_touched = work_.InputBytes() * work_.InputSets();
  }
  if (shooter_.protocol().chunks) {
    const absl::StatusOr<int64_t> calls =
        CallsThatFill(options_.chunk, shooter_, [this] { return IsInterrupted(); });
    if (!calls.ok()) return calls.status();
    set_.calls_per_sample = *calls;
    if (IsInterrupted()) return std::move(set_);
  }
  if (shooter_.protocol().graph) {
    if (absl::Status status = shooter_.Record(set_.calls_per_sample); !status.ok()) return status;
    set_.bytes_touched =
        work_.InputBytes() * std::min<int64_t>(set_.calls_per_sample, work_.InputSets());
  }
  // Work that is still running must not reach into the first sample.
  if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
  if (absl::Status status = TakeSamples(); !status.ok()) return status;
  if (rotates) work_.UseInputs(0);  // the checks and the next mode expect set 0
  KeepSamples();
  if (!options_.checks) return std::move(set_);
  if (absl::Status status = LookAfterwards(); !status.ok()) return status;
  evidence_.mode = set_.mode;
  evidence_.protocol = shooter_.protocol();
  evidence_.samples_ns = set_.samples_ns;
  evidence_.clock_mhz = set_.clock_mhz;
  evidence_.calls = log_.size() * set_.calls_per_sample;
  evidence_.elapsed_ns = set_.elapsed_ns;
  evidence_.precise = set_.stop_reason == StopReason::kPrecise;
  evidence_.cpus = options_.cpus;
  // A driver's threads spin while they wait for the device, so threads are counted only without
  // one.
  if (device_.TimerCount() == 0) evidence_.threads = options_.threads;
  evidence_.bytes_touched = set_.bytes_touched;
  evidence_.cache_bytes = device_.Facts().l2_bytes;
  evidence_.hardware_limits = options_.hardware_limits;
  set_.checks = CheckSamples(evidence_);
  return std::move(set_);
}

}  // namespace

absl::StatusOr<SampleSet> Measure(Device& device, Mode mode, TimedWork& work,
                                  const SamplingOptions& options) {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  const absl::StatusOr<Protocol> protocol = ProtocolOf(device, mode);
  if (!protocol.ok()) return protocol.status();
  if (protocol->chunks && work.HasPreparation()) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "mode %s calls many times in a row, and each call of this needs preparation; use wall or "
        "cold",
        ModeName(mode)));
  }
  return Measurement(device, mode, *protocol, work, options).Make();
}

absl::StatusOr<SampleSet> Measure(Device& device, Mode mode, absl::FunctionRef<void()> call,
                                  const SamplingOptions& options) {
  TimedFunction work(call);
  return Measure(device, mode, work, options);
}

}  // namespace assay::sampling
