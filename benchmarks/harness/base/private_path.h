#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_PRIVATE_PATH_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_PRIVATE_PATH_H_

// ---------------------------------------------------------------------------------------------
// private_path.h: whether a file or folder can be believed, because nobody but this process's user (and
// root) can have put it there. What a cache keeps may be loaded as machine code.
//
// Not for secrecy: others may read it.
//
// Example:
//   absl::Status made = MakePrivateFolders(cache / "modules");
//   absl::Status believed = CheckPrivate(cache / "modules" / name);
//   // "/srv/cache can be written by others (mode 0777); chmod go-w /srv/cache"
// ---------------------------------------------------------------------------------------------

#include <sys/stat.h>
#include <sys/types.h>

#include <filesystem>

#include "absl/status/status.h"

namespace assay::base {

// PermissionDenied, with the reason and what mends it, where the path or a folder above it belongs to
// somebody else or can be written by others. A folder above may be one in which all may write and
// nobody removes what is another's, as /tmp. NotFound where the path is not there.
absl::Status CheckPrivate(const std::filesystem::path& path);

// The same of one path, of which `file` is what stat() says, for this user. `above`: it is a folder
// above the one that is asked for.
absl::Status CheckPrivate(const std::filesystem::path& path, const struct stat& file, uid_t user,
                          bool above);

// Makes a folder and those above it, so that others cannot write to them, whatever the umask is. One that is
// there stays as it is.
absl::Status MakePrivateFolders(const std::filesystem::path& folder);

// Takes the right to write to a file of one's own from all others.
absl::Status MakePrivate(const std::filesystem::path& file);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_PRIVATE_PATH_H_
