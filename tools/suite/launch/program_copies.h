// -----------------------------------------------------------------------------
// File: program_copies.h
// -----------------------------------------------------------------------------
//
// Copies of the programs that a suite runs, so that a build in the same tree does not change what
// is measured: bazel-bin is rewritten by the next build, and a suite may take hours.
//
//   FOLDER/tree/assay/benchmarks/mlp/runner      a runfile, once for all programs that have it
//   FOLDER/benchmarks/mlp/mlp_fp32_b1            a program; its .runfiles beside it are links into the tree
//
// What a build does not write, files of external repositories such as LibTorch's 450 MB, is linked
// and not copied. `$ORIGIN` in a library's path means what it meant, and cases of one family still
// have one runner, so that they can share a process.
//
// Not for other machines: a cluster's nodes have staging.h.
//
//   ProgramCopies copies("/tmp/results/programs");
//   absl::StatusOr<std::string> copy = copies.Make("bazel-bin/benchmarks/mlp/mlp_fp32_b1", "//benchmarks/mlp:mlp_fp32_b1");

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROGRAM_COPIES_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROGRAM_COPIES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::suite {

class ProgramCopies {
 public:
  // Removes what a suite that was killed left in `folder`, which is absolute and belongs to this alone.
  explicit ProgramCopies(std::string folder);
  ~ProgramCopies();
  ProgramCopies(const ProgramCopies&) = delete;
  ProgramCopies& operator=(const ProgramCopies&) = delete;

  // The path of a copy, which is gone with this object. A program that was copied before costs one
  // look. Errors name the file that cannot be written.
  absl::StatusOr<std::string> Make(const std::string& program, const std::string& label);

 private:
  absl::Status MakeRunfiles(const std::string& runfiles, const std::string& of_copy) const;

  const std::string folder_;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROGRAM_COPIES_H_
