#include "ci/certify/engine_goals.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/device/host_facts.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/sample_log.h"
#include "benchmarks/harness/sampling/stop_rule.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "ci/certify/google_peer.h"

namespace assay::certify {
namespace {

using sampling::CpuDevice;
using sampling::Measure;
using sampling::Mode;
using sampling::SampleLog;
using sampling::SampleSet;
using sampling::StopReason;

void Nothing() { asm volatile("" ::: "memory"); }

// Returns when `ns` have passed on the steady clock.
void BusyWait(int64_t ns) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(ns);
  while (std::chrono::steady_clock::now() < end) {
  }
}

int64_t HeapBytes() { return sampling::ReadHostMemory().host_live_bytes; }

double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Looks as the default rule does, stops by count alone, and keeps what the heap has at the end.
class WatchingRule : public sampling::StopRule {
 public:
  explicit WatchingRule(int64_t samples) : samples_(samples) {}
  void Start(int64_t max_samples) override { inner_.Start(max_samples); }
  std::optional<StopReason> Check(const SampleLog& log, int64_t elapsed_ns) override {
    inner_.Check(log, elapsed_ns);
    if (log.size() < samples_) return std::nullopt;
    heap_bytes_ = HeapBytes();
    return StopReason::kSampleCount;
  }
  int64_t heap_bytes() const { return heap_bytes_; }

 private:
  sampling::PrecisionRule inner_{{.relative_half_width = 0, .budget = absl::InfiniteDuration()}};
  const int64_t samples_;
  int64_t heap_bytes_ = 0;
};

struct NullRun {
  double loop_ns = NAN;   // a sample, in the loop
  double whole_ns = NAN;  // a sample, of the whole Measure
  double bytes = 0;       // a sample, while samples are taken
};

NullRun MeasureNothing(int64_t samples) {
  CpuDevice device;
  WatchingRule rule(samples);
  const int64_t heap_before = HeapBytes();
  absl::StatusOr<SampleSet> set;
  const double seconds = SecondsOf([&] {
    set = Measure(device, Mode::kWall, Nothing, {.rule = &rule, .max_samples = samples});
  });
  if (!set.ok()) return {};
  const double n = static_cast<double>(samples);
  const double warmup_s = static_cast<double>(set->warmup->total_ns) * 1e-9;
  return {.loop_ns = static_cast<double>(set->elapsed_ns) / n,
          .whole_ns = (seconds - warmup_s) * 1e9 / n,
          .bytes = static_cast<double>(rule.heap_bytes() - heap_before) / n};
}

// The least of a few: what the engine costs, not what the neighbours do.
NullRun LeastOf(int runs, int64_t samples) {
  NullRun least;
  for (int i = 0; i < runs; ++i) {
    const NullRun run = MeasureNothing(samples);
    if (!(least.loop_ns <= run.loop_ns)) least.loop_ns = run.loop_ns;
    if (!(least.whole_ns <= run.whole_ns)) least.whole_ns = run.whole_ns;
    least.bytes = std::max(least.bytes, run.bytes);
  }
  return least;
}

double AmortisedNs() {
  CpuDevice device;
  const auto set = Measure(device, Mode::kThroughput, Nothing, {});
  return set.ok() ? statistics::MedianOf(set->samples_ns) : NAN;
}

double ClockPairNs() {
  constexpr int kReadings = 1'000'000;
  const double seconds = SecondsOf([] {
    for (int i = 0; i < 2 * kReadings; ++i) static_cast<void>(std::chrono::steady_clock::now());
  });
  return seconds * 1e9 / kReadings;
}

std::string Ns(double ns) { return absl::StrFormat("%.3g ns", ns); }

Goal KnownCost(int64_t cost_ns, bool quick) {
  const auto call = [=] { BusyWait(cost_ns); };
  CpuDevice device;
  const auto set = Measure(device, Mode::kWall, call, {});
  const double cost = static_cast<double>(cost_ns), google_s = quick ? 0.02 : 0.2;
  const double ours = set.ok() ? statistics::MedianOf(set->samples_ns) - cost : NAN;
  const double pauses = TimeWithGoogle(GooglePeer::kPauses, call, google_s) - cost;
  const double manual = TimeWithGoogle(GooglePeer::kManualTime, call, google_s) - cost;
  return {.id = "G3",
          .what = absl::StrFormat("busy-wait of %g us: error of the median", cost / 1e3),
          .measured = std::abs(ours),
          .wanted = std::max(0.005 * cost, 200.0),
          .unit = "ns",
          .peer = absl::StrCat("Google Benchmark: pauses ", Ns(std::abs(pauses)), ", manual time ",
                               Ns(std::abs(manual)))};
}

// Timed time of all samples over the wall time of the whole measurement, warm-up and checks
// included.
Goal TimedShare(int64_t cost_ns, absl::Duration budget) {
  CpuDevice device;
  absl::StatusOr<SampleSet> set;
  const auto call = [=] { BusyWait(cost_ns); };
  const double seconds = SecondsOf([&] {
    set = Measure(device, Mode::kWall, call,
                  {.precision = {.relative_half_width = -1, .budget = budget}});
  });
  double timed_ns = NAN, loop = NAN;
  if (set.ok()) {
    timed_ns = std::accumulate(set->samples_ns.begin(), set->samples_ns.end(), 0.0);
    loop = timed_ns / static_cast<double>(set->elapsed_ns);
  }
  return {.id = "G5",
          .what = absl::StrFormat("op of %g us: timed share of the whole wall time",
                                  static_cast<double>(cost_ns) / 1e3),
          .measured = 100 * timed_ns * 1e-9 / seconds,
          .bound = Bound::kAtLeast,
          .wanted = 50,
          .unit = "%",
          .detail = absl::StrFormat("%.3g %% of the loop", 100 * loop)};
}

Goal BudgetKept(Mode mode, int64_t cost_ns, absl::Duration budget) {
  CpuDevice device;
  absl::StatusOr<SampleSet> set;
  const auto call = [=] { BusyWait(cost_ns); };
  const double seconds = SecondsOf([&] {
    set = Measure(
        device, mode, call,
        {.precision = {.relative_half_width = -1, .budget = budget, .min_samples_in_budget = 1},
         .strict_budget = true});
  });
  const double warmup_s = set.ok() ? static_cast<double>(set->warmup->total_ns) * 1e-9 : NAN;
  return {.id = "G5",
          .what = absl::StrFormat("%s, op of %g us, budget %s: time used after the warm-up",
                                  sampling::ModeName(mode), static_cast<double>(cost_ns) / 1e3,
                                  absl::FormatDuration(budget)),
          .measured = 100 * (seconds - warmup_s) / absl::ToDoubleSeconds(budget),
          .wanted = 110,
          .unit = "% of the budget"};
}

}  // namespace

