// -----------------------------------------------------------------------------
// File: simulated_noise.h
// -----------------------------------------------------------------------------
//
// A simulated machine: each process's median is a true time, times the noise of a process, times
// the machine's slowdown at that moment. For tests of the procedure and for its certificate
// (simulation.cc).
//
// Not a model of a particular machine: it covers the kinds of noise that machines have. `Spells` is
// the noise of this suite's own development machine: now and then a neighbour slows several
// processes in a row.
//
//   SimulatedMachine machine({.kind = NoiseKind::kSpells, .pair_sd = .02, .effect = .02}, seed);
//   MeasuredProcess process = machine.Run({.case_index = 0, .side = SideName::kCandidate});

#ifndef ASSAY_TOOLS_COMPARE_DECISION_SIMULATED_NOISE_H_
#define ASSAY_TOOLS_COMPARE_DECISION_SIMULATED_NOISE_H_

#include <cstdint>
#include <random>
#include <string_view>

#include "tools/compare/decision/campaign.h"

namespace assay::compare {

enum class NoiseKind {
  kNormal,  // Gaussian
  kT3,      // Student's t with 3 degrees of freedom, scaled to the same deviation
  kSpells,  // Gaussian; besides, a process in twenty begins a spell of 1 to 6 processes that are
            // slower by 2 to 30 %
};
std::string_view NoiseName(NoiseKind kind);

struct SimulatedConditions {
  NoiseKind kind = NoiseKind::kNormal;
  double pair_sd = 0.02;    // of a pair's log ratio, without spells
  double effect = 0;        // the candidate is slower by this share
  double drift = 0;         // everything gets slower by this share with each process
  int affected_cases = -1;  // the effect is in this many cases, from the first; -1: in all
};

class SimulatedMachine {
 public:
  SimulatedMachine(const SimulatedConditions& conditions, uint64_t seed)
      : conditions_(conditions), random_(seed) {}

  MeasuredProcess Run(const ProcessRequest& request);

 private:
  double Noise();

  const SimulatedConditions conditions_;
  std::mt19937_64 random_;
  int processes_ = 0;
  int spell_left_ = 0;
  double spell_log_ = 0;
};

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_DECISION_SIMULATED_NOISE_H_
