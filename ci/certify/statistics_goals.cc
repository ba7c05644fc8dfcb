// G8 and G13: do intervals hold what they say, and does the stop rule?
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/harness/statistics/intervals/series_interval.h"
#include "benchmarks/harness/statistics/tests/t_tests.h"
#include "ci/certify/simulated_goals.h"

namespace assay::certify {
namespace {

using Random = std::mt19937_64;

// One draw, and the true value of what the interval is for.
struct Population {
  std::string name;
  std::function<double(Random&)> draw;
  double median = 0;
  double mean = 0;
};

std::vector<Population> Populations() {
  const auto normal = [](Random& random) {
    return std::normal_distribution<double>(10, 1)(random);
  };
  const auto skewed = [](Random& random) {
    return std::lognormal_distribution<double>(0, 0.5)(random);
  };
  // Two thirds near 9, one third near 11.
  const auto bimodal = [](Random& random) {
    const double centre = std::uniform_int_distribution<int>(0, 2)(random) == 0 ? 11 : 9;
    return std::normal_distribution<double>(centre, 0.3)(random);
  };
  // The median of 9 + 0.3 z with probability 3/4 below it: 9 + 0.3 * 0.674490.
  constexpr double kBimodalMedian = 9 + 0.3 * 0.6744897501960817;
  return {{"normal", normal, 10, 10},
          {"skewed", skewed, 1, std::exp(0.125)},
          {"bimodal", bimodal, kBimodalMedian, 9 + 2.0 / 3}};
}

struct Coverage {
  double least = 100, most = 0;  // %
  std::string where_least, where_most;
  void Add(double share, const std::string& where) {
    if (share < least) least = share, where_least = where;
    if (share > most) most = share, where_most = where;
  }
};

using IntervalOf = std::function<absl::StatusOr<statistics::Interval>(std::vector<double>&)>;

double CoverageOf(const std::function<std::vector<double>(Random&)>& draw_set, double truth,
                  const IntervalOf& interval_of, int repetitions) {
  Random random(20261121);
  int held = 0;
  for (int i = 0; i < repetitions; ++i) {
    std::vector<double> values = draw_set(random);
    const absl::StatusOr<statistics::Interval> interval = interval_of(values);
    if (interval.ok() && interval->low <= truth && truth <= interval->high) ++held;
  }
  return 100.0 * held / repetitions;
}

std::vector<double> Independent(const Population& population, int n, Random& random) {
  std::vector<double> values(static_cast<size_t>(n));
  for (double& value : values) value = population.draw(random);
  return values;
}

// The interval in a record: it is widened where values resemble their predecessors.
absl::StatusOr<statistics::Interval> MedianOfSeries(std::vector<double>& values) {
  return statistics::SeriesMedianInterval(values);
}

absl::StatusOr<statistics::Interval> MeanOf(std::vector<double>& values) {
  const absl::StatusOr<statistics::TTest> test = statistics::PairedT(values);
  if (!test.ok()) return test.status();
  return test->interval;
}

Goal Lowest(const Coverage& coverage, std::string what) {
  return {.id = "G8",
          .what = std::move(what),
          .measured = coverage.least,
          .bound = Bound::kAtLeast,
          .wanted = 93,
          .unit = "%",
          .detail = absl::StrFormat("at %s; highest %.2f %% at %s", coverage.where_least,
                                    coverage.most, coverage.where_most)};
}

// First-order autoregression with coefficient 0.3 and a standard normal margin.
std::vector<double> Correlated(int n, Random& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values = {normal(random)};
  while (static_cast<int>(values.size()) < n) {
    values.push_back(0.3 * values.back() + std::sqrt(1 - 0.09) * normal(random));
  }
  return values;
}

// One block on the fake device: whether the rule said that it is precise, and by how many stated
// half widths the median is off.
struct Block {
  bool precise = false;
  double error = 0;
};

Block TakeBlock(const std::function<double(Random&)>& cost_ns, double truth_ns, Random& random) {
  sampling::FakeDevice device;
  const auto call = [&] { device.HostWork(std::llround(cost_ns(random))); };
  const auto set = sampling::Measure(device, sampling::Mode::kWall, call,
                                     {.max_samples = 20'000, .checks = false});
  if (!set.ok() || set->stop_reason != sampling::StopReason::kPrecise) return {};
  std::vector<double> sorted = set->samples_ns;
  std::sort(sorted.begin(), sorted.end());
  const double median = statistics::Median(sorted);
  // The promise: half the interval's width is at most this.
  const double stated = sampling::PrecisionRule::Options{}.relative_half_width * median;
  return {.precise = true, .error = std::abs(median - truth_ns) / stated};
}

Goal HonestStop(const std::string& name, const std::function<double(Random&)>& cost_ns,
                double truth_ns, bool quick) {
  Random random(7);
  int precise = 0, off = 0;
  const int blocks = quick ? 200 : 2'000;
  for (int i = 0; i < blocks; ++i) {
    const Block block = TakeBlock(cost_ns, truth_ns, random);
    precise += block.precise;
    off += block.precise && block.error > 2;
  }
  return {
      .id = "G13",
      .what =
          absl::StrFormat("%s: blocks called precise whose error is > 2 stated half widths", name),
      .measured = precise > 0 ? 100.0 * off / precise : std::numeric_limits<double>::quiet_NaN(),
      .wanted = 5,
      .unit = "%",
      .detail = absl::StrFormat("%d of %d blocks were called precise", precise, blocks)};
}

}  // namespace

std::vector<Goal> CoverageGoals(bool quick) {
  const int repetitions = quick ? 1'000 : 10'000;
  Coverage medians, means;
  for (const Population& population : Populations()) {
    for (const int n : {6, 10, 20, 30, 50}) {
      const std::string where = absl::StrFormat("%s, n = %d", population.name, n);
      const auto draw = [&](Random& random) { return Independent(population, n, random); };
      medians.Add(CoverageOf(draw, population.median, MedianOfSeries, repetitions), where);
      if (population.name == "normal") {
        means.Add(CoverageOf(draw, population.mean, MeanOf, repetitions), where);
      }
    }
  }
  Coverage correlated;
  const auto draw = [](Random& random) { return Correlated(50, random); };
  correlated.Add(CoverageOf(draw, 0, MedianOfSeries, repetitions), "n = 50");
  return {Lowest(medians, "95 % interval of the median, normal, skewed, bimodal: lowest coverage"),
          Lowest(means, "95 % interval of paired t, normal: lowest coverage"),
          Lowest(correlated, "95 % interval of the median, samples that follow AR(.3): coverage")};
}

std::vector<Goal> StopRuleGoals(bool quick) {
  const auto normal = [](Random& random) {
    return 1e6 * (1 + std::normal_distribution<double>(0, 0.01)(random));
  };
  const auto skewed = [](Random& random) {
    return 1e6 * std::lognormal_distribution<double>(0, 0.02)(random);
  };
  const auto outliers = [](Random& random) {
    const double bulk = 1 + std::normal_distribution<double>(0, 0.005)(random);
    return 1e6 * (std::uniform_int_distribution<int>(0, 19)(random) == 0 ? 3 * bulk : bulk);
  };
  // One in twenty is far above, so the median is the bulk's 10/19 quantile: 0.0660 deviations up.
  constexpr double kOutliersMedian = 1e6 * (1 + 0.005 * 0.0660);
  return {HonestStop("normal, sd 1 %", normal, 1e6, quick),
          HonestStop("skewed, sd 2 %", skewed, 1e6, quick),
          HonestStop("5 % outliers", outliers, kOutliersMedian, quick)};
}

}  // namespace assay::certify
