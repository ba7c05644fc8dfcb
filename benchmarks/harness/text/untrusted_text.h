#ifndef ASSAY_BENCHMARKS_HARNESS_TEXT_UNTRUSTED_TEXT_H_
#define ASSAY_BENCHMARKS_HARNESS_TEXT_UNTRUSTED_TEXT_H_

// ---------------------------------------------------------------------------------------------
// untrusted_text.h: prints text from a file or another program in a message that goes to a terminal.
//
// The one place that prints it: names in a checkpoint may hold escape sequences, marks that turn the
// direction of writing, or a line that looks like a verdict.
//
// Example:
//   return absl::DataLossError(absl::StrCat("unknown dtype ", Quoted(name)));
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::base {

// At most `longest` bytes of the text, cut between characters and then ended by "…". These are
// escaped as \xNN: bytes that are not UTF-8, and characters that control a terminal or cannot be
// seen: C0 and C1 controls, DEL, line and paragraph separators, bidirectional and zero-width marks;
// newline and tab are \n, \t.
std::string Printable(std::string_view text, size_t longest);

// The same in double quotes, with those inside escaped; 120 bytes.
std::string Quoted(std::string_view text);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_TEXT_UNTRUSTED_TEXT_H_
