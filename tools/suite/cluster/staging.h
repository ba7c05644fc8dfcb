// -----------------------------------------------------------------------------
// File: staging.h
// -----------------------------------------------------------------------------
//
// Puts programs, each with all its runfiles, into a folder that the nodes of a cluster share. Each
// file is kept once, under its digest, and linked (hard) into each program that has it, so that a
// second case costs its links alone, and `$ORIGIN` in a library's path means what it meant.
//
//   staged/blobs/SHA256              a file's content
//   staged/programs/SHA256-NAME/     a program, and NAME.runfiles beside it
//
//   Staging staging("/shared/results/staged", digests);
//   absl::StatusOr<StagedProgram> staged = staging.Stage("bazel-bin/benchmarks/mlp/mlp_fp32_b1");

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_STAGING_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_STAGING_H_

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/suite/launch/processes/file_digests.h"

namespace assay::suite {

struct StagedProgram {
  std::string path = {};    // in the staged folder, absolute
  std::string digest = {};  // FileDigests::OfProgram
};

class Staging {
 public:
  // `digests` outlives this.
  Staging(std::string folder, FileDigests& digests)
      : folder_(std::move(folder)), digests_(digests) {}

  // A program that is staged already costs one look. ResourceExhausted, PermissionDenied and so on
  // with the file, where it cannot be written; a program is there as a whole or not at all.
  absl::StatusOr<StagedProgram> Stage(const std::string& program);

  // Names of the programs that were asked for, as KeepStaged() takes them.
  const std::set<std::string>& names() const { return names_; }

 private:
  absl::Status Link(const std::string& file, const std::string& as);

  const std::string folder_;
  FileDigests& digests_;
  std::set<std::string> blobs_;  // that are known to be there
  std::set<std::string> names_;
};

// Removes all other programs, what no program has any more, and what submitters that were killed
// left. What cannot be removed stays.
void KeepStaged(const std::string& folder, const std::set<std::string>& names);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_STAGING_H_
