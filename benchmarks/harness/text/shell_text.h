#ifndef ASSAY_BENCHMARKS_HARNESS_TEXT_SHELL_TEXT_H_
#define ASSAY_BENCHMARKS_HARNESS_TEXT_SHELL_TEXT_H_

// ---------------------------------------------------------------------------------------------
// shell_text.h: quotes the words of a command in a message.
//
// Example:
//   absl::StrCat("rm ", ShellWord("it's here"));   // rm 'it'\''s here'
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

namespace assay::base {

// Quoted if a shell would treat it as anything but one plain word.
std::string ShellWord(std::string_view word);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_TEXT_SHELL_TEXT_H_
