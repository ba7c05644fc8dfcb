#include "benchmarks/harness/runner/vary/varied_rounds.h"

#include <functional>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "benchmarks/harness/sampling/stop_rule.h"
#include "benchmarks/harness/statistics/intervals/series_interval.h"
#include "benchmarks/harness/statistics/intervals/summary.h"

namespace assay::runner {
namespace {

constexpr int64_t kWarmupRounds = 2, kFewestRounds = 6, kMostBudgets = 10, kMostSamples = 100'000;

constexpr int64_t kUntimedCalls = 3;  // before those of one size in a row

VariedTimes NoTimes(const Mix& mix) {
  VariedTimes times;
  times.between_ns.resize(mix.sizes.size());
  times.alone_ns.resize(mix.sizes.size());
  return times;
}

void Append(const std::vector<double>& from, std::vector<double>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

class Rounds {
 public:
  // No call begins once `stop` is true.
  Rounds(sampling::Device& device, const Mix& mix, VariedWork& work, std::function<bool()> stop)
      : device_(device), mix_(mix), work_(work), stop_(std::move(stop)) {}

  // Adds a whole round. Cancelled, adding nothing, where it was stopped.
  absl::Status Take(int64_t number, VariedTimes& times) {
    VariedTimes round = NoTimes(mix_);
    absl::Status taken = number % 2 == 0 ? TakeDealt(number, round) : TakeAlone(round);
    if (taken.ok()) taken = number % 2 == 0 ? TakeAlone(round) : TakeDealt(number, round);
    if (!taken.ok()) return taken;
    Append(round.dealt_ns, times.dealt_ns);
    for (size_t size = 0; size < mix_.sizes.size(); ++size) {
      Append(round.between_ns[size], times.between_ns[size]);
      Append(round.alone_ns[size], times.alone_ns[size]);
    }
    ++times.decks;
    return taken;
  }

 private:
  absl::Status TakeDealt(int64_t number, VariedTimes& round) {
    const std::vector<size_t> deck = mix_.Deck(number);
    double sum_ns = 0;
    for (const size_t size : deck) {
      const absl::StatusOr<double> ns = TimeCall(size);
      if (!ns.ok()) return ns.status();
      sum_ns += *ns;
      round.between_ns[size].push_back(*ns);
    }
    round.dealt_ns.push_back(sum_ns / static_cast<double>(deck.size()));
    return absl::OkStatus();
  }

  absl::Status TakeAlone(VariedTimes& round) {
    for (size_t size = 0; size < mix_.sizes.size(); ++size) {
      for (int64_t call = -kUntimedCalls; call < mix_.sizes[size].weight; ++call) {
        const absl::StatusOr<double> ns = TimeCall(size);
        if (!ns.ok()) return ns.status();
        if (call >= 0) round.alone_ns[size].push_back(*ns);
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<double> TimeCall(size_t size) {
    if (stop_()) return absl::CancelledError("stopped inside a round");
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
  const std::function<bool()> stop_;
  int64_t calls_ = 0;
};

double SumOfDeck(const std::vector<double>& ns, int64_t deck, int64_t weight) {
  double sum = 0;
  for (int64_t i = deck * weight; i < (deck + 1) * weight; ++i) sum += ns[static_cast<size_t>(i)];
  return sum;
}

}  // namespace

absl::StatusOr<VariedTimes> MeasureVaried(sampling::Device& device, const Mix& mix,
                                          VariedWork& work, const VariedOptions& options) {
  VariedTimes times = NoTimes(mix), unkept = NoTimes(mix);
  const int64_t budget_ns = absl::ToInt64Nanoseconds(options.budget), start_ns = device.NowNs();
  Rounds rounds(device, mix, work, [&] {
    if (options.interrupted != nullptr && *options.interrupted) return true;
    return times.decks > 0 && device.NowNs() - start_ns >= kMostBudgets * budget_ns;
  });
  absl::Status taken;
  for (int64_t number = 0; number < kWarmupRounds && taken.ok(); ++number)
    taken = rounds.Take(-1 - number, unkept);
  sampling::Evidence& evidence = times.evidence;
  evidence.cpus = options.cpus;
  evidence.threads = options.threads;
  evidence.counters_before = device.Counters();
  const int64_t first_ns = device.NowNs(), cpu_ns = device.ProcessCpuNs();
  const int64_t deck_calls = static_cast<int64_t>(mix.Deck(0).size());
  double dealt_ns = 0;
  const auto is_enough = [&] {
    if (times.decks * deck_calls >= kMostSamples) return true;
    return times.decks >= kFewestRounds && dealt_ns >= static_cast<double>(budget_ns);
  };
  while (taken.ok() && !is_enough()) {
    taken = rounds.Take(times.decks, times);
    if (taken.ok()) dealt_ns += times.dealt_ns.back() * static_cast<double>(deck_calls);
  }
  if (!taken.ok() && !absl::IsCancelled(taken)) return taken;
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
  const absl::StatusOr<statistics::Interval> interval =
      statistics::SeriesMedianInterval(samples_ns);
  const absl::StatusOr<statistics::Summary> summary = statistics::Summarize(samples_ns);
  evidence.precise = interval.ok() && summary.ok() &&
                     (interval->high - interval->low) / 2 <=
                         sampling::PrecisionRule::Options().relative_half_width * summary->median;
  std::vector<sampling::Check> checks;
  for (sampling::Check& check : sampling::CheckSamples(evidence)) {
    constexpr std::string_view kOfSizes[] = {"samples", "cpu_contention", "cpu_within_threads"};
    if (absl::c_linear_search(kOfSizes, check.name)) checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace assay::runner
