#include "benchmarks/harness/execution/checkpoint_misfit.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/strange_text.h"

namespace assay::execution {
namespace {

using base::Quoted;

constexpr size_t kMostNames = 20;

// "  missing     2: "a", "b"\n"; empty for no items.
std::string Line(std::string_view head, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  const size_t shown = std::min(items.size(), kMostNames);
  std::string line = absl::StrFormat("  %-11s %d: %s", head, items.size(),
                                     absl::StrJoin(items.begin(), items.begin() + shown, ", "));
  if (shown < items.size()) absl::StrAppend(&line, ", … and ", items.size() - shown, " more");
  return line + "\n";
}

std::vector<std::string> Names(const std::set<std::string>& names) {
  std::vector<std::string> items;
  for (const std::string& name : names) items.push_back(Quoted(name));
  return items;
}

std::vector<std::string> Sentences(const std::map<std::string, std::string>& problems) {
  std::vector<std::string> items;
  for (const auto& [name, how] : problems) items.push_back(absl::StrCat(Quoted(name), " ", how));
  return items;
}

struct Prefix {
  std::string text;  // ends with '.'
  size_t names = 0;
};

// The prefix that turns most of `shorter` into one of `longer`.
Prefix CommonPrefix(const std::set<std::string>& longer, const std::set<std::string>& shorter) {
  std::map<std::string, size_t> votes;
  for (const std::string& name : longer) {
    for (size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
      if (shorter.contains(name.substr(dot + 1))) ++votes[name.substr(0, dot + 1)];
    }
  }
  Prefix best;
  for (const auto& [text, names] : votes) {
    if (names > best.names) best = {text, names};
  }
  return best;
}

// A guess for a person, never acted upon: a wrong one would load wrong weights silently.
std::string Hint(const Misfit& misfit) {
  const Prefix added = CommonPrefix(misfit.unexpected, misfit.missing);
  const Prefix dropped = CommonPrefix(misfit.missing, misfit.unexpected);
  const Prefix& best = added.names >= dropped.names ? added : dropped;
  if (best.names == 0 || 2 * best.names < misfit.missing.size()) return "";
  return absl::StrFormat(
      "  %-11s %d of the missing names are in the file %s %s in front; rename them in the file "
      "(nothing is renamed here)\n",
      "hint", best.names, &best == &added ? "with" : "without", Quoted(best.text));
}

}  // namespace

std::string Misfit::Text() const {
  std::string text =
      absl::StrCat(Line("missing", Names(missing)), Line("unexpected", Names(unexpected)),
                   Line("mis-shaped", Sentences(misshaped)), Line("mis-typed", Sentences(mistyped)),
                   Hint(*this));
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace assay::execution
