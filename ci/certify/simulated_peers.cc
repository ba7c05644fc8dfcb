#include "ci/certify/simulated_peers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace assay::certify {
namespace {

constexpr double kPower = 0.95;
constexpr int kMostRuns = 512;  // of a side

using Times = std::vector<double>;

double WelchsT(const Times& a, const Times& b) {
  const auto mean_and_error = [](const Times& times) {
    const double n = static_cast<double>(times.size());
    double sum = 0, squares = 0;
    for (const double time : times) sum += time;
    for (const double time : times) squares += (time - sum / n) * (time - sum / n);
    return std::pair(sum / n, squares / (n - 1) / n);
  };
  const auto [mean_a, error_a] = mean_and_error(a);
  const auto [mean_b, error_b] = mean_and_error(b);
  return (mean_b - mean_a) / std::sqrt(error_a + error_b);
}

// How many pairs have the candidate slower, less those that have it faster.
double MannWhitneysU(const Times& a, Times b) {
  std::sort(b.begin(), b.end());
  double sum = 0;
  for (const double time : a)
    sum += static_cast<double>(b.end() - std::upper_bound(b.begin(), b.end(), time)) -
           static_cast<double>(b.size()) / 2;
  return sum;
}

// The statistic of each campaign; it is larger the slower the candidate looks.
Times Statistics(SimulatedPeer peer, const compare::SimulatedConditions& conditions, int runs,
                 int campaigns) {
  Times statistics;
  for (int campaign = 0; campaign < campaigns; ++campaign) {
    compare::SimulatedMachine machine(conditions, static_cast<uint64_t>(campaign) + 1);
    const auto run = [&](compare::SideName side, Times& times) {
      times.push_back(machine.Run({.case_index = 0, .side = side}).medians.at(0).median_ns);
    };
    Times a, b;
    if (peer == SimulatedPeer::kHyperfine) {
      for (int i = 0; i < runs; ++i) run(compare::SideName::kBaseline, a);
      for (int i = 0; i < runs; ++i) run(compare::SideName::kCandidate, b);
      statistics.push_back(WelchsT(a, b));
    } else {
      for (int i = 0; i < runs; ++i) {
        run(compare::SideName::kBaseline, a);
        run(compare::SideName::kCandidate, b);
      }
      statistics.push_back(MannWhitneysU(a, b));
    }
  }
  return statistics;
}

bool Finds(SimulatedPeer peer, const compare::SimulatedConditions& conditions, int runs,
           double alarm_rate, int campaigns) {
  compare::SimulatedConditions same = conditions;
  same.effect = 0;
  Times by_chance = Statistics(peer, same, runs, campaigns);
  for (double& statistic : by_chance) statistic = std::abs(statistic);
  std::sort(by_chance.begin(), by_chance.end());
  const auto alarms = static_cast<size_t>(alarm_rate * campaigns);
  const double level = by_chance[by_chance.size() - 1 - std::min(alarms, by_chance.size() - 1)];
  const Times found = Statistics(peer, conditions, runs, campaigns);
  return std::count_if(found.begin(), found.end(), [&](double s) { return s > level; }) >=
         kPower * campaigns;
}

}  // namespace

std::string_view PeerName(SimulatedPeer peer) {
  return peer == SimulatedPeer::kHyperfine ? "hyperfine" : "asv";
}

double ProcessesToFind(SimulatedPeer peer, const compare::SimulatedConditions& conditions,
                       double alarm_rate, int campaigns) {
  int runs = 4;
  while (!Finds(peer, conditions, runs, alarm_rate, campaigns)) {
    runs *= 2;
    if (runs > kMostRuns) return std::numeric_limits<double>::infinity();
  }
  int too_few = runs / 2;
  while (runs - too_few > 1) {
    const int between = (runs + too_few) / 2;
    (Finds(peer, conditions, between, alarm_rate, campaigns) ? runs : too_few) = between;
  }
  return 2.0 * runs;
}

}  // namespace assay::certify
