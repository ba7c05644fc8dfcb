// -----------------------------------------------------------------------------
// File: workspace.h
// -----------------------------------------------------------------------------
//
// A tree whose cases can be listed and built: this one, another folder, or a git revision.
//
// A revision is checked out once as a git worktree in the user's cache folder and built there by
// its own tools/bazel, in an output folder of its own; later runs find it built. It uses the user.bazelrc
// of the tree that it is a revision of, and so its disk cache. Remove it with `git worktree remove PATH`.
//
// Not for starting what was built: case_process.h.
//
//   absl::StatusOr<Workspace> tree = OpenRevision("/src/assay", "HEAD~1", &interrupted);
//   absl::StatusOr<std::vector<std::string>> programs = Build(*tree, {"//a:b"}, {}, &interrupted);

#ifndef ASSAY_TOOLS_PROCESSES_WORKSPACE_H_
#define ASSAY_TOOLS_PROCESSES_WORKSPACE_H_

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::processes {

struct Workspace {
  std::string root = {};
  std::string commit = {};    // full; empty outside of git
  bool dirty = false;         // tracked files differ from the commit
  bool ours = false;          // a worktree of OpenRevision, in which only this program builds
  std::string libtorch = {};  // the version to build with; empty: the tree's own
};

Workspace OpenFolder(const std::string& root);

// FailedPrecondition when the worktree was changed by hand: it would not be the revision.
// NotFound for a revision that git does not know.
absl::StatusOr<Workspace> OpenRevision(const std::string& repository, const std::string& revision,
                                       const std::atomic<bool>* interrupted);

// Builds with another of the LibTorch releases that the tree pins (tools/deps/versions.bzl), into an
// output folder of its own; an empty version changes nothing. FailedPrecondition for a tree from
// before there were others, which would build with its own in silence.
absl::Status UseLibTorch(const std::string& version, Workspace& tree);

// Labels of all cases of the tree, from its own registry.
absl::StatusOr<std::vector<std::string>> ListCases(const Workspace& tree,
                                                   const std::atomic<bool>* interrupted);

// Paths of the programs of these labels, in order. `build_flags` are Bazel's. The message of a
// failure holds what the build printed. In a worktree of ours, and with another LibTorch, the Bazel
// server is ended afterwards: it would sit in half a gigabyte beside the measured processes.
absl::StatusOr<std::vector<std::string>> Build(const Workspace& tree,
                                               const std::vector<std::string>& labels,
                                               const std::vector<std::string>& build_flags,
                                               const std::atomic<bool>* interrupted);

// "//a/b:c" -> "a/b/c", "//a/b" -> "a/b/b".
std::string PathOfLabel(std::string_view label);

// Labels in what `//benchmarks:list -- --format=csv` prints; InvalidArgument for anything else.
absl::StatusOr<std::vector<std::string>> LabelsOfList(std::string_view csv);

}  // namespace assay::processes

#endif  // ASSAY_TOOLS_PROCESSES_WORKSPACE_H_
