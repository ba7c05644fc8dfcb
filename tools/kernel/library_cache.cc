#include "tools/kernel/library_cache.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/cache_folder.h"
#include "benchmarks/harness/base/private_path.h"
#include "benchmarks/harness/base/sha256.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;

constexpr char kMade[] = ".made", kScratch[] = "scratch-", kLibrary[] = ".so";
constexpr size_t kDigits = 24;                        // of a digest, in a library's name
constexpr auto kLeftBehind = std::chrono::hours(24);  // a compiler is not that slow

// Empty where the file cannot be read.
std::string DigestOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "";
  return base::Sha256Hex(std::string(std::istreambuf_iterator<char>(file), {}));
}

// Letters, digits and "_" of it.
std::string Plain(const std::string& name) {
  std::string plain;
  for (const char c : name.substr(0, 40))
    plain += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return plain;
}

absl::Status WriteWhole(const fs::path& path, const fs::path& scratch, const std::string& text) {
  const fs::path written = scratch / path.filename();
  std::ofstream file(written, std::ios::binary);
  file << text << std::flush;
  std::error_code error;
  if (file) fs::rename(written, path, error);
  if (file && !error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write ", path.string()));
}

}  // namespace

absl::StatusOr<LibraryCache> LibraryCache::Open() {
  const absl::StatusOr<fs::path> cache = base::CacheFolder("compiled kernels");
  if (!cache.ok()) return cache.status();
  const fs::path folder = *cache / "kernels";
  absl::Status usable = base::MakePrivateFolders(folder);
  if (usable.ok()) usable = base::CheckPrivate(folder);
  if (usable.ok()) return LibraryCache(folder);
  return absl::FailedPreconditionError(absl::StrCat(
      "compiled kernels are kept in ", folder.string(), " and run as you: ", usable.message(),
      ", or set XDG_CACHE_HOME to a folder of your own"));
}

std::string LibraryCache::Find(const std::string& key) const {
  const fs::path made = folder_ / (key + kMade);
  std::ifstream file(made);
  std::string name, digest, header;
  uintmax_t size = 0;
  if (!(file >> size >> name)) return "";
  while (file >> digest && std::getline(file >> std::ws, header)) {
    if (DigestOf(header) != digest) return "";
  }
  const fs::path library = folder_ / name;
  std::error_code error;
  if (fs::file_size(library, error) != size || error || !base::CheckPrivate(library).ok())
    return "";
  for (const fs::path& used : {made, library})
    fs::last_write_time(used, fs::file_time_type::clock::now(), error);
  return library.string();
}

absl::StatusOr<std::string> LibraryCache::MakeScratch() const {
  std::string folder = (folder_ / absl::StrCat(kScratch, "XXXXXX")).string();
  if (mkdtemp(folder.data()) == nullptr) return absl::ErrnoToStatus(errno, folder);
  return folder;
}

absl::StatusOr<std::string> LibraryCache::Store(const std::string& key, const std::string& name,
                                                const std::string& library,
                                                const std::vector<std::string>& headers) const {
  std::string lines;
  for (const std::string& header : headers)
    absl::StrAppend(&lines, DigestOf(header), " ", header, "\n");
  const std::string digest = base::Sha256Hex(absl::StrCat(key, "\n", lines)).substr(0, kDigits);
  const std::string file = absl::StrCat(Plain(name), "-", digest, kLibrary);
  const fs::path scratch = fs::path(library).parent_path(), stored = folder_ / file;
  std::error_code error;
  const uintmax_t size = fs::file_size(library, error);
  if (!error) fs::rename(library, stored, error);
  if (error) return absl::UnavailableError(absl::StrCat(library, ": ", error.message()));
  if (absl::Status open = base::MakePrivate(stored); !open.ok()) return open;
  const absl::Status written =
      WriteWhole(folder_ / (key + kMade), scratch, absl::StrCat(size, " ", file, "\n", lines));
  if (!written.ok()) return written;
  fs::remove_all(scratch, error);
  RemoveOld();
  return stored.string();
}

// Failures only cost space.
void LibraryCache::RemoveOld() const {
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (const std::string_view kind : {kLibrary, kMade}) {
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
      if (absl::EndsWith(entry.path().string(), kind))
        files.emplace_back(entry.last_write_time(error), entry.path());
    }
    std::sort(files.rbegin(), files.rend());
    for (size_t i = most_; i < files.size(); ++i) fs::remove(files[i].second, error);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    const bool scratch = absl::StartsWith(entry.path().filename().string(), kScratch);
    if (scratch && now - entry.last_write_time(error) > kLeftBehind)
      fs::remove_all(entry.path(), error);
  }
}

}  // namespace assay::kernel
