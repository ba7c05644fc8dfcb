#include "benchmarks/harness/text/untrusted_text.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "defs/compiler/utf8.h"

namespace assay::base {
namespace {

// The code point of a well-formed sequence.
unsigned CodePoint(std::string_view sequence) {
  const unsigned first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first;
  unsigned point = first & (0x7fu >> sequence.size());
  for (const char c : sequence.substr(1)) point = point << 6 | (static_cast<unsigned>(c) & 0x3f);
  return point;
}

bool Obeyed(unsigned point) {
  return point < 0x20 || (point >= 0x7f && point <= 0x9f) || point == 0xad || point == 0x61c ||
         (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2060 && point <= 0x206f) || point == 0xfeff ||
         (point >= 0xfff9 && point <= 0xfffb) || (point >= 0xe0000 && point <= 0xe007f);
}

std::string Escaped(std::string_view text, size_t longest, bool in_quotes) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t length = Utf8Length(text, at);
    const std::string_view piece = text.substr(at, length == 0 ? 1 : length);
    if (at + piece.size() > longest) return result + "…";
    const bool quote = in_quotes && (piece == "\"" || piece == "\\");
    if (length == 0 || quote || Obeyed(CodePoint(piece))) {
      for (const char& c : piece) {
        absl::StrAppend(&result, absl::CHexEscape(std::string_view(&c, 1)));
      }
    } else {
      absl::StrAppend(&result, piece);
    }
    at += piece.size();
  }
  return result;
}

}  // namespace

std::string Printable(std::string_view text, size_t longest) {
  return Escaped(text, longest, /*in_quotes=*/false);
}

std::string Quoted(std::string_view text) {
  return absl::StrCat("\"", Escaped(text, 120, /*in_quotes=*/true), "\"");
}

}  // namespace assay::base
