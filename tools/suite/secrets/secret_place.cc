#include "tools/suite/secrets/secret_place.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace assay::suite {

std::string Hide(std::string_view text, const std::vector<SecretPlace>& places) {
  std::string hidden;
  size_t end = 0;
  for (const SecretPlace& place : places) {
    absl::StrAppend(&hidden, text.substr(end, place.begin - end), kHidden);
    end = place.end;
  }
  absl::StrAppend(&hidden, text.substr(end));
  return hidden;
}

size_t EndOf(std::string_view text, std::string_view characters, size_t from) {
  return std::min(text.find_first_of(characters, from), text.size());
}

size_t EndOfValue(std::string_view text, size_t begin) {
  if (absl::StartsWith(text.substr(begin), kHidden)) {
    const size_t end = begin + kHidden.size();
    if (end == text.size() || absl::StrContains(kSpace, text[end]) ||
        absl::StrContains("\"',;:)]}&", text[end]))
      return end;
  }
  const size_t quote = std::min(text.find_first_not_of('\\', begin), text.size());
  if (quote == text.size() || (text[quote] != '"' && text[quote] != '\'')) {
    return EndOf(text, absl::StrCat(kSpace, "\"'"), begin);
  }
  // \"abc\" ends at \", "a\"b" does not.
  const std::string closing(text.substr(begin, quote - begin + 1));
  const bool is_double = text[quote] == '"';
  for (size_t i = quote + 1; i < text.size() && (is_double || quote == begin); ++i) {
    if (absl::StartsWith(text.substr(i), closing)) return i + closing.size();
    if (is_double && text[i] == '"') break;
    if (is_double && text[i] == '\\') ++i;
  }
  return EndOf(text, kLineEnd, begin);
}

}  // namespace assay::suite
