#include "benchmarks/harness/sampling/warmup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "absl/status/status.h"
#include "benchmarks/harness/statistics/describe/moments.h"

namespace assay::sampling {
namespace {

constexpr size_t kStepsSeen = 5;
constexpr int64_t kMostCallsPerStep = int64_t{1} << 20;

// The cost per call in the last few steps.
class Trend {
 public:
  void Add(double ns_per_call) {
    std::rotate(steps_.begin(), steps_.begin() + 1, steps_.end());
    steps_.back() = ns_per_call;
    seen_ = std::min(seen_ + 1, kStepsSeen);
  }
  bool IsFlat(double max_slope) const {
    return seen_ == kStepsSeen && std::abs(statistics::RelativeSlope(steps_)) < max_slope;
  }

 private:
  std::array<double, kStepsSeen> steps_ = {};
  size_t seen_ = 0;
};

absl::StatusOr<int64_t> TimeCalls(Device& device, absl::FunctionRef<void()> call, int64_t calls) {
  const int64_t start_ns = device.NowNs();
  for (int64_t i = 0; i < calls; ++i) call();
  if (absl::Status status = device.Synchronize(); !status.ok()) return status;
  return device.NowNs() - start_ns;
}

}  // namespace

absl::StatusOr<WarmupReport> WarmUp(Device& device, absl::FunctionRef<void()> call,
                                    const WarmupOptions& options,
                                    const std::atomic<bool>* interrupted,
                                    const std::function<void()>& after_first) {
  WarmupReport report;
  // Work that was queued before is no part of the first call.
  if (absl::Status status = device.Synchronize(); !status.ok()) return status;
  const absl::StatusOr<int64_t> first_ns = TimeCalls(device, call, 1);
  if (!first_ns.ok()) return first_ns.status();
  report.first_call_ns = *first_ns;
  report.calls = 1;
  if (after_first) after_first();
  const int64_t after_first_ns = device.NowNs();

  Trend trend;
  int64_t calls_per_step = 1;
  while (true) {
    const int64_t now_ns = device.NowNs();
    report.total_ns = report.first_call_ns + (now_ns - after_first_ns);
    report.interrupted = interrupted != nullptr && interrupted->load(std::memory_order_relaxed);
    if (report.interrupted) return report;
    const absl::Duration since_first = absl::Nanoseconds(now_ns - after_first_ns);
    if (report.calls >= options.min_calls) {
      report.steady = since_first >= options.min_time && trend.IsFlat(options.max_slope);
      if (report.steady || since_first >= options.max_time) return report;
    }
    const absl::StatusOr<int64_t> step_ns = TimeCalls(device, call, calls_per_step);
    if (!step_ns.ok()) return step_ns.status();
    report.calls += calls_per_step;
    trend.Add(static_cast<double>(*step_ns) / static_cast<double>(calls_per_step));
    if (absl::Nanoseconds(*step_ns) < options.step && calls_per_step < kMostCallsPerStep) {
      calls_per_step *= 2;
    }
  }
}

}  // namespace assay::sampling
