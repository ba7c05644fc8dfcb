#include "benchmarks/harness/sampling/probes.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/sampling/shot.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::sampling {
namespace {

constexpr int kNullShots = 5;
constexpr int kFlushedNullShots = 3;  // a flush takes much longer than a null shot
constexpr int kCacheRounds = 2;
static_assert(kFlushedNullShots + kCacheRounds == kFlushesOfProbes);
constexpr int64_t kSettleNs = 15'000'000;
constexpr int kPatience = 2;  // how often a process that is not quiet is looked at again
constexpr int64_t kWindowNs = 5'000'000;
constexpr int64_t kStepNs = 250'000;
constexpr int kEmptyWaits = 5;

// Times one awaited call. What was queued before is awaited first, or it would be in the time.
absl::StatusOr<int64_t> TimeCall(Device& device, TimedWork& work) {
  if (absl::Status status = device.Synchronize(); !status.ok()) return status;
  const int64_t start_ns = device.NowNs();
  work.Call();
  if (absl::Status status = device.Synchronize(); !status.ok()) return status;
  return device.NowNs() - start_ns;
}

// Waits for a device that should be idle.
class IdleWaits {
 public:
  explicit IdleWaits(Device& device)
      : device_(device), delay_before_ns_(device.Counters().run_delay_ns) {}

