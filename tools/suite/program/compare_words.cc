#include "tools/suite/program/compare_words.h"

#include <map>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/base/shell_text.h"

namespace assay::suite {
namespace {

std::string WayOf(const PlannedRun& configuration) {
  return absl::StrJoin(configuration.flags, " ", [](std::string* out, const std::string& flag) {
    out->append(base::ShellWord(flag));
  });
}

// A side of the comparison: "." and its options.
std::string Side(const std::string& libtorch, const std::string& way) {
  std::string side = ".";
  if (!libtorch.empty()) absl::StrAppend(&side, " --libtorch=", libtorch);
  if (!way.empty()) absl::StrAppend(&side, " ", way);
  return side;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> CompareWords(const Plan& plan,
                                                      const std::vector<std::string>& libtorches) {
  std::vector<std::string> ways, labels;  // in the plan's order
  std::map<std::string, std::set<std::string>> ways_of;
  for (const PlannedRun& c : plan.configurations) {
    if (!c.skip_reason.empty()) continue;
    const std::string way = WayOf(c);
    if (!absl::c_linear_search(ways, way)) ways.push_back(way);
    if (ways_of[c.label].empty()) labels.push_back(c.label);
    ways_of[c.label].insert(way);
  }
  const size_t wanted = libtorches.size() == 2 ? 1 : 2;
  if (ways.size() != wanted) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--compare holds two ways to call a case against each other, and here there are ",
        ways.size() * (libtorches.size() == 2 ? 2 : 1), "; give one flag two values, such as ",
        "--memory-format=contiguous --memory-format=channels_last, or --libtorch twice"));
  }
  std::vector<std::string> both;
  for (const std::string& label : labels) {
    // The label as a part of a regular expression.
    if (ways_of[label].size() == wanted)
      both.push_back(absl::StrReplaceAll(label, {{".", "\\."}, {"+", "\\+"}}));
  }
  if (both.empty())
    return absl::InvalidArgumentError("--compare: no case can be called in both ways");
  const std::string own = libtorches.size() == 1 ? libtorches[0] : "";
  const bool versions = libtorches.size() == 2;
  return std::vector<std::string>{
      absl::StrCat("--baseline=", Side(versions ? libtorches[0] : own, ways[0])),
      absl::StrCat("--candidate=", Side(versions ? libtorches[1] : own, ways[versions ? 0 : 1])),
      absl::StrCat("--cases=^(", absl::StrJoin(both, "|"), ")$")};
}

}  // namespace assay::suite
