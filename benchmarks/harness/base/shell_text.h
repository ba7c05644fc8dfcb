#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_SHELL_TEXT_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_SHELL_TEXT_H_

// ---------------------------------------------------------------------------------------------
// shell_text.h: words of a command that a message tells its reader to run.
//
// Example:
//   absl::StrCat("rm ", ShellWord("it's here"));   // rm 'it'\''s here'
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

namespace assay::base {

// Quoted where a shell would take it for something else.
std::string ShellWord(std::string_view word);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_SHELL_TEXT_H_
