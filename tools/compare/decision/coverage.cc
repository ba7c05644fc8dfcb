#include "tools/compare/decision/coverage.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace assay::compare {

void Coverage::Add(Outcome outcome, const std::vector<ModeMedian>& medians) {
  ++runs_;
  ++outcomes_[outcome];
  for (const ModeMedian& median : medians) ++modes_[median.mode];
}

int Coverage::Of(Outcome outcome) const {
  const auto found = outcomes_.find(outcome);
  return found == outcomes_.end() ? 0 : found->second;
}

std::vector<std::string> Coverage::ModesOf(int runs) const {
  std::vector<std::string> modes;
  for (const auto& [mode, count] : modes_) {
    if (count >= runs) modes.push_back(mode);
  }
  return modes;
}

std::vector<std::string> LossesOf(const Coverage& baseline, const Coverage& candidate) {
  if (baseline.Of(SKIPPED_DECLARED) == baseline.runs()) return {};  // also if it has no run
  if (candidate.runs() == 0) return {"the candidate has no run of it"};
  if (candidate.Of(SKIPPED_DECLARED) > 0) {
    return {absl::StrCat("skipped in ", candidate.Of(SKIPPED_DECLARED), " of ", candidate.runs(),
                         " runs of the candidate")};
  }
  std::vector<std::string> losses;
  const int a = baseline.Of(NOT_VERIFIED), b = candidate.Of(NOT_VERIFIED);
  const bool never = a == baseline.runs() && b == candidate.runs();
  if (a + b > 0 && !never) {
    losses.push_back(absl::StrCat("not verified in ", a, " of ", baseline.runs(),
                                  " runs of the baseline and ", b, " of ", candidate.runs(),
                                  " of the candidate"));
  }
  const std::vector<std::string> left = candidate.ModesOf(candidate.runs());
  for (const std::string& mode : baseline.ModesOf(1)) {
    if (IsTail(mode) || std::find(left.begin(), left.end(), mode) != left.end()) continue;
    losses.push_back(absl::StrCat("mode ", mode, " is not in every run of the candidate"));
  }
  return losses;
}

}  // namespace assay::compare
