#include "benchmarks/harness/checkpoints/checkpoint_misfit.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/few_names.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::checkpoints {
namespace {

using base::Quoted;

constexpr size_t kMostNames = 20;

// "  missing     2: "a", "b"\n"; empty for no items.
std::string Line(std::string_view head, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  return absl::StrFormat("  %-11s %d: %s\n", head, items.size(), base::FewNames(items, kMostNames));
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

// Guesses the module around what the file holds: a prefix that the file's names lack.
std::string LackingPrefix(const Misfit& misfit) {
  std::map<std::string, size_t> votes;
  for (const std::string& name : misfit.missing) {
    for (size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
      if (misfit.unexpected.contains(name.substr(dot + 1))) ++votes[name.substr(0, dot + 1)];
    }
  }
  const auto best = std::max_element(votes.begin(), votes.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  if (best == votes.end() || 2 * best->second < misfit.missing.size()) return "";
  return absl::StrCat(best->second, " of the missing names are in the file without ",
                      Quoted(best->first),
                      " in front; rename them in the file (nothing is put in front here)");
}

std::string Line(std::string_view head, const std::string& text) {
  return text.empty() ? "" : absl::StrFormat("  %-11s %s\n", head, text);
}

}  // namespace

std::string Misfit::Text() const {
  std::string text = absl::StrCat(
      Line("missing", Names(missing)), Line("unexpected", Names(unexpected)),
      Line("twice", Sentences(doubled)), Line("mis-shaped", Sentences(misshaped)),
      Line("mis-typed", Sentences(mistyped)),
      Line("hint", hint.empty() ? LackingPrefix(*this) : hint), Line("looks like", looks_like));
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace assay::checkpoints
