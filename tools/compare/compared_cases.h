// -----------------------------------------------------------------------------
// File: compared_cases.h
// -----------------------------------------------------------------------------
//
// From two sides to the cases that both have, each with the two commands to run.
//
// Not for files of records: nothing of them is run (recorded_runs.h).
//
//   absl::StatusOr<ComparedCases> cases = ResolveCases(baseline, candidate, settings, root, ...);

#ifndef ASSAY_TOOLS_COMPARE_COMPARED_CASES_H_
#define ASSAY_TOOLS_COMPARE_COMPARED_CASES_H_

#include <atomic>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/compare/measured_process.h"
#include "tools/compare/settings.h"
#include "tools/compare/side.h"

namespace assay::compare {

// Both sides of one case.
struct ComparedCase {
  std::string name = {};
  MeasuredCommand baseline = {};
  MeasuredCommand candidate = {};
};

struct ComparedCases {
  std::vector<ComparedCase> cases = {};
  std::string baseline = {};  // what it was: text as typed, tree, commit
  std::string candidate = {};
  std::vector<std::string> only_in_baseline = {};  // labels
  std::vector<std::string> notes = {};             // "only in the candidate: //a:b"
};

// `root` is this tree; empty where the program was not started by `bazel run`. InvalidArgument for
// sides that do not go together, FailedPrecondition or NotFound for what cannot be built or found.
absl::StatusOr<ComparedCases> ResolveCases(const Side& baseline, const Side& candidate,
                                           const Settings& settings, const std::string& root,
                                           const std::atomic<bool>* interrupted);

// Labels on both sides that match, in the candidate's order; those on one side only go to `result`.
std::vector<std::string> CommonLabels(const std::vector<std::string>& baseline,
                                      const std::vector<std::string>& candidate,
                                      const std::string& regex, ComparedCases& result);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_COMPARED_CASES_H_
