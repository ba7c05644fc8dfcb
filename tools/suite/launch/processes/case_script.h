// -----------------------------------------------------------------------------
// File: case_script.h
// -----------------------------------------------------------------------------
//
// Reads the script of a case (defs/case_rules.bzl writes it), which starts the runner of its family
// with the case's flags. Cases of one runner can share a process.
//
// Not for starting the case: the script does that, and finds its files itself.
//
//   CommandOfScript(text, "bazel-bin/benchmarks/mlp/mlp_fp32_b1.runfiles")
//   // {".../assay/benchmarks/mlp/runner", "--case=.../mlp_fp32_b1.pb", "--device=cpu"}

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_CASE_SCRIPT_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_CASE_SCRIPT_H_

#include <string>
#include <string_view>
#include <vector>

namespace assay::suite {

// The runner and its flags; empty if the text is no such script. `runfiles`: the folder beside it.
std::vector<std::string> CommandOfScript(std::string_view text, const std::string& runfiles);

// The same for a built program; the runner is the file itself, not a link to it. Also empty where
// its files do not exist.
std::vector<std::string> CommandOfCase(const std::string& program);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_CASE_SCRIPT_H_