std::vector<Goal> OverheadGoals(bool quick) {
  const NullRun run = LeastOf(5, quick ? 100'000 : 1'000'000);
  const double pauses = TimeWithGoogle(GooglePeer::kPauses, Nothing, quick ? 0.02 : 0.2);
  const double manual = TimeWithGoogle(GooglePeer::kManualTime, Nothing, quick ? 0.02 : 0.2);
  const double plain = TimeWithGoogle(GooglePeer::kPlain, Nothing, quick ? 0.02 : 0.2);
  double amortised = AmortisedNs();
  for (int i = 0; i < 4; ++i) amortised = std::min(amortised, AmortisedNs());
  return {
      {.id = "G1",
       .what = "a sample of nothing, both clock readings included",
       .measured = run.loop_ns,
       .wanted = 80,
       .unit = "ns",
       .peer = absl::StrCat("Google Benchmark: an iteration with a pause reads ", Ns(pauses),
                            ", with manual time ", Ns(manual)),
       .detail = absl::StrCat("two readings of the clock alone take ", Ns(ClockPairNs()))},
      {.id = "G1",
       .what = "a call of nothing in mode throughput",
       .measured = amortised,
       .wanted = 5,
       .unit = "ns",
       .peer = absl::StrCat("Google Benchmark's plain loop ", Ns(plain))},
  };
}

double NullReadingNs() {
  CpuDevice device;
  const auto set = Measure(device, Mode::kWall, Nothing, {});
  if (!set.ok() || !set->null_ns) return NAN;
  return statistics::MedianOf(set->samples_ns) - static_cast<double>(*set->null_ns);
}

std::vector<Goal> KnownCostGoals(bool quick) {
  std::vector<Goal> goals;
  for (const int64_t us : {5, 20, 50, 100, 1'000, 10'000}) {
    goals.push_back(KnownCost(us * 1'000, quick));
  }
  return goals;
}

std::vector<Goal> EfficiencyGoals(bool quick) {
  const absl::Duration budget = quick ? absl::Milliseconds(200) : absl::Seconds(1);
  std::vector<Goal> goals;
  for (const int64_t us : {100, 1'000, 10'000}) goals.push_back(TimedShare(us * 1'000, budget));
  goals.push_back(BudgetKept(Mode::kWall, 100'000, budget));
  goals.push_back(BudgetKept(Mode::kThroughput, 100'000, budget));
  goals.push_back(BudgetKept(Mode::kCold, 100'000, budget));
  return goals;
}

std::vector<Goal> ThroughputGoals(bool quick) {
  const int64_t samples = quick ? 100'000 : 1'000'000;
  const NullRun run = LeastOf(3, samples), more = MeasureNothing(10 * samples);
  return {
      {.id = "G15",
       .what = "null samples a second, checks and all",
       .measured = 1e9 / run.whole_ns,
       .bound = Bound::kAtLeast,
       .wanted = 1e6,
       .unit = "/s",
       .detail = absl::StrFormat("in the loop alone %.3g /s", 1e9 / run.loop_ns)},
      {.id = "G15",
       .what = "memory while samples are taken",
       .measured = std::round(100 * run.bytes) / 100,
       .wanted = 16,
       .unit = "B a sample"},
      {.id = "G15",
       .what = absl::StrFormat("%g samples: time of one against that of one in %g",
                               static_cast<double>(10 * samples), static_cast<double>(samples)),
       .measured = more.whole_ns / run.whole_ns,
       .wanted = 2,
       .unit = "times",
       .detail =
           absl::StrFormat("%.3g s in all", more.whole_ns * 10e-9 * static_cast<double>(samples))},
  };
}

}  // namespace assay::certify
