// -----------------------------------------------------------------------------
// File: compare_words.h
// -----------------------------------------------------------------------------
//
// --compare: turns a plan with two ways to call each case into the command line of //tools:compare,
// which measures them in turns. The first way is the baseline.
//
//   absl::StatusOr<std::vector<std::string>> words = CompareWords(plan, /*libtorches=*/{});
//   // {"--baseline=.", "--candidate=. --memory-format=channels_last", "--cases=^(//a:b|//a:c)$"}

#ifndef ASSAY_TOOLS_SUITE_PROGRAM_COMPARE_WORDS_H_
#define ASSAY_TOOLS_SUITE_PROGRAM_COMPARE_WORDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/suite/plan/plan.h"

namespace assay::suite {

// Two ways are two sets of flags, or one set and two versions of LibTorch. Cases that the plan has
// in one way only are not compared. InvalidArgument for another number of ways, and if no case has
// both.
absl::StatusOr<std::vector<std::string>> CompareWords(const Plan& plan,
                                                      const std::vector<std::string>& libtorches);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PROGRAM_COMPARE_WORDS_H_
