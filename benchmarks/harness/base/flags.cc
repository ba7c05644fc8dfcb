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

absl::Status UnknownFlag(const FlagTable& flags, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [other, flag] : flags) {
    if (flag.listed && !other.empty()) names.push_back(absl::StrCat("--", other));
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown flag --", name, "; there are ",
                                                 absl::StrJoin(names, " "),
                                                 ". --help explains them"));
}

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

// Sets the flag at words[0]; returns how many words that used.
absl::Status SetFlag(const FlagTable& flags, absl::Span<const std::string> words,
                     const std::string& stray_advice, std::string& name, size_t& used) {
  const std::optional<SplitWord> word = Split(words[0]);
  if (!word.has_value()) {
    const auto stray = flags.find("");
    used = 1;
    if (stray != flags.end()) return stray->second.set(words[0]);
    return absl::InvalidArgumentError(absl::StrCat("'", words[0], "' is no flag; ", stray_advice));
  }
  bool turned_off = false;
  const auto found = Find(flags, *word, turned_off);
  if (found == flags.end()) return UnknownFlag(flags, word->name);
  const Flag& flag = found->second;
  name = found->first;
  used = 1;
  std::string value = turned_off ? "false" : "true";
  if (word->value.has_value()) {
    value = *word->value;
  } else if (!flag.is_switch) {
    if (words.size() < 2) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", name, " needs a value", flag.help.empty() ? "" : ": ", flag.help));
    }
    value = words[1];
    used = 2;
  }
  const absl::Status set = flag.set(value);
  if (set.ok()) return set;
  return absl::InvalidArgumentError(absl::StrCat("--", name, "=", value, ": ", set.message()));
}

}  // namespace

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
  for (size_t i = 0; i < words.size();) {
    std::string name;
    size_t used = 0;
    const absl::Status set = SetFlag(flags, words.subspan(i), stray_advice, name, used);
    if (!set.ok()) return set;
    seen(name, words.subspan(i, used));
    i += used;
  }
  return absl::OkStatus();
}

}  // namespace assay::base
