// -----------------------------------------------------------------------------
// File: program_copies.h
// -----------------------------------------------------------------------------
//
// Copies of the programs that a suite or a comparison runs, so that a build in the same tree does not
// change what is measured: bazel-bin is rewritten by the next build, and a suite may take hours.
//
//   FOLDER/tree/assay/benchmarks/mlp/runner      a runfile, once for all programs that have it
//   FOLDER/benchmarks/mlp/mlp_fp32_b1            a program; its .runfiles beside it are links into the tree
//
// Files that a build does not write, those of external repositories such as LibTorch's 450 MB, are
// linked and not copied. `$ORIGIN` in a library's path means what it meant, and cases of one family still
// have one runner, so that they can share a process.
//
// Not for other machines: a cluster's nodes have staging.h.
//
//   ProgramCopies copies("/tmp/results/programs", "choose another folder with --out");
//   const std::string program = "bazel-bin/benchmarks/mlp/mlp_fp32_b1";
//   absl::StatusOr<std::string> copy = copies.Make(program, "//benchmarks/mlp:mlp_fp32_b1", StampOf(program));

#ifndef ASSAY_TOOLS_PROCESSES_PROGRAM_COPIES_H_
#define ASSAY_TOOLS_PROCESSES_PROGRAM_COPIES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::processes {

class ProgramCopies {
 public:
  // Removes what a process that was killed left in `folder`, which is absolute and belongs to this
  // alone. `remedy` ends the error that says that nothing can be written there.
  ProgramCopies(std::string folder, std::string remedy);
  ~ProgramCopies();
  ProgramCopies(const ProgramCopies&) = delete;
  ProgramCopies& operator=(const ProgramCopies&) = delete;

  // The path of a copy, which is gone with this object. A program that was copied before costs one
  // look. `stamp` is the program's (program_stamp.h), from before whatever must be true of the copy.
  // Errors: Unavailable and the like, with the file that cannot be written; FailedPrecondition where
  // a build changed the program since `stamp`.
  absl::StatusOr<std::string> Make(const std::string& program, const std::string& label,
                                   uint64_t stamp);

 private:
  absl::Status MakeRunfiles(const std::string& runfiles, const std::string& of_copy) const;

  absl::Status CopyOnce(const std::filesystem::path& from, const std::filesystem::path& to) const;
  absl::Status CopyFailed(const std::filesystem::path& path, const std::error_code& error) const;

  const std::string folder_;
  const std::string remedy_;
};

// A folder for this process's copies, below $XDG_CACHE_HOME/assay or ~/.cache/assay. Removes those of
// this machine's processes that are gone. FailedPrecondition where there is no such cache.
absl::StatusOr<std::string> FolderForCopies();

}  // namespace assay::processes

#endif  // ASSAY_TOOLS_PROCESSES_PROGRAM_COPIES_H_
