// -----------------------------------------------------------------------------
// File: file_digests.h
// -----------------------------------------------------------------------------
//
// SHA-256 of files, remembered from one program to the next: LibTorch is half a gigabyte, and the
// same in every run. A large file is read again where its size, time of change or inode is another.
//
// Not for files that somebody might forge: whoever can set a file's time can deceive it.
//
//   FileDigests digests(CacheFile());
//   absl::StatusOr<std::string> digest = digests.OfProgram("bazel-bin/benchmarks/mlp/mlp_fp32_b1");
//   digests.Save();

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_FILE_DIGESTS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_FILE_DIGESTS_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace assay::suite {

class FileDigests {
 public:
  // A cache that is not there, or damaged, is an empty one; an empty name is none.
  explicit FileDigests(std::string cache_file);

  // 64 hex digits. What MappedFile::Open gives, where the file cannot be read.
  absl::StatusOr<std::string> OfFile(const std::string& path);

  // Of a program, and of all its runfiles with their names in there; of a folder, all its files.
  absl::StatusOr<std::string> OfProgram(const std::string& program);
  absl::StatusOr<std::string> OfFolder(const std::string& folder);

  // A cache that cannot be written costs time, and nothing else.
  void Save();

 private:
  std::map<std::string, std::string> known_;     // by path and what stat says of it
  std::map<std::string, std::string> programs_;  // in this process
  const std::string cache_file_;
  bool changed_ = false;
};

// In $XDG_CACHE_HOME/assay or ~/.cache/assay; empty where there is no such folder to be had.
std::string DigestCacheFile();

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_FILE_DIGESTS_H_