  // Looks several times: the first wait may cover work that was queued while the last call was
  // awaited.
  absl::Status LookAtOnce() {
    for (int i = 0; i < kEmptyWaits; ++i) {
      if (absl::Status status = Look(); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // Looks again and again while `idle_ns` pass.
  absl::Status LookFor(int64_t idle_ns) {
    while (idle_ns > 0) {
      const int64_t step_ns = std::min(kStepNs, idle_ns);
      device_.IdleNs(step_ns);
      idle_ns -= step_ns;
      if (absl::Status status = Look(); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  int64_t SecondNs() { return BeyondIdle(second_ns_); }
  int64_t LongestNs() { return BeyondIdle(longest_ns_); }

 private:
  absl::Status Look() {
    const int64_t start_ns = device_.NowNs();
    absl::Status status = device_.Synchronize();
    const int64_t took_ns = device_.NowNs() - start_ns;
    least_ns_ = std::min(least_ns_, took_ns);
    second_ns_ = std::max(second_ns_, std::min(took_ns, longest_ns_));
    longest_ns_ = std::max(longest_ns_, took_ns);
    return status;
  }

  // A wait may be long because another process had the CPU.
  int64_t BeyondIdle(int64_t wait_ns) {
    const int64_t delayed_ns = device_.Counters().run_delay_ns - delay_before_ns_;
    return std::max<int64_t>(wait_ns - least_ns_ - delayed_ns, 0);
  }

  Device& device_;
  const int64_t delay_before_ns_;
  int64_t least_ns_ = std::numeric_limits<int64_t>::max();
  int64_t second_ns_ = 0, longest_ns_ = 0;
};

}  // namespace

absl::StatusOr<NullReading> ReadNull(Device& device, const Protocol& protocol) {
  TimedFunction nothing([] {});
  Shooter shooter(device, protocol, nothing);
  NullReading least = {.duration_ns = std::numeric_limits<int64_t>::max(),
                       .residual_ns = std::numeric_limits<int64_t>::max()};
  const int shots = protocol.flush ? kFlushedNullShots : kNullShots;
  for (int i = 0; i < shots; ++i) {
    Shot shot;
    if (absl::Status status = shooter.Take(1, shot); !status.ok()) return status;
    if (i == 0) continue;
    least.duration_ns = std::min(least.duration_ns, shot.duration_ns);
    least.residual_ns = std::min(least.residual_ns, std::max<int64_t>(shot.residual_ns, 0));
  }
  return least;
}

absl::StatusOr<CacheProbe> ProbeCache(Device& device) {
  struct Reader : TimedWork {
    explicit Reader(Device& device) : device(device) {}
    void Call() override { status = device.ReadProbe(); }
    Device& device;
    absl::Status status;
  } reader(device);
  const Protocol::Clock clock =
      device.TimerCount() > 0 ? Protocol::Clock::kTimer : Protocol::Clock::kHost;
  Shooter cold(device, {.clock = clock, .flush = true, .hold = device.CanHold()}, reader);
  Shooter warm(device, {.clock = clock, .hold = device.CanHold()}, reader);
  CacheProbe least = {.cold_ns = std::numeric_limits<int64_t>::max(),
                      .warm_ns = std::numeric_limits<int64_t>::max()};
  reader.Call();  // allocates the buffer
  for (int i = 0; i < kCacheRounds; ++i) {
    Shot first, second;
    absl::Status status = cold.Take(1, first);
    if (status.ok()) status = warm.Take(1, second);
    if (status.ok()) status = reader.status;
    if (!status.ok()) return status;
    least.cold_ns = std::min(least.cold_ns, first.duration_ns);
    least.warm_ns = std::min(least.warm_ns, second.duration_ns);
  }
  return least;
}

absl::StatusOr<LateWork> LookForLateWork(Device& device, int64_t idle_ns,
                                         const std::function<void()>& call) {
  IdleWaits waits(device);
  LateWork late = {.window_ns = idle_ns >= kSettleNs + kWindowNs ? kWindowNs : 0};
  if (absl::Status status = waits.LookAtOnce(); !status.ok()) return status;
  if (absl::Status status = waits.LookFor(idle_ns - late.window_ns); !status.ok()) return status;
  int64_t cpu_ns = device.ProcessCpuNs();
  if (absl::Status status = waits.LookFor(late.window_ns); !status.ok()) return status;
  late.cpu_ns = device.ProcessCpuNs() - cpu_ns;
  // OpenMP's threads count turns, not time, so on a busy machine they spin for longer. Even then
  // they stop soon.
  for (int i = 0; i < kPatience && late.cpu_ns > late.window_ns / 2; ++i) {
    if (late.window_ns == 0) break;
    device.IdleNs(kSettleNs);
    cpu_ns = device.ProcessCpuNs();
    device.IdleNs(kWindowNs);
    late.cpu_ns = device.ProcessCpuNs() - cpu_ns;
  }
  if (call && waits.LongestNs() > kIdleWaitNs && waits.SecondNs() <= kIdleWaitNs) {
    call();
    absl::Status status = device.Synchronize();
    if (status.ok()) status = waits.LookAtOnce();
    if (status.ok()) status = waits.LookFor(idle_ns);
    if (!status.ok()) return status;
  }
  late.device_ns = waits.SecondNs();
  late.longest_ns = waits.LongestNs();
  return late;
}

absl::StatusOr<FreshInputs> TryFreshInputs(Device& device, TimedWork& work, int64_t pairs) {
  const int64_t others = work.InputSets() - 1;
  FreshInputs fresh = {.pairs = pairs, .input_bytes = work.InputBytes()};
  std::vector<double> same, other;
  std::optional<uint64_t> same_digest, other_digest;
  for (int64_t i = 0; i < std::max<int64_t>(pairs, 1); ++i) {
    // Calls twice on set 0 and times the second call: it follows one on the same inputs.
    work.UseInputs(0);
    work.Call();
    absl::StatusOr<int64_t> took_ns = TimeCall(device, work);
    if (!took_ns.ok()) return took_ns.status();
    same.push_back(static_cast<double>(*took_ns));
    if (i == 0) same_digest = work.OutputDigest();

    work.UseInputs(1 + static_cast<int>(i % others));
    took_ns = TimeCall(device, work);
    if (!took_ns.ok()) return took_ns.status();
    other.push_back(static_cast<double>(*took_ns));
    if (i == 0) other_digest = work.OutputDigest();
  }
  work.UseInputs(0);
  if (pairs > 0) {
    fresh.same_ns = statistics::MedianOf(same);
    fresh.other_over_same = statistics::MedianOf(other) / std::max(fresh.same_ns, 1.0);
  }
  fresh.first_visits = std::min(pairs, others);
  if (fresh.first_visits > 0) {
    fresh.least_first_visit_ns =
        *std::min_element(other.begin(), other.begin() + fresh.first_visits);
  }
  fresh.outputs_differ = !same_digest || !other_digest || *same_digest != *other_digest;
  return fresh;
}

}  // namespace assay::sampling
