// -----------------------------------------------------------------------------
// File: git_state.h
// -----------------------------------------------------------------------------
//
// Which commit a folder is at, asked of the `git` program.
//
// Not for changing anything: the index is not even refreshed on disk.
//
//   GitState state = assay::environment::ReadGitState("/src/assay");

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_GIT_STATE_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_GIT_STATE_H_

#include <string>

namespace assay::environment {

struct GitState {
  std::string commit;  // full; empty outside of a work tree, before the first commit, without git
  bool dirty = false;  // tracked files differ from the commit
};

GitState ReadGitState(const std::string& folder);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_GIT_STATE_H_
