// G6 and G7: whole campaigns on simulated machines.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "ci/certify/simulated_goals.h"
#include "ci/certify/simulated_peers.h"
#include "tools/compare/simulation/simulation.h"

namespace assay::certify {
namespace {

using compare::NoiseKind;
using compare::Simulate;
using compare::Simulation;
using compare::SimulationResult;

constexpr double kWantedOfPeers = 0.85;
constexpr double kStatedAlarmRate = 5;  // % of campaigns, by the comparison's levels

int Campaigns(bool quick) { return quick ? 1'000 : 10'000; }

std::string Share(double hits, int64_t of) {
  const statistics::Interval interval = compare::ShareInterval(std::llround(hits), of);
  return absl::StrFormat("%.2f .. %.2f %% at 95 %% confidence, %d campaigns", 100 * interval.low,
                         100 * interval.high, of);
}

Goal FalseAlarms(Simulation simulation, const std::string& what) {
  const SimulationResult result = Simulate(simulation);
  return {.id = "G6",
          .what = absl::StrCat("simulated A/A, ", what, ", ",
                               compare::NoiseName(simulation.conditions.kind),
                               " noise: campaigns with a false alarm"),
          .measured = 100 * result.AlarmRate(),
          .wanted = kStatedAlarmRate,
          .unit = "%",
          .detail = Share(static_cast<double>(result.alarming), result.campaigns)};
}

Goal Symmetry(bool quick) {
  const SimulationResult result =
      Simulate({.conditions = {.pair_sd = 0.02}, .campaigns = Campaigns(quick), .pairs = 8});
  const double faster = result.ShareOf(compare::Conclusion::kFaster);
  const double slower = result.ShareOf(compare::Conclusion::kSlower);
  const double alarms = (faster + slower) * static_cast<double>(result.series);
  // Two standard errors of a fair coin.
  const double limit = alarms > 0 ? 200 / std::sqrt(alarms) : 0;
  return {.id = "G6",
          .what = "simulated A/A: alarms of one sign beyond the other, of all alarms",
          .measured = alarms > 0 ? 100 * std::abs(faster - slower) / (faster + slower) : 0,
          .wanted = limit,
          .unit = "%",
          .detail = absl::StrFormat("%.0f alarms", alarms)};
}

Goal Power(double pair_sd, NoiseKind kind, bool quick) {
  const SimulationResult result =
      Simulate({.conditions = {.kind = kind, .pair_sd = pair_sd, .effect = 0.02},
                .campaigns = Campaigns(quick)});
  return {.id = "G7",
          .what = absl::StrFormat("simulated +2 %%, sd of a pair %.3g %%, %s noise: found",
                                  100 * pair_sd, compare::NoiseName(kind)),
          .measured = 100 * result.Power(),
          .bound = Bound::kAtLeast,
          .wanted = 95,
          .unit = "%",
          .detail = absl::StrCat(Share(static_cast<double>(result.found), result.true_effects),
                                 absl::StrFormat("; %.0f processes", result.mean_processes))};
}

// Fewest processes on the average for any test of pairs that finds the effect in 95 % of campaigns
// and errs as rarely, where noise is normal: Wald's bound (Sequential Tests of Statistical
// Hypotheses, Annals of Mathematical Statistics 16, 1945). His test that reaches it knows effect and
// deviation beforehand.
double WaldsProcesses(const compare::SimulatedConditions& conditions, double alarm_rate) {
  constexpr double kMissed = 0.05;
  const double wrong = alarm_rate / 2;  // of each sign
  const double evidence =
      (1 - kMissed) * std::log((1 - kMissed) / wrong) + kMissed * std::log(kMissed / (1 - wrong));
  const double effect = std::log1p(conditions.effect) / conditions.pair_sd;
  return 2 * evidence / (effect * effect / 2);
}

// Time to the verdict: each side's is its number of processes, each as long as any.
//
// Half of the peers' 64 and 66 would be less than Wald's bound, 34.9 with normal noise. The peers
// know the best number of runs beforehand, which a comparison has to find out. What is wanted is a
// third of all that can be saved: 1 - (1 - 34.9 / 64) / 3 is 0.85.
//
// Never a tenth of the campaigns: among 1,000 there is no false alarm, and the most that these may
// hide lets the peers err 18 times as often.
std::vector<Goal> ProcessesAgainstPeers(NoiseKind kind) {
  const int campaigns = Campaigns(/*quick=*/false);
  const Simulation simulation = {.conditions = {.kind = kind, .pair_sd = 0.02, .effect = 0.02},
                                 .campaigns = campaigns};
  Simulation same = simulation;
  same.conditions.effect = 0;
  const SimulationResult ours = Simulate(simulation), by_chance = Simulate(same);
  // If it never erred: the rate at which it may err.
  const double alarm_rate =
      by_chance.alarming > 0 ? by_chance.AlarmRate()
                             : compare::ShareInterval(by_chance.alarming, by_chance.campaigns).high;
  const std::string bound = kind == NoiseKind::kNormal
                                ? absl::StrFormat("; Wald's bound for any test %.3g",
                                                  WaldsProcesses(simulation.conditions, alarm_rate))
                                : "";
  std::vector<Goal> goals;
  for (const SimulatedPeer peer : {SimulatedPeer::kHyperfine, SimulatedPeer::kAsv}) {
    const double theirs = ProcessesToFind(peer, simulation.conditions, alarm_rate, campaigns);
    goals.push_back(
        {.id = "G7",
         .what = absl::StrFormat(
             "simulated +2 %%, sd of a pair 2 %%, %s noise: our processes to a verdict, of %s's",
             compare::NoiseName(kind), PeerName(peer)),
         .measured = ours.mean_processes / theirs,
         .wanted = kWantedOfPeers,
         .unit = "times",
         .peer = absl::StrFormat("%.4g processes", theirs),
         .detail =
             absl::StrFormat("ours %.4g, found %.2f %%; false alarms of both %.3g %%%s",
                             ours.mean_processes, 100 * ours.Power(), 100 * alarm_rate, bound)});
  }
  return goals;
}

}  // namespace

std::vector<Goal> FalseAlarmGoals(bool quick) {
  std::vector<Goal> goals;
  for (const NoiseKind kind : {NoiseKind::kNormal, NoiseKind::kT3, NoiseKind::kSpells}) {
    goals.push_back(
        FalseAlarms({.conditions = {.kind = kind, .pair_sd = 0.02}, .campaigns = Campaigns(quick)},
                    "one case"));
    goals.push_back(FalseAlarms({.conditions = {.kind = kind, .pair_sd = 0.02},
                                 .campaigns = Campaigns(quick) / 30,
                                 .cases = 30},
                                "30 cases"));
  }
  goals.push_back(
      FalseAlarms({.conditions = {.pair_sd = 0.02, .drift = 0.001}, .campaigns = Campaigns(quick)},
                  "one case, drift of 0.1 % a process"));
  goals.push_back(Symmetry(quick));
  return goals;
}

std::vector<Goal> PowerGoals(bool quick) {
  std::vector<Goal> goals = {
      Power(0.01, NoiseKind::kNormal, quick), Power(0.01, NoiseKind::kT3, quick),
      Power(0.02, NoiseKind::kNormal, quick), Power(0.02, NoiseKind::kT3, quick)};
  for (const NoiseKind kind : {NoiseKind::kNormal, NoiseKind::kT3, NoiseKind::kSpells}) {
    for (Goal& goal : ProcessesAgainstPeers(kind)) goals.push_back(std::move(goal));
  }
  return goals;
}

}  // namespace assay::certify
