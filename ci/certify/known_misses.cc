#include "ci/certify/known_misses.h"

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/suite/plan/data_text.h"

namespace assay::certify {
namespace {

// Empty, or what is wrong with a row.
std::string Complaint(const KnownMiss& row, const std::vector<std::string>& ids) {
  if (!absl::c_linear_search(ids, row.goal())) {
    return absl::StrCat("there is no goal \"", row.goal(), "\"; one of ", absl::StrJoin(ids, ", "));
  }
  if (row.what().empty()) return "a known miss needs `what`, with which the goal's text begins";
  if (!(row.worst() > 0)) return "a known miss needs `worst`, the furthest figure that is known";
  if (row.reason().empty()) return "a known miss needs a reason";
  return "";
}

void AddToDetail(Goal& goal, const std::string& text) {
  absl::StrAppend(&goal.detail, goal.detail.empty() ? "" : "; ", text);
}

void Mark(const KnownMiss& row, const std::string& place, Goal& goal) {
  const GoalState state = StateOf(goal);
  if (state == GoalState::kMet)
    AddToDetail(goal, absl::StrCat("met now: take its row out, ", place));
  if (state != GoalState::kMissed) return;
  Goal at_worst = goal;
  at_worst.wanted = row.worst();
  if (StateOf(at_worst) == GoalState::kMet) {
    goal.known_miss = row.reason();
  } else {
    AddToDetail(goal, absl::StrCat("known to be missed as far as ", row.worst(), " only, ", place));
  }
}

}  // namespace

absl::StatusOr<KnownMissTable> ReadKnownMisses(const std::string& path,
                                               const std::vector<std::string>& ids) {
  KnownMissTable known;
  suite::DataLines lines;
  const absl::Status read = suite::ReadDataFile(path, "misses", known.rows, lines);
  if (!read.ok()) return read;
  for (int i = 0; i < known.rows.misses_size(); ++i) {
    known.places.push_back(absl::StrCat(path, ":", lines.lines.at(i)));
    const std::string complaint = Complaint(known.rows.misses(i), ids);
    if (!complaint.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(known.places.back(), ": ", complaint));
    }
  }
  return known;
}

void MarkKnownMisses(const KnownMissTable& known, std::vector<Goal>& goals) {
  std::vector<Goal> stale;
  for (int i = 0; i < known.rows.misses_size(); ++i) {
    const KnownMiss& row = known.rows.misses(i);
    bool run = false, fits = false;
    for (Goal& goal : goals) {
      if (goal.id != row.goal()) continue;
      run = true;
      if (!absl::StartsWith(goal.what, row.what())) continue;
      fits = true;
      Mark(row, known.places[i], goal);
    }
    if (!run || fits) continue;
    stale.push_back(
        {.id = row.goal(),
         .what = absl::StrCat("rows of known misses that fit no goal: \"", row.what(), "\""),
         .measured = 1,
         .wanted = 0,
         .detail =
             absl::StrCat(known.places[i], ": write how the goal's text begins, or take it out")});
  }
  goals.insert(goals.end(), stale.begin(), stale.end());
}

}  // namespace assay::certify
