#include "benchmarks/harness/runner/vary/varied_rounds.h"

#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "benchmarks/harness/statistics/intervals/series_interval.h"
#include "benchmarks/harness/statistics/intervals/summary.h"

namespace assay::runner {
namespace {

constexpr int64_t kWarmupRounds = 2, kFewestRounds = 6, kMostBudgets = 10, kMostSamples = 100'000;

class Rounds {
 public:
  Rounds(sampling::Device& device, const Mix& mix, VariedWork& work)
      : device_(device), mix_(mix), work_(work) {}

  absl::Status Take(int64_t number, VariedTimes& times) {
    absl::Status taken = number % 2 == 0 ? TakeDealt(number, times) : TakeAlone(times);
    if (taken.ok()) taken = number % 2 == 0 ? TakeAlone(times) : TakeDealt(number, times);
    return taken;
  }

 private:
  absl::Status TakeDealt(int64_t number, VariedTimes& times) {
    for (const size_t size : mix_.Deck(number)) {
      const absl::StatusOr<double> ns = TimeCall(size);
      if (!ns.ok()) return ns.status();
      times.dealt_ns.push_back(*ns);
      times.between_ns[size].push_back(*ns);
    }
    return absl::OkStatus();
  }

  absl::Status TakeAlone(VariedTimes& times) {
    for (size_t size = 0; size < mix_.sizes.size(); ++size) {
      for (int64_t call = 0; call <= mix_.sizes[size].weight; ++call) {
        const absl::StatusOr<double> ns = TimeCall(size);
        if (!ns.ok()) return ns.status();
        if (call > 0) times.alone_ns[size].push_back(*ns);  // the first one follows another size
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<double> TimeCall(size_t size) {
    work_.Use(size, calls_++);
    absl::Status idle = device_.Synchronize();
    if (!idle.ok()) return idle;
    const int64_t start_ns = device_.NowNs();
    work_.Call();
    if (idle = device_.Synchronize(); !idle.ok()) return idle;
    return static_cast<double>(device_.NowNs() - start_ns);
  }

  sampling::Device& device_;
  const Mix& mix_;
  VariedWork& work_;
  int64_t calls_ = 0;
};

VariedTimes NoTimes(const Mix& mix) {
  VariedTimes times;
  times.between_ns.resize(mix.sizes.size());
  times.alone_ns.resize(mix.sizes.size());
  return times;
}

double SumOfDeck(const std::vector<double>& ns, int64_t deck, int64_t weight) {
  double sum = 0;
  for (int64_t i = deck * weight; i < (deck + 1) * weight; ++i) sum += ns[static_cast<size_t>(i)];
  return sum;
}

}  // namespace

absl::StatusOr<VariedTimes> MeasureVaried(sampling::Device& device, const Mix& mix,
                                          VariedWork& work, const VariedOptions& options) {
  Rounds rounds(device, mix, work);
  VariedTimes times = NoTimes(mix), unkept = NoTimes(mix);
  const int64_t budget_ns = absl::ToInt64Nanoseconds(options.budget), start_ns = device.NowNs();
  for (int64_t number = 0; number < kWarmupRounds; ++number) {
    if (absl::Status taken = rounds.Take(-1 - number, unkept); !taken.ok()) return taken;
  }
  sampling::Evidence& evidence = times.evidence;
  evidence.cpus = options.cpus;
  evidence.threads = options.threads;
  evidence.counters_before = device.Counters();
  const int64_t first_ns = device.NowNs(), cpu_ns = device.ProcessCpuNs();
  double dealt_ns = 0;
  const auto is_enough = [&] {
    if (static_cast<int64_t>(times.dealt_ns.size()) >= kMostSamples) return true;
    if (device.NowNs() - start_ns >= kMostBudgets * budget_ns) return times.decks > 0;
    return times.decks >= kFewestRounds && dealt_ns >= static_cast<double>(budget_ns);
  };
  while (!is_enough()) {
    if (options.interrupted != nullptr && *options.interrupted) break;
    const size_t before = times.dealt_ns.size();
    if (absl::Status taken = rounds.Take(times.decks, times); !taken.ok()) return taken;
    for (size_t i = before; i < times.dealt_ns.size(); ++i) dealt_ns += times.dealt_ns[i];
    ++times.decks;
  }
  if (times.decks == 0) return absl::CancelledError("interrupted before the first deck was timed");
  evidence.elapsed_ns = device.NowNs() - first_ns;
  evidence.cpu_wall_ns = device.TimerCount() > 0 ? 0 : evidence.elapsed_ns;  // a GPU's driver spins
  evidence.cpu_ns = device.ProcessCpuNs() - cpu_ns;
  evidence.counters_after = device.Counters();
  return times;
}

VariedRatio RatioOf(const Mix& mix, const VariedTimes& times, std::optional<size_t> size) {
  std::vector<double> ratios;
  for (int64_t deck = 0; deck < times.decks; ++deck) {
    double between_ns = 0, alone_ns = 0;
    for (size_t i = 0; i < mix.sizes.size(); ++i) {
      if (size && *size != i) continue;
      between_ns += SumOfDeck(times.between_ns[i], deck, mix.sizes[i].weight);
      alone_ns += SumOfDeck(times.alone_ns[i], deck, mix.sizes[i].weight);
    }
    if (alone_ns > 0) ratios.push_back(between_ns / alone_ns);
  }
  VariedRatio ratio;
  const absl::StatusOr<statistics::Summary> summary = statistics::Summarize(ratios);
  if (summary.ok()) ratio.median = summary->median;
  const absl::StatusOr<statistics::Interval> interval = statistics::SeriesMedianInterval(ratios);
  if (interval.ok()) ratio = {.median = ratio.median, .low = interval->low, .high = interval->high};
  return ratio;
}

std::vector<sampling::Check> ChecksOf(const VariedTimes& times,
                                      const std::vector<double>& samples_ns) {
  sampling::Evidence evidence = times.evidence;
  evidence.samples_ns = samples_ns;
  evidence.calls = static_cast<int64_t>(samples_ns.size());
  std::vector<sampling::Check> checks;
  for (sampling::Check& check : sampling::CheckSamples(evidence)) {
    constexpr std::string_view kOfSizes[] = {"samples", "cpu_contention", "cpu_within_threads"};
    if (absl::c_linear_search(kOfSizes, check.name)) checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace assay::runner
