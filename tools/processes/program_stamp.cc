#include "tools/processes/program_stamp.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "benchmarks/harness/base/file_state.h"

namespace assay::processes {
namespace {

namespace fs = std::filesystem;

uint64_t FileStamp(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return 0;  // follows links
  uint64_t hash = 0xcbf29ce484222325u;           // FNV-1a, over words
  for (const int64_t word : base::FileState(file)) {
    hash = (hash ^ static_cast<uint64_t>(word)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace

uint64_t StampOf(const std::string& program) {
  uint64_t sum = FileStamp(program);
  std::error_code error;
  // The folder's order is the file system's, so the files' numbers are added up.
  for (fs::recursive_directory_iterator entry(program + ".runfiles", error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->is_regular_file(error)) sum += FileStamp(entry->path().string());
  }
  return sum;
}

}  // namespace assay::processes
