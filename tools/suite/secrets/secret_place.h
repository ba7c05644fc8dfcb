// -----------------------------------------------------------------------------
// File: secret_place.h
// -----------------------------------------------------------------------------
//
// The place of a secret in a text, and how far a value goes.
//
//   std::string shown = Hide("--token abc", {{8, EndOfValue("--token abc", 8)}});   // "--token ***"

#ifndef ASSAY_TOOLS_SUITE_SECRETS_SECRET_PLACE_H_
#define ASSAY_TOOLS_SUITE_SECRETS_SECRET_PLACE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::suite {

inline constexpr std::string_view kHidden = "***";
inline constexpr std::string_view kSpace = " \t\n\v\f\r", kLineEnd = "\r\n";

// A range of a text that holds a secret.
struct SecretPlace {
  size_t begin = 0, end = 0;
};

// `text` with *** in these places, which are in order and apart.
std::string Hide(std::string_view text, const std::vector<SecretPlace>& places);

// The first place of one of the characters from `from` on, or the end of the text.
size_t EndOf(std::string_view text, std::string_view characters, size_t from);

// The end of a value that begins at `begin`: of a word, or of a text in quotes, even if the end of
// the text has cut off the second quote.
size_t EndOfValue(std::string_view text, size_t begin);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_SECRETS_SECRET_PLACE_H_
