// G9 and G14: mutants, and results that are faster than the hardware.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/mutants/mutants.h"
#include "ci/certify/cheat_goals.h"
#include "ci/certify/simulated_goals.h"

namespace assay::certify {
namespace {

// Whether a result at this share of the peak is noted or flagged.
bool IsDoubted(double share_of_peak, sampling::Mode mode) {
  sampling::FakeDevice device({.timers = 1,
                               .flush_ns = 60'000,
                               .hold = true,
                               .probe_cold_ns = 20'000,
                               .probe_warm_ns = 8'000});
  sampling::SamplingOptions options;
  if (mode == sampling::Mode::kCold) {
    options.hardware_limits = {.bytes_per_call = 1e9, .peak_bytes_per_s = 1e12};
  } else {
    options.hardware_limits = {.flops_per_call = 1e9, .peak_flops_per_s = 1e12};
  }
  const auto call = [&] { device.Enqueue(std::llround(1e6 / share_of_peak)); };
  const auto set = sampling::Measure(device, mode, call, options);
  if (!set.ok()) return false;
  return std::any_of(set->checks.begin(), set->checks.end(), [](const sampling::Check& check) {
    return check.name == "possible" && (check.status == sampling::CheckStatus::kNoted ||
                                        check.status == sampling::CheckStatus::kFlagged);
  });
}

}  // namespace

std::vector<Goal> MutantGoals(bool quick) {
  const uint64_t seeds = quick ? 2 : 20;
  int64_t all = 0, caught = 0, unclean = 0;
  std::string missed, doubted;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const sampling::MutantResult& mutant : sampling::RunMutants(seed)) {
      ++all;
      caught += mutant.caught;
      unclean += !mutant.twin_clean;
      if (!mutant.caught) absl::StrAppend(&missed, mutant.name, "; ");
      if (!mutant.twin_clean) absl::StrAppend(&doubted, mutant.name, "; ");
    }
  }
  const double mutants = static_cast<double>(all) / static_cast<double>(seeds);
  std::vector<Goal> goals = {
      {.id = "G9",
       .what = "mutants of the engine's taxonomy",
       .measured = mutants,
       .bound = Bound::kAtLeast,
       .wanted = 25,
       .peer = "gpu-mode and KernelBench ship about 3 each"},
      {.id = "G9",
       .what = "of these, caught by the check named for them",
       .measured = 100 * static_cast<double>(caught) / static_cast<double>(all),
       .bound = Bound::kAtLeast,
       .wanted = 100,
       .unit = "%",
       .detail = missed.empty() ? absl::StrFormat("%d seeds of noise", seeds) : missed},
      {.id = "G9",
       .what = "honest twins with a check noted or flagged",
       .measured = static_cast<double>(unclean),
       .wanted = 0,
       .detail = doubted}};
  for (Goal& cheat : CheatGoals()) goals.push_back(std::move(cheat));
  return goals;
}

std::vector<Goal> PhysicsGoals(bool) {
  int silent = 0, wrong = 0, above = 0;
  for (const sampling::Mode mode : {sampling::Mode::kWall, sampling::Mode::kCold}) {
    for (int percent = 50; percent <= 200; ++percent) {
      if (percent == 100) continue;  // rounding of the fake clock decides
      const bool doubted = IsDoubted(percent / 100.0, mode);
      above += percent > 100;
      silent += percent > 100 && !doubted;
      wrong += percent < 100 && doubted;
    }
  }
  return {{.id = "G14",
           .what = "scripted results above 100 % of the peak that no check names",
           .measured = static_cast<double>(silent),
           .wanted = 0,
           .peer = "nvbench has shown 114 % (its issue 270)",
           .detail = absl::StrFormat("of %d, 101 .. 200 %%, FLOP/s and bytes/s", above)},
          {.id = "G14",
           .what = "results below the peak that are doubted",
           .measured = static_cast<double>(wrong),
           .wanted = 0}};
}

}  // namespace assay::certify
