#ifndef ASSAY_DEFS_COMPILER_UTF8_H_
#define ASSAY_DEFS_COMPILER_UTF8_H_

// ---------------------------------------------------------------------------------------------
// utf8.h: whether bytes are well-formed UTF-8 (Unicode 15, table 3-7; RFC 3629).
//
// It is in defs/ because case definitions and records both need it; neither Abseil nor the public
// part of protobuf has one.
//
// Example:
//   if (!IsUtf8(text)) return absl::InvalidArgumentError("is not UTF-8");
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <string_view>

namespace assay {

// The length in bytes, 1 to 4, of the well-formed sequence at `at` < text.size(); 0 where there is
// none: no overlong forms, no surrogates, nothing above U+10FFFF.
std::size_t Utf8Length(std::string_view text, std::size_t at);

bool IsUtf8(std::string_view text);

}  // namespace assay

#endif  // ASSAY_DEFS_COMPILER_UTF8_H_
