// -----------------------------------------------------------------------------
// File: file_digests.h
// -----------------------------------------------------------------------------
//
// SHA-256 of files, cached from one program to the next: LibTorch has half a gigabyte, and is the
// same in every run. A large file is read again if its size, device, inode or one of its times has
// changed (benchmarks/harness/base/file_state.h), though its time of modification was put back.
//
//   FileDigests digests(CacheFile());
//   absl::StatusOr<std::string> digest = digests.OfProgram("bazel-bin/benchmarks/mlp/mlp_fp32_b1");
//   digests.Save();

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_FILE_DIGESTS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_FILE_DIGESTS_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace assay::suite {

class FileDigests {
 public:
  // A missing or damaged cache file, and one that others can write to, counts as empty; with an empty
  // name nothing is cached.
  explicit FileDigests(std::string cache_file);

  // 64 hex digits. Errors of MappedFile::Open where the file cannot be read.
  absl::StatusOr<std::string> OfFile(const std::string& path);

  // The digest of a program with all its runfiles and their names; for a folder, of all files in
  // it.
  absl::StatusOr<std::string> OfProgram(const std::string& program);
  absl::StatusOr<std::string> OfFolder(const std::string& folder);

  // The digest of a program that another machine has read.
  void Know(const std::string& program, const std::string& digest) { programs_[program] = digest; }

  // Writes the cache. If that fails, the next program only takes longer.
  void Save();

 private:
  std::map<std::string, std::string> known_;     // by path and the result of stat()
  std::map<std::string, std::string> programs_;  // results of this process
  const std::string cache_file_;
  bool changed_ = false;
};

// The file in $XDG_CACHE_HOME/assay or ~/.cache/assay; empty where no such folder can be made.
std::string DigestCacheFile();

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_FILE_DIGESTS_H_
