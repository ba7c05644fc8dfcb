// -----------------------------------------------------------------------------
// File: parts.h
// -----------------------------------------------------------------------------
//
// Comparisons that other machines made, as one: a line of JSON for each case of the baseline, which
// one machine compared with all candidates.
//
//   {"label": "//a:b", "node": "n1", "attempt": 1, "job": "7_0", "comparison": REPORT}
//   {"label": "//a:c", "missing": "Slurm: NODE_FAIL on n2"}
//
// REPORT is what report.h's JsonReport() wrote there. Its pairs and failures count; estimates,
// q-values and verdicts are computed here, over all cases, as where one machine compares them all.
// The machines looked, and stopped, each by its own cases.
//
//   absl::StatusOr<Parts> parts = ReadParts("out/comparison.jsonl", settings, {"--threads=1"});

#ifndef ASSAY_TOOLS_COMPARE_PARTS_H_
#define ASSAY_TOOLS_COMPARE_PARTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/compare/decision/campaign.h"
#include "tools/compare/settings.h"

namespace assay::compare {

struct Parts {
  CampaignResult result = {};
  double elapsed_s = 0;  // of all machines together
};

// `ways` has one text for each candidate (ComparedCases). InvalidArgument, with the line, for what
// is none, or was not made with these settings; NotFound for a file that there is not.
absl::StatusOr<Parts> ReadParts(const std::string& path, const Settings& settings,
                                const std::vector<std::string>& ways);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_PARTS_H_
