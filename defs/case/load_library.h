#ifndef ASSAY_DEFS_CASE_LOAD_LIBRARY_H_
#define ASSAY_DEFS_CASE_LOAD_LIBRARY_H_

// ---------------------------------------------------------------------------------------------
// load_library.h: the flag of Bazel that links the code of load (--scenario) into a runner.
//
// Example:
//   absl::StrCat("--", kLoadSetting, "=", kLoadLibrary)
// ---------------------------------------------------------------------------------------------

#include <string_view>

namespace assay {

inline constexpr std::string_view kLoadSetting = "//benchmarks/harness/runner/serving:load";
inline constexpr std::string_view kLoadLibrary = "//benchmarks/harness/runner/serving:loadgen";

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_LOAD_LIBRARY_H_
