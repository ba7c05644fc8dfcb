#include "tools/suite/launch/processes/file_digests.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/cache_folder.h"
#include "benchmarks/harness/base/file_state.h"
#include "benchmarks/harness/base/private_path.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kWorthRemembering = 1 << 20;  // bytes
constexpr size_t kDigestLength = 64;

// A text that changes with a file. The path comes last, since it may contain anything but a
// newline.
std::string KeyOf(const std::string& path, const struct stat& file) {
  return absl::StrCat(absl::StrJoin(base::FileState(file), " "), " ", path);
}

}  // namespace

FileDigests::FileDigests(std::string cache_file) : cache_file_(std::move(cache_file)) {
  // If others could write there, a changed program could pass for one that was measured before.
  if (!base::CheckPrivate(cache_file_).ok()) return;
  std::ifstream cache(cache_file_);
  for (std::string line; std::getline(cache, line);) {
    if (line.size() < kDigestLength + 2 || !base::IsSha256Hex(line.substr(0, kDigestLength)))
      continue;
    known_[line.substr(kDigestLength + 1)] = line.substr(0, kDigestLength);
  }
}

absl::StatusOr<std::string> FileDigests::OfFile(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return absl::ErrnoToStatus(errno, path);
  // Runfiles are links, and those of hundreds of programs lead to one LibTorch.
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const std::string key = KeyOf(error ? path : real.string(), file);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const auto bytes = tensor_files::MappedFile::Open(path);
  if (!bytes.ok()) return bytes.status();
  std::string digest = base::Sha256Hex((*bytes)->bytes());
  if (file.st_size >= kWorthRemembering && path.find('\n') == std::string::npos) {
    known_[key] = digest;
    changed_ = true;
  }
  return digest;
}

absl::StatusOr<std::string> FileDigests::OfFolder(const std::string& folder) {
  std::map<std::string, std::string> files;  // a folder's order is the file system's
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_regular_file(error)) continue;
    const std::string name = entry->path().lexically_relative(folder).string();
    if (name == "MANIFEST") continue;  // of runfiles: they say where files are, not what they are
    absl::StatusOr<std::string> digest = OfFile(entry->path().string());
    if (!digest.ok()) return digest.status();
    files[name] = *std::move(digest);
  }
  if (error) return absl::UnavailableError(absl::StrCat(folder, ": ", error.message()));
  std::string text;
  for (const auto& [name, digest] : files) absl::StrAppend(&text, digest, " ", name, "\n");
  return base::Sha256Hex(text);
}

absl::StatusOr<std::string> FileDigests::OfProgram(const std::string& program) {
  if (const auto known = programs_.find(program); known != programs_.end()) return known->second;
  absl::StatusOr<std::string> digest = OfFile(program);
  if (!digest.ok()) return digest;
  const std::string runfiles = program + ".runfiles";
  if (fs::exists(runfiles)) {
    const absl::StatusOr<std::string> others = OfFolder(runfiles);
    if (!others.ok()) return others;
    digest = base::Sha256Hex(absl::StrCat(*digest, *others));
  }
  programs_[program] = *digest;
  return digest;
}

void FileDigests::Save() {
  if (!changed_ || cache_file_.empty()) return;
  std::string text;
  for (const auto& [key, digest] : known_) absl::StrAppend(&text, digest, " ", key, "\n");
  base::MakePrivateFolders(fs::path(cache_file_).parent_path()).IgnoreError();
  tensor_files::WriteFileAtomically(cache_file_, text).IgnoreError();
  changed_ = false;
}

std::string DigestCacheFile() {
  const absl::StatusOr<fs::path> folder = base::CacheFolder("digests");
  return folder.ok() ? (*folder / "digests").string() : "";
}

}  // namespace assay::suite
