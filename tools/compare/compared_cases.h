// -----------------------------------------------------------------------------
// File: compared_cases.h
// -----------------------------------------------------------------------------
//
// Finds the cases that the baseline and each candidate have in common, each with the two commands to
// run.
//
// Not for files of records, from which nothing is run (recorded_runs.h).
//
//   absl::StatusOr<ComparedCases> cases = ResolveCases(baseline, {candidate}, settings, root, ...);

#ifndef ASSAY_TOOLS_COMPARE_COMPARED_CASES_H_
#define ASSAY_TOOLS_COMPARE_COMPARED_CASES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/compare/decision/campaign.h"
#include "tools/compare/decision/measured_process.h"
#include "tools/compare/settings.h"
#include "tools/compare/side.h"
#include "tools/processes/program_copies.h"

namespace assay::compare {

// Both sides of one case.
struct ComparedCase {
  std::string name = {};   // of the case; of several candidates, with `way` behind it
  std::string label = {};  // of the case alone
  std::string way = {};    // of several candidates, this one: "--backend=aoti"
  MeasuredCommand baseline = {};
  MeasuredCommand candidate = {};
  std::vector<OperatorUse> uses = {};  // of the candidate's library, where it has one
};

struct ComparedCases {
  std::vector<ComparedCase> cases = {};
  std::string baseline = {};  // for the report: text as typed, tree, commit
  std::vector<std::string> candidates = {};
  std::vector<std::string> ways = {};  // of each candidate; empty texts where there is one
  std::vector<std::string> only_in_baseline = {};  // names, as of cases
  std::vector<std::string> notes = {};             // "only in the candidate: //a:b"
  bool two_cases = true;                           // each candidate is another case, by its name
  // The commands' programs, apart from the trees that built them; those that a user names stay where they are.
  std::vector<std::unique_ptr<processes::ProgramCopies>> copies = {};
};

// With `settings.parts_path` there are no cases, and nothing is built.
// `root` is this tree; empty if the program was not started by `bazel run`. InvalidArgument for
// sides that do not go together, FailedPrecondition or NotFound for what cannot be built or found.
absl::StatusOr<ComparedCases> ResolveCases(const Side& baseline,
                                           const std::vector<Side>& candidates,
                                           const Settings& settings, const std::string& root,
                                           const std::atomic<bool>* interrupted);

// Finds out how each case uses the libraries of its candidate. A case that calls none of their operators is left out, with a
// note. InvalidArgument where no case is left.
absl::Status KeepUsers(ComparedCases& cases, const std::atomic<bool>* interrupted);

// An order for a limit of time: small batches and of these float32 first, since more of them fit, else a drawn
// one; the candidates of one case follow each other.
std::vector<size_t> DrawnOrder(const std::vector<ComparedCase>& cases, uint64_t seed);

// The name of a case of several candidates.
std::string NameOf(const std::string& label, const std::string& way);

// Labels on both sides that match, in the candidate's order; labels on one side only are added to
// `result`.
std::vector<std::string> CommonLabels(const std::vector<std::string>& baseline,
                                      const std::vector<std::string>& candidate,
                                      const std::string& regex, ComparedCases& result);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_COMPARED_CASES_H_
