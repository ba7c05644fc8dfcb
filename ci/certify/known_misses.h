// -----------------------------------------------------------------------------
// File: known_misses.h
// -----------------------------------------------------------------------------
//
// Goals that are known to be missed, each with its reason and with a bound: a goal that is missed
// by more than what was known fails again.
//
// Not for goals that a busy machine misses: those are missed, and are met on a quiet one.
//
//   absl::StatusOr<KnownMissTable> known = ReadKnownMisses("known_misses.textproto", AllGoals());
//   MarkKnownMisses(*known, goals);

#ifndef ASSAY_CI_CERTIFY_KNOWN_MISSES_H_
#define ASSAY_CI_CERTIFY_KNOWN_MISSES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/certify/goal.h"
#include "ci/certify/known_misses.pb.h"

namespace assay::certify {

struct KnownMissTable {
  KnownMisses rows;
  std::vector<std::string> places;  // of each row, "FILE:LINE"
};

// InvalidArgument, with FILE:LINE, for a file that is no text of KnownMisses, a row that leaves a
// field out, and a goal that is none of `ids`. Also what ReadFile() says where it cannot be read.
absl::StatusOr<KnownMissTable> ReadKnownMisses(const std::string& path,
                                               const std::vector<std::string>& ids);

// Gives the goals that are missed, listed and no further off than `worst` their reason. The detail
// of a listed goal that is further off, or met, says so. A row of a goal that was run and that fits
// none of its texts is stale, and becomes one more goal, which is missed.
void MarkKnownMisses(const KnownMissTable& known, std::vector<Goal>& goals);

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_KNOWN_MISSES_H_
