#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_OWN_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_OWN_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// own_program.h: how this program is started again, in the tree and in a package (tools/package).
//
// A package's programs may run under a loader that it carries, and /proc/self/exe is then that loader. Its launcher
// therefore says in ASSAY_PROGRAM what starts the program: FOLDER/bin/NAME.
//
// Not for: the workspace, which a package has not (processes/workspace.h of tools).
//
// Example:
//   command.arguments = {base::OwnProgram(), "--describe"};
//   out << "reproduce  " << base::RunCommand("//benchmarks/mlp:mlp_fp32_b1") << " --threads=1\n";
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

namespace assay::base {

// A path that starts this program; empty where there is no /proc.
std::string OwnProgram();

// The command that runs a target, up to its flags: "tools/bazel run LABEL --", in a package "FOLDER/assay run LABEL" or, for
// a program without cases, "FOLDER/assay NAME".
std::string RunCommand(std::string_view label);

// "tools/bazel test LABEL", in a package "FOLDER/assay test LABEL".
std::string TestCommand(std::string_view label);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_OWN_PROGRAM_H_
