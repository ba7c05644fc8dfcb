#include "benchmarks/backends/module_cache.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <vector>

#include "benchmarks/harness/text/byte_text.h"

namespace assay::backends {
namespace {

namespace fs = std::filesystem;

struct Kept {
  fs::file_time_type used;
  fs::path path;
  int64_t bytes = 0;
};

// Files that vanish meanwhile are left out.
std::vector<Kept> FilesOf(const std::string& folder) {
  std::vector<Kept> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::error_code gone;
    if (!entry.is_regular_file(gone) || gone) continue;
    if (entry.path().extension() == kDigestEnding) continue;  // goes with its file
    Kept kept = {.used = entry.last_write_time(gone), .path = entry.path()};
    if (gone) continue;
    kept.bytes = static_cast<int64_t>(entry.file_size(gone));
    if (!gone) files.push_back(kept);
  }
  return files;
}

}  // namespace

void NoteUse(const std::string& path) {
  std::error_code ignored;  // a folder of somebody else's is never trimmed by us
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
}

void TrimFolder(const std::string& folder, int64_t most_bytes) {
  std::vector<Kept> files = FilesOf(folder);
  int64_t bytes = 0;
  for (const Kept& kept : files) bytes += kept.bytes;
  std::sort(files.begin(), files.end(),
            [](const Kept& a, const Kept& b) { return a.used < b.used; });
  const fs::file_time_type lately = fs::file_time_type::clock::now() - kKeptAfterUse;
  int removed = 0;
  for (const Kept& kept : files) {
    if (bytes <= most_bytes || kept.used > lately) break;
    std::error_code error;
    if (!fs::remove(kept.path, error)) continue;
    fs::remove(kept.path.string() + std::string(kDigestEnding), error);
    bytes -= kept.bytes;
    ++removed;
  }
  if (removed == 0) return;
  std::cerr << "module    " << removed << " of " << files.size() << " files of " << folder
            << " were removed, used longest ago; it keeps " << base::ByteText(most_bytes) << "\n";
}

}  // namespace assay::backends
