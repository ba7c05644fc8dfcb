// -----------------------------------------------------------------------------
// File: simulated_peers.h
// -----------------------------------------------------------------------------
//
// Computes how many processes other procedures need to find the same difference, on the same
// simulated machine and with as few false alarms:
//
//   hyperfine   all runs of one side, then all of the other; Welch's t, as its own script of
//               statistics has it
//   asv         the sides in turn, as with interleaved rounds; Mann and Whitney's U
//
// Both are made stronger than they are: the number of runs is the best for this very machine and
// effect, which nobody knows beforehand, and the level is what gives the asked rate of false alarms
// there.
//
//   ProcessesToFind(SimulatedPeer::kAsv, {.effect = .02}, /*alarm_rate=*/.001, /*campaigns=*/10000);

#ifndef ASSAY_CI_CERTIFY_SIMULATED_PEERS_H_
#define ASSAY_CI_CERTIFY_SIMULATED_PEERS_H_

#include <string_view>

#include "tools/compare/decision/simulated_noise.h"

namespace assay::certify {

enum class SimulatedPeer { kHyperfine, kAsv };
std::string_view PeerName(SimulatedPeer peer);

// Fewest processes, of both sides together, that find the effect in 95 % of campaigns; infinity
// where 512 of a side do not.
double ProcessesToFind(SimulatedPeer peer, const compare::SimulatedConditions& conditions,
                       double alarm_rate, int campaigns);

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_SIMULATED_PEERS_H_
