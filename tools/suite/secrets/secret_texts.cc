#include "tools/suite/secrets/secret_texts.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/environment/secret_names.h"
#include "tools/suite/secrets/flag_arguments.h"
#include "tools/suite/secrets/known_forms.h"
#include "tools/suite/secrets/secret_place.h"

namespace assay::suite {
namespace {

bool IsWordCharacter(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// Before a colon or an arrow these are other things by themselves: a forward pass, a key of a table,
// an operator's signature.
bool IsOrdinary(std::string_view name) {
  const std::string said = absl::AsciiStrToUpper(name);
  return said == "KEY" || said == "PASS" || said == "PAT" || said == "SIGNATURE";
}

struct Named {
  std::string_view name;
  std::string_view between;  // what separates it from its value: "=", ":", "=>"; empty: spaces
  bool dashes = false;
  size_t value = 0;  // where that begins
};

// Separators that may stand between a name and its value, longest first.
constexpr std::string_view kSeparators[] = {"=>", "->", "→", ":=", "==", "=", ":"};

// The name at `begin`, if a value may follow it.
bool ReadName(std::string_view text, size_t begin, Named& named) {
  size_t at = begin;
  while (at < text.size() && text[at] == '-' && at - begin < 2) ++at;
  named.dashes = at > begin;
  const size_t name = at;
  while (at < text.size() && (IsWordCharacter(text[at]) || text[at] == '.' || text[at] == '-'))
    ++at;
  if (at == name || absl::ascii_isdigit(text[name]) || text[name] == '.' || text[name] == '-')
    return false;
  if (at < text.size() && text[at] == '>' && text[at - 1] == '-') --at;  // "token->"
  named.name = text.substr(name, at - name);
  while (at < text.size() && text[at] == '\\') ++at;
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) ++at;
  const size_t spaces = std::min(text.find_first_not_of(kSpace, at), text.size());
  named.between = "";
  for (const std::string_view separator : kSeparators) {
    if (!absl::StartsWith(text.substr(spaces), separator)) continue;
    named.between = separator;
    const size_t end = spaces + separator.size();
    named.value = std::min(text.find_first_not_of(kSpace, end), text.size());
    return true;
  }
  named.value = spaces;
  return spaces > at && spaces < text.size() && text[spaces] != '-';
}

// Whether the rest of the line is the value: of a header, which may be of many words.
bool IsWholeLine(std::string_view text, const Named& named) {
  const std::string said = absl::AsciiStrToUpper(named.name);
  if (!absl::EndsWith(said, "COOKIE") && !absl::EndsWith(said, "AUTHORIZATION")) return false;
  if (named.between == ":") return true;
  const std::string_view rest = text.substr(named.value);
  constexpr std::string_view kSchemes[] = {"Basic ",     "Bearer ", "Digest ",
                                           "Negotiate ", "NTLM ",   "OAuth ",
                                           "Token ",     "ApiKey ", "AWS4-HMAC-SHA256 "};
  return absl::c_any_of(
      kSchemes, [&](std::string_view scheme) { return absl::StartsWithIgnoreCase(rest, scheme); });
}

bool SaysSecret(const Named& named) {
  if (!environment::IsSecretName(named.name)) return false;
  if (!named.between.empty() && named.between != "=" && IsOrdinary(named.name)) return false;
  return !named.between.empty() || named.dashes;
}

std::string WithoutValues(const std::string& text) {
  std::vector<SecretPlace> places;
  for (size_t at = 0; at < text.size(); ++at) {
    const char before = at == 0 ? ' ' : text[at - 1];
    if (IsWordCharacter(before) || before == '.' || before == '-') continue;
    Named named;
    if (!ReadName(text, at, named) || !SaysSecret(named)) continue;
    const size_t end = IsWholeLine(text, named) ? EndOf(text, kLineEnd, named.value)
                                                : EndOfValue(text, named.value);
    if (end == named.value) continue;
    places.push_back({named.value, end});
    at = end - 1;
  }
  return places.empty() ? text : Hide(text, places);
}

// Takes out of an address all between its colon and its last @, and all of its query.
std::string CleanAddress(std::string_view word) {
  const size_t colon = word.find(':'), at = word.rfind('@');
  const size_t end = EndOf(word, colon == std::string_view::npos ? "?" : "?#", 0);
  std::string shown(word.substr(0, end));
  if (colon != std::string_view::npos && at != std::string_view::npos && colon < at) {
    const size_t start = colon + (absl::StartsWith(word.substr(colon + 1), "//") ? 3 : 1);
    shown = absl::StrCat(word.substr(0, start), kHidden, at < end ? word.substr(at, end - at) : "");
  }
  if (end == word.size()) return shown;
  const size_t last = word.find_last_not_of(":,;.)") + 1;  // behind it the sentence goes on
  const std::string_view tail = word.substr(std::min(std::max(end + 1, last), word.size()));
  if (word.substr(end + 1) == tail) return absl::StrCat(shown, word.substr(end));
  return absl::StrCat(shown, word.substr(end, 1), kHidden, tail);
}

std::string WithoutAddresses(const std::string& text) {
  std::string cleaned;
  size_t done = 0;
  for (size_t scheme; (scheme = text.find("://", done)) != std::string::npos;) {
    size_t begin = scheme;
    while (begin > done && IsWordCharacter(text[begin - 1])) --begin;
    const size_t end = EndOf(text, kSpace, scheme);
    const std::string_view word = std::string_view(text).substr(begin, end - begin);
    absl::StrAppend(&cleaned, text.substr(done, begin - done),
                    begin < scheme && end > scheme + 3 ? CleanAddress(word) : std::string(word));
    done = end;
  }
  return cleaned.append(text, done);
}

std::string_view WithoutDashes(std::string_view flag) {
  return flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
}

// A word of a command without what its name, or the flag before it, says is a secret.
std::string CleanWord(std::string_view before, const std::string& word) {
  const bool flag =
      absl::StartsWith(before, "-") && environment::IsSecretName(WithoutDashes(before));
  if (flag && !word.empty() && word[0] != '-') return std::string(kHidden);
  const size_t equals = word.find('=');
  if (equals != std::string::npos && equals + 1 < word.size() &&
      environment::IsSecretName(WithoutDashes(std::string_view(word).substr(0, equals))))
    return absl::StrCat(word.substr(0, equals + 1), kHidden);
  return CleanText(word);
}

}  // namespace

std::string CleanText(std::string_view text) {
  return WithoutAddresses(WithoutValues(WithoutForms(WithoutArguments(text))));
}

std::vector<std::string> CleanWords(const std::vector<std::string>& words) {
  std::vector<std::string> cleaned;
  std::string_view before;
  for (const std::string& word : words) {
    cleaned.push_back(CleanWord(before, word));
    before = word;
  }
  for (const ValueOfFlag& value : ValuesOfFlags(words))
    cleaned[value.word] = absl::StrCat(words[value.word].substr(0, value.at), kHidden);
  return cleaned;
}

}  // namespace assay::suite
