// -----------------------------------------------------------------------------
// File: compare_words.h
// -----------------------------------------------------------------------------
//
// --compare: turns a plan with several ways to call each case into the command line of //tools:compare,
// which measures them in turns. The first way is the baseline, of each of the others.
//
//   absl::StatusOr<Comparison> comparison = CompareWords(plan, /*libtorches=*/{});
//   // words: {"--baseline=.", "--candidate=. --memory-format=channels_last", "--cases=^(//a:b|//a:c)$"}

#ifndef ASSAY_TOOLS_SUITE_PROGRAM_COMPARE_WORDS_H_
#define ASSAY_TOOLS_SUITE_PROGRAM_COMPARE_WORDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/suite/cluster/run_on_cluster.h"
#include "tools/suite/plan/plan.h"

namespace assay::suite {

struct Comparison {
  std::vector<std::string> words;
  std::vector<ComparedWay> ways;         // the baseline first
  std::vector<const PlannedRun*> cases;  // of the plan, in the first way
  std::vector<std::string> left_out;     // names of cases that the plan does not have in every way
};

// Ways are sets of flags, or one set and two versions of LibTorch, or one set without and with each of the user's
// kernels: words of a side of tools:compare, such as "--load-library=mine.so". Only cases that the plan has in
// every way are compared, so that all figures are of the same ones. InvalidArgument for fewer than
// two ways, and if no case has all.
absl::StatusOr<Comparison> CompareWords(const Plan& plan,
                                        const std::vector<std::string>& libtorches,
                                        const std::vector<std::string>& kernels = {});

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PROGRAM_COMPARE_WORDS_H_
