#include "benchmarks/harness/base/flags.h"

#include <cstddef>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/text/nearest_names.h"

namespace assay::base {
namespace {

struct SplitWord {
  std::string name;  // with '_' where the user typed '-'
  std::optional<std::string> value;
};

// nullopt for a word that is no flag.
std::optional<SplitWord> Split(std::string_view word) {
  if (!absl::ConsumePrefix(&word, "--") && !absl::ConsumePrefix(&word, "-")) return std::nullopt;
  if (word.empty()) return std::nullopt;
  const size_t equals = word.find('=');
  SplitWord split{.name = absl::StrReplaceAll(word.substr(0, equals), {{"-", "_"}}), .value = {}};
  if (equals != std::string_view::npos) split.value = std::string(word.substr(equals + 1));
  return split;
}

// The one of `names` that was likely meant; empty: none.
std::string MeantFlag(const std::string& name, absl::Span<const std::string> names) {
  std::string meant = LikelyMeant(name, names);
  for (const std::string& other : names) {  // repetitions, of benchmark_repetitions
    if (meant.empty() && absl::EndsWith(other, "_" + name)) meant = other;
  }
  return meant;
}

// The word that has a program explain all its flags.
std::string HelpWord(const FlagTable& flags) {
  const auto help = flags.find("help");
  return help == flags.end() || help->second.all.empty() ? "--help" : "--help=" + help->second.all;
}

// Unknown flags with what was likely meant, or else with the flags that there are.
std::string UnknownFlags(const FlagTable& flags, absl::Span<const std::string> unknown) {
  std::vector<std::string> all, listed;
  for (const auto& [name, flag] : flags) {
    if (name.empty()) continue;
    all.push_back(name);
    if (flag.listed) listed.push_back(SpeltFlag(name));
  }
  std::string text;
  bool all_are_guessed = true;
  for (const std::string& name : unknown) {
    const std::string meant = MeantFlag(name, all);
    all_are_guessed &= !meant.empty();
    absl::StrAppend(&text, text.empty() ? "" : "\n", "unknown flag ", SpeltFlag(name),
                    meant.empty() ? "" : absl::StrCat("; did you mean ", SpeltFlag(meant), "?"));
  }
  constexpr size_t kFew = 30;  // a person looks through so many
  if (all_are_guessed || listed.size() > kFew) {
    return absl::StrCat(text, absl::EndsWith(text, "?") ? "" : ".", " ", HelpWord(flags),
                        " lists the ", listed.size(), " flags");
  }
  return absl::StrCat(text, absl::EndsWith(text, "?") ? " There are " : "; there are ",
                      absl::StrJoin(listed, " "), ". ", HelpWord(flags), " explains them");
}

bool IsFlag(std::string_view word) { return Split(word).has_value(); }

// The flag named `name`, or the switch that it turns off.
FlagTable::const_iterator Find(const FlagTable& flags, const SplitWord& word, bool& turned_off) {
  const auto found = flags.find(word.name);
  if (found != flags.end() || word.value.has_value()) return found;
  std::string_view name = word.name;
  if (!absl::ConsumePrefix(&name, "no")) return found;
  const auto opposite = flags.find(std::string(name));
  if (opposite == flags.end() || !opposite->second.is_switch) return found;
  turned_off = true;
  return opposite;
}

// "-n10" as "n" and "10", if there is a flag -n with a value and none of the whole name.
std::optional<SplitWord> Attached(const FlagTable& flags, std::string_view word) {
  if (word.size() < 3 || word[1] == '-') return std::nullopt;
  const auto found = flags.find(std::string(word.substr(1, 1)));
  if (found == flags.end() || found->second.is_switch) return std::nullopt;
  return SplitWord{.name = found->first, .value = std::string(word.substr(2))};
}

// The use of one flag: its name and how many words it took.
struct FlagUse {
  std::string name = {};
  bool is_unknown = false;
  size_t words = 1;
};

// Sets the flag at words[0].
absl::Status SetFlag(const FlagTable& flags, absl::Span<const std::string> words,
                     const std::string& stray_advice, FlagUse& use) {
  std::optional<SplitWord> word = Split(words[0]);
  if (!word.has_value()) {
    const auto stray = flags.find("");
    if (stray != flags.end()) return stray->second.set(words[0]);
    return absl::InvalidArgumentError(absl::StrCat("'", words[0], "' is no flag; ", stray_advice));
  }
  bool turned_off = false;
  auto found = Find(flags, *word, turned_off);
  if (found == flags.end()) {
    if (const std::optional<SplitWord> attached = Attached(flags, words[0])) {
      word = attached;
      found = flags.find(word->name);
    }
  }
  if (found == flags.end()) {
    use.name = word->name;
    use.is_unknown = true;
    // The next word may be its value.
    const bool alone = word->value || words.size() < 2 || IsFlag(words[1]) || flags.count("") > 0;
    use.words = alone ? 1 : 2;
    return absl::OkStatus();
  }
  const Flag& flag = found->second;
  use.name = found->first;
  std::string value = turned_off ? "false" : "true";
  if (word->value.has_value()) {
    value = *word->value;
    // Where --help explains all flags, --help=all is the same.
    if (use.name == "help" && flag.is_switch && flag.all.empty() && value == "all") value = "true";
  } else if (!flag.is_switch) {
    if (flag.alone != nullptr && (words.size() < 2 || IsFlag(words[1]))) {
      const absl::Status set = flag.alone();
      return set.ok() ? set
                      : absl::InvalidArgumentError(
                            absl::StrCat(SpeltFlag(use.name), ": ", set.message()));
    }
    if (words.size() < 2) {
      return absl::InvalidArgumentError(absl::StrCat(SpeltFlag(use.name), " needs a value",
                                                     flag.help.empty() ? "" : ": ", flag.help));
    }
    value = words[1];
    use.words = 2;
  }
  const absl::Status set = flag.set(value);
  if (set.ok()) return set;
  const bool has_value = word->value.has_value() || !flag.is_switch;
  return absl::InvalidArgumentError(
      absl::StrCat(SpeltFlag(use.name), has_value ? "=" + value : "", ": ", set.message()));
}

}  // namespace

std::string SpeltFlag(const std::string& name) {
  if (absl::StartsWith(name, "benchmark_")) return "--" + name;
  return "--" + absl::StrReplaceAll(name, {{"_", "-"}});
}

Flag TextFlag(std::string& target) {
  return {.set = [&target](const std::string& value) {
    target = value;
    return absl::OkStatus();
  }};
}

Flag SwitchFlag(bool& target) {
  return {.set =
              [&target](const std::string& value) {
                if (value != "true" && value != "false") {
                  return absl::InvalidArgumentError("true or false");
                }
                target = value == "true";
                return absl::OkStatus();
              },
          .is_switch = true};
}

Flag WholeNumberFlag(int& target, int low, int high) {
  return {.set = [&target, low, high](const std::string& value) {
    int number = 0;
    if (!absl::SimpleAtoi(value, &number) || number < low || number > high) {
      return absl::InvalidArgumentError(absl::StrCat("a whole number from ", low, " to ", high));
    }
    target = number;
    return absl::OkStatus();
  }};
}

Flag ChoiceFlag(std::string& target, std::vector<std::string> choices) {
  return {.set = [&target, choices = std::move(choices)](const std::string& value) {
    if (!absl::c_linear_search(choices, value)) {
      return absl::InvalidArgumentError(absl::StrCat("one of ", absl::StrJoin(choices, ", ")));
    }
    target = value;
    return absl::OkStatus();
  }};
}

Flag RegexFlag(std::string& target) {
  return {.set = [&target](const std::string& value) {
    try {
      static_cast<void>(std::regex(value));
    } catch (const std::regex_error& error) {
      return absl::InvalidArgumentError(absl::StrCat("no regular expression: ", error.what()));
    }
    target = value;
    return absl::OkStatus();
  }};
}

absl::Status ParseFlags(
    const FlagTable& flags, absl::Span<const std::string> words, const std::string& stray_advice,
    absl::FunctionRef<void(const std::string& name, absl::Span<const std::string> words)> seen) {
  std::vector<std::string> problems, unknown;
  for (size_t i = 0; i < words.size();) {
    FlagUse use;
    const absl::Status set = SetFlag(flags, words.subspan(i), stray_advice, use);
    if (use.is_unknown) {
      unknown.push_back(use.name);
    } else if (!set.ok()) {
      problems.emplace_back(set.message());
    } else {
      seen(use.name, words.subspan(i, use.words));
    }
    i += use.words;
  }
  if (!unknown.empty()) problems.push_back(UnknownFlags(flags, unknown));
  if (problems.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(problems, "\n"));
}

}  // namespace assay::base
