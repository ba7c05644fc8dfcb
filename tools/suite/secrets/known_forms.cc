#include "tools/suite/secrets/known_forms.h"

#include <regex.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "tools/suite/secrets/secret_place.h"

namespace assay::suite {
namespace {

// One of its patterns, which POSIX understands once the ends of lines have their own characters.
class Pattern {
 public:
  Pattern(std::string_view clue, std::string_view pattern, bool phrase)
      : clue_(clue), phrase_(phrase) {
    const std::string text = absl::StrReplaceAll(pattern, {{"[:eol:]", kLineEnd}});
    valid_ = regcomp(&regex_, text.c_str(), REG_EXTENDED | (phrase ? REG_ICASE : 0)) == 0;
  }

  bool MayBeIn(std::string_view text, std::string_view small) const {
    return absl::StrContains(phrase_ ? small : text, clue_);
  }

  // Finds the first match from `from` on: the whole, and the secret in it. False: there is none.
  bool Find(std::string_view text, size_t from, SecretPlace& whole, SecretPlace& secret) const {
    std::array<regmatch_t, 16> groups;
    groups[0] = {static_cast<regoff_t>(from), static_cast<regoff_t>(text.size())};
    if (!valid_ || regex_.re_nsub >= groups.size() ||
        regexec(&regex_, text.data(), groups.size(), groups.data(), REG_STARTEND) != 0)
      return false;
    const auto place = [](regoff_t position) { return static_cast<size_t>(position); };
    whole = {place(groups[0].rm_so), place(groups[0].rm_eo)};
    if (regex_.re_nsub > 0) secret = {place(groups[1].rm_eo), place(groups[regex_.re_nsub].rm_so)};
    return true;
  }

 private:
  regex_t regex_ = {};
  std::string_view clue_;
  bool phrase_ = false, valid_ = false;
};

struct Forms {
  std::vector<Pattern> patterns, exceptions;
};

// They are compiled once and live as long as the program.
const Forms& AllForms() {
  static const Forms* const forms = [] {
    auto* const made = new Forms;
#define SECRET_SHAPE(clue, pattern) made->patterns.emplace_back(clue, pattern, false);
#define SECRET_PHRASE(clue, pattern) made->patterns.emplace_back(clue, pattern, true);
#define NO_SECRET(pattern) made->exceptions.emplace_back("", pattern, false);
#define SECRET_ARGUMENT(programs, flags, place)
#include "artifacts/fetch/secret_forms.inc"
#undef SECRET_SHAPE
#undef SECRET_PHRASE
#undef NO_SECRET
#undef SECRET_ARGUMENT
    return made;
  }();
  return *forms;
}

std::string WithoutForm(const Pattern& pattern, const std::string& text) {
  std::vector<SecretPlace> places;
  SecretPlace whole, secret, ignored;
  for (size_t from = 0; from <= text.size() && pattern.Find(text, from, whole, secret);) {
    const std::string match = text.substr(whole.begin, whole.end - whole.begin);
    const bool stays = absl::c_any_of(AllForms().exceptions, [&](const Pattern& exception) {
      return exception.Find(match, 0, ignored, ignored);
    });
    if (!stays) places.push_back(secret);
    from = std::max(whole.end, from + 1);
  }
  return places.empty() ? text : Hide(text, places);
}

}  // namespace

std::string WithoutForms(std::string text) {
  const std::string small = absl::AsciiStrToLower(text);
  for (const Pattern& pattern : AllForms().patterns) {
    if (pattern.MayBeIn(text, small)) text = WithoutForm(pattern, text);
  }
  return text;
}

}  // namespace assay::suite
