#include "tools/suite/secrets/flag_arguments.h"

#include <algorithm>
#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tools/suite/secrets/secret_place.h"

namespace assay::suite {
namespace {

struct Arguments {
  std::string following;           // a word that must follow the program; empty: any
  std::vector<std::string> flags;  // "-p", "--user"
  std::string place;               // "apart", "attached", "either"
};

const std::map<std::string, Arguments>& Programs() {
  static const auto* const programs = [] {
    auto* const made = new std::map<std::string, Arguments>;
    const auto add = [&](std::string_view names, std::string_view flags, std::string_view place) {
      Arguments arguments;
      arguments.place = place;
      for (const std::string_view flag : absl::StrSplit(flags, ' ')) {
        if (flag[0] == '-' || flag[0] == '/')
          arguments.flags.emplace_back(flag);
        else
          arguments.following = flag;
      }
      for (const std::string_view name : absl::StrSplit(names, ' '))
        (*made)[std::string(name)] = arguments;
    };
#define SECRET_SHAPE(clue, pattern)
#define SECRET_PHRASE(clue, pattern)
#define NO_SECRET(pattern)
#define SECRET_ARGUMENT(programs, flags, place) add(programs, flags, place);
#include "artifacts/fetch/secret_forms.inc"
#undef SECRET_SHAPE
#undef SECRET_PHRASE
#undef NO_SECRET
#undef SECRET_ARGUMENT
    return made;
  }();
  return *programs;
}

constexpr size_t kOtherWord = std::string::npos;

// The place in a word at which the value of a flag begins; the word's length: it is the next word.
size_t PlaceIn(std::string_view word, std::string_view flag, std::string_view place) {
  if (word == flag) return place == "attached" ? kOtherWord : word.size();
  if (absl::StartsWith(word, flag)) {
    if (absl::StartsWith(flag, "--"))
      return word[flag.size()] == '=' ? flag.size() + 1 : kOtherWord;
    return place == "apart" ? kOtherWord : flag.size();
  }
  // curl -sSu me:abc
  const bool several =
      flag.size() == 2 && word.size() >= 3 && word.size() <= 6 && word[0] == '-' &&
      word.back() == flag[1] &&
      absl::c_all_of(word.substr(1), [](char c) { return absl::ascii_isalpha(c); });
  return several && place != "attached" ? word.size() : kOtherWord;
}

std::string LineWithoutArguments(const std::string& line) {
  constexpr std::string_view kBefore = "[({\"'`$", kBehind = "\"',;)]}`";
  std::vector<size_t> begins, stripped;
  std::vector<std::string> words;
  for (size_t at = 0; (at = line.find_first_not_of(kSpace, at)) != std::string::npos;) {
    const size_t end = EndOf(line, kSpace, at);
    const size_t begin = std::min(line.find_first_not_of(kBefore, at), end);
    const std::string word = line.substr(begin, end - begin);
    const size_t last = word.find_last_not_of(kBehind);
    words.push_back(last == std::string::npos ? word : word.substr(0, last + 1));
    begins.push_back(at);
    stripped.push_back(begin);
    at = end;
  }
  std::vector<SecretPlace> places;
  for (const ValueOfFlag& value : ValuesOfFlags(words)) {
    const size_t begin = value.at == 0 ? begins[value.word] : stripped[value.word] + value.at;
    const size_t end = EndOfValue(line, begin);
    if (end > begin && (places.empty() || places.back().end <= begin))
      places.push_back({begin, end});
  }
  return places.empty() ? line : Hide(line, places);
}

}  // namespace

std::vector<ValueOfFlag> ValuesOfFlags(const std::vector<std::string>& words) {
  std::vector<ValueOfFlag> values;
  const Arguments* arguments = nullptr;
  bool expected = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto program = Programs().find(word.substr(word.find_last_of("/=") + 1));
    if (expected) {
      values.push_back({.word = i, .at = 0});
      expected = false;
    } else if (program != Programs().end()) {
      arguments = &program->second;
      const std::string& following = arguments->following;
      if (!following.empty() && (i + 1 == words.size() || words[i + 1] != following))
        arguments = nullptr;
    } else if (word == "|" || word == "||" || word == "&" || word == "&&" || word == ";") {
      arguments = nullptr;
    } else if (arguments != nullptr) {
      size_t at = kOtherWord;
      for (const std::string& flag : arguments->flags) {
        const size_t found = PlaceIn(word, flag, arguments->place);
        if (found != kOtherWord) at = at == kOtherWord ? found : std::max(at, found);
      }
      expected = at == word.size();
      if (at < word.size()) values.push_back({.word = i, .at = at});
    }
  }
  return values;
}

std::string WithoutArguments(std::string_view text) {
  std::string cleaned;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(EndOf(text, kLineEnd, at) + 1, text.size());
    absl::StrAppend(&cleaned, LineWithoutArguments(std::string(text.substr(at, end - at))));
    at = end;
  }
  return cleaned;
}

}  // namespace assay::suite
