#include "tools/suite/program/compare_words.h"

#include <map>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/text/shell_text.h"

namespace assay::suite {
namespace {

std::string WayOf(const PlannedRun& configuration) {
  return absl::StrJoin(configuration.flags, " ", [](std::string* out, const std::string& flag) {
    out->append(base::ShellWord(flag));
  });
}

// A side of the comparison: "." and its options.
std::string Side(const ComparedWay& way) {
  std::string side = ".";
  if (!way.libtorch.empty()) absl::StrAppend(&side, " --libtorch=", way.libtorch);
  if (!way.flags.empty()) absl::StrAppend(&side, " ", way.flags);
  return side;
}

}  // namespace

absl::StatusOr<Comparison> CompareWords(const Plan& plan,
                                        const std::vector<std::string>& libtorches,
                                        const std::vector<std::string>& kernels) {
  std::vector<std::string> ways;         // in the plan's order
  std::vector<const PlannedRun*> cases;  // the first configuration of each
  std::map<std::string, std::set<std::string>> ways_of;
  for (const PlannedRun& c : plan.configurations) {
    if (!c.skip_reason.empty()) continue;
    const std::string way = WayOf(c);
    if (!absl::c_linear_search(ways, way)) ways.push_back(way);
    if (ways_of[c.label].empty()) cases.push_back(&c);
    ways_of[c.label].insert(way);
  }
  const bool versions = libtorches.size() == 2;
  if (!kernels.empty() && (versions || ways.size() != 1))
    return absl::InvalidArgumentError(
        "--candidate: the only difference is the kernel; give each flag one value");
  if (kernels.empty() && (versions ? ways.size() != 1 : ways.size() < 2)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--compare holds ways to call a case against each other, and here there ",
        versions ? absl::StrCat("are two versions of LibTorch and ", ways.size(), " sets of flags")
                 : absl::StrCat(ways.size() == 1 ? "is " : "are ", ways.size()),
        "; give one flag several values, such as --memory-format=contiguous ",
        "--memory-format=channels_last, or --libtorch twice"));
  }
  Comparison comparison;
  std::vector<std::string> labels;
  for (const PlannedRun* c : cases) {
    if (ways_of[c->label].size() == ways.size()) {
      // The label as a part of a regular expression.
      labels.push_back(absl::StrReplaceAll(c->label, {{".", "\\."}, {"+", "\\+"}}));
      comparison.cases.push_back(c);
    } else {
      comparison.left_out.push_back(c->case_name);
    }
  }
  if (labels.empty())
    return absl::InvalidArgumentError("--compare: no case can be called in every way");
  const std::string own = libtorches.size() == 1 ? libtorches[0] : "";
  for (const std::string& way : ways)
    comparison.ways.push_back({.libtorch = versions ? libtorches[0] : own, .flags = way});
  if (versions) comparison.ways.push_back({.libtorch = libtorches[1], .flags = ways[0]});
  for (const std::string& kernel : kernels)
    comparison.ways.push_back(
        {.libtorch = own, .flags = absl::StrCat(kernel, ways[0].empty() ? "" : " ", ways[0])});
  for (const ComparedWay& way : comparison.ways) {
    comparison.words.push_back(
        absl::StrCat(comparison.words.empty() ? "--baseline=" : "--candidate=", Side(way)));
  }
  comparison.words.push_back(absl::StrCat("--cases=^(", absl::StrJoin(labels, "|"), ")$"));
  return comparison;
}

}  // namespace assay::suite
