// -----------------------------------------------------------------------------
// File: case_script.h
// -----------------------------------------------------------------------------
//
// What the script of a case starts (defs/case_rules.bzl writes it): the runner of its family, with
// flags of the case's own. Cases of one runner can share a process.
//
// Not for starting it: the script does that, and finds its files wherever it lies.
//
//   CommandOfScript(text, "bazel-bin/benchmarks/mlp/mlp_fp32_b1.runfiles")
//   // {".../assay/benchmarks/mlp/runner", "--case=.../mlp_fp32_b1.pb", "--device=cpu"}

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_CASE_SCRIPT_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_CASE_SCRIPT_H_

#include <string>
#include <string_view>
#include <vector>

namespace assay::suite {

// Runner and flags; none for what is no such script. `runfiles`: the folder beside it.
std::vector<std::string> CommandOfScript(std::string_view text, const std::string& runfiles);

// The same for a built program; the runner is the file itself, not a link to it. None, too, where its
// files are not there.
std::vector<std::string> CommandOfCase(const std::string& program);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_CASE_SCRIPT_H_
