#include "benchmarks/harness/base/flag_rules.h"

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/flags.h"

namespace assay::base {
namespace {

// `text` is `pattern`, or begins with it where a '*' ends the pattern.
bool FitsPattern(std::string_view pattern, std::string_view text) {
  return absl::ConsumeSuffix(&pattern, "*") ? absl::StartsWith(text, pattern) : text == pattern;
}

std::string WithDashes(std::string_view name) { return absl::StrReplaceAll(name, {{"_", "-"}}); }

// A pattern in its parts.
struct FlagPattern {
  explicit FlagPattern(std::string_view text) {
    const size_t equals = text.find('=');
    has_value = equals != std::string_view::npos;
    name = text.substr(0, equals);
    if (!has_value) return;
    value = text.substr(equals + 1);
    negated = absl::ConsumeSuffix(&name, "!");
  }

  bool FitsValue(std::string_view given) const {
    if (!has_value) return true;
    if (negated) return given != value;
    if (FitsPattern(value, given)) return true;
    const std::vector<std::string_view> words = absl::StrSplit(given, ',');
    return absl::c_any_of(words, [&](std::string_view word) { return FitsPattern(value, word); });
  }

  std::string_view name, value;
  bool has_value = false, negated = false;
};

// The given flag that the pattern means, as a message calls it: "--weights", "--action=smoke".
std::optional<std::string> GivenOf(const std::string& text, const GivenFlags& given) {
  const FlagPattern pattern(text);
  for (const auto& [name, value] : given) {
    if (value == "false" || !FitsPattern(WithDashes(pattern.name), WithDashes(name)) ||
        !pattern.FitsValue(value)) {
      continue;
    }
    const std::string spelt = SpeltFlag(name);
    if (!pattern.has_value || pattern.negated) return spelt;
    return absl::StrCat(spelt, "=", absl::StripSuffix(pattern.value, "*"));
  }
  return std::nullopt;
}

std::optional<std::string> AnyGiven(absl::Span<const std::string> patterns,
                                    const GivenFlags& given) {
  for (const std::string& pattern : patterns) {
    if (std::optional<std::string> found = GivenOf(pattern, given)) return found;
  }
  return std::nullopt;
}

// Says how a flag breaks `rule`; empty: it does not.
std::string BreachOf(const std::string& flag, const FlagRule& rule, const GivenFlags& given) {
  for (const std::string& pattern : rule.excludes) {
    const std::optional<std::string> other = GivenOf(pattern, given);
    if (other && *other != flag) return absl::StrReplaceAll(rule.why, {{"$", *other}});
  }
  if (rule.needs.empty() || AnyGiven(rule.needs, given)) return "";
  return rule.why.empty() ? NeedsText(rule.needs) : rule.why;
}

}  // namespace

absl::Status CheckFlagRules(absl::Span<const FlagRule> rules, const GivenFlags& given) {
  for (const FlagRule& rule : rules) {
    if (AnyGiven(rule.unless, given)) continue;
    for (const std::string& pattern : rule.flags) {
      const std::optional<std::string> flag = GivenOf(pattern, given);
      if (!flag) continue;
      const std::string problem = BreachOf(*flag, rule, given);
      if (!problem.empty()) {
        return absl::InvalidArgumentError(absl::StrCat(*flag, ": ", problem));
      }
    }
  }
  return absl::OkStatus();
}

std::string NeedsText(std::vector<std::string> names) {
  const std::string last = names.back();
  names.pop_back();
  if (names.empty()) return absl::StrCat("it is of --", last, ", which is not given");
  return absl::StrCat("it is of --", absl::StrJoin(names, ", --"), " or --", last,
                      ", none of which is given");
}

void NoteGiven(const std::string& name, absl::Span<const std::string> words, GivenFlags& given) {
  const std::string_view word = words[0];
  const size_t equals = word.find('=');
  std::string value = equals != std::string_view::npos ? std::string(word.substr(equals + 1))
                      : words.size() > 1               ? words[1]
                                                       : "true";
  const std::string_view typed = absl::StripPrefix(absl::StripPrefix(word, "--"), "-");
  if (equals == std::string_view::npos && words.size() == 1 &&
      WithDashes(typed) == WithDashes("no" + name)) {
    value = "false";
  }
  given[name] = std::move(value);
}

}  // namespace assay::base
