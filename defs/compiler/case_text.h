// File: case_text.h
//
// Text protocol buffers as authors write them, parsed with errors that say where and what is
// allowed. Not for checking what the fields say (case_resolution.h does).
//
//   assay::Problems problems;
//   BenchmarkCase c;
//   assay::ParseCaseText(text, "benchmarks/x/y.textproto", /*with_line=*/true, &c, &problems);
//   // "benchmarks/x/y.textproto:2: Unknown enumeration value of "FP17" for field "dtype". One …"
#ifndef ASSAY_DEFS_COMPILER_CASE_TEXT_H_
#define ASSAY_DEFS_COMPILER_CASE_TEXT_H_

#include <cstddef>
#include <string>

#include "defs/compiler/case_resolution.h"
#include "defs/proto/suite.pb.h"

namespace assay {

// A case written by hand takes a few hundred bytes; a longer file is not a case.
inline constexpr size_t kLongestCaseText = 64 << 10;

// Adds one problem for each error, beginning with `where`, and with its line where `with_line` (for
// a file that the author wrote; lines of generated text mean nothing to an author). Problems are
// printable and short for any text. Refuses text longer than kLongestCaseText with `with_line`, a
// byte order mark, NUL and other control characters, and what is not UTF-8; a line may end with CR
// LF. The same holds for every string in it, which escapes could fill with anything.
void ParseCaseText(const std::string& text, const std::string& where, bool with_line,
                   google::protobuf::Message* message, Problems* problems);

}  // namespace assay

#endif  // ASSAY_DEFS_COMPILER_CASE_TEXT_H_
