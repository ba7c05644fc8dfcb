#include "benchmarks/harness/base/private_path.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace assay::base {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kRoot = 0;
// Whom a user namespace shows as the owner of what belongs to nobody in it, root among them.
constexpr uid_t kNobody = 65534;

// The path, then each folder above it.
absl::Status CheckUpwards(fs::path path) {
  for (bool above = false;; above = true) {
    struct stat file;
    if (stat(path.c_str(), &file) != 0) return absl::ErrnoToStatus(errno, path.string());
    const absl::Status checked = CheckPrivate(path, file, geteuid(), above);
    if (!checked.ok() || path == path.parent_path()) return checked;
    path = path.parent_path();
  }
}

}  // namespace

absl::Status CheckPrivate(const fs::path& path, const struct stat& file, uid_t user, bool above) {
  const uid_t owner = file.st_uid;
  if (owner != user && owner != kRoot && !(above && owner == kNobody)) {
    return absl::PermissionDeniedError(
        absl::StrCat(path.string(), " belongs to user ", owner, " and not to you"));
  }
  const bool written = (file.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  const bool sticky = S_ISDIR(file.st_mode) && (file.st_mode & S_ISVTX) != 0;
  if (!written || (above && sticky)) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrFormat("%s can be written by others (mode %04o); chmod go-w %s", path.string(),
                      file.st_mode & 07777, path.string()));
}

absl::Status CheckPrivate(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  const absl::Status as_named = CheckUpwards(absolute);
  if (!as_named.ok()) return as_named;
  const fs::path real = fs::canonical(absolute, error);
  if (error) return absl::ErrnoToStatus(error.value(), path.string());
  return real == absolute ? absl::OkStatus() : CheckUpwards(real);
}

absl::Status MakePrivateFolders(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return absl::OkStatus();
  if (folder.has_parent_path() && folder.parent_path() != folder) {
    const absl::Status parent = MakePrivateFolders(folder.parent_path());
    if (!parent.ok()) return parent;
  }
  if (mkdir(folder.c_str(), 0700) == 0 || (errno == EEXIST && fs::is_directory(folder, error)))
    return absl::OkStatus();
  return absl::ErrnoToStatus(errno, folder.string());
}

absl::Status MakePrivate(const fs::path& file) {
  std::error_code error;
  fs::permissions(file, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove,
                  error);
  return error ? absl::ErrnoToStatus(error.value(), file.string()) : absl::OkStatus();
}

}  // namespace assay::base
