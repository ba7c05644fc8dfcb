#include "tools/suite/cluster/staging.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

absl::Status Failed(std::string_view what, const std::string& path, const std::error_code& error) {
  return absl::ErrnoToStatus(error.value(),
                             absl::StrCat("cannot ", what, " ", path,
                                          "; the folder of the results holds what the nodes run: "
                                          "choose another one with --out"));
}

}  // namespace

absl::Status Staging::Link(const std::string& file, const std::string& as) {
  const absl::StatusOr<std::string> digest = digests_.OfFile(file);
  if (!digest.ok()) return digest.status();
  std::error_code error;
  // The mode is part of the name: a link has that of its file.
  const bool runs = access(file.c_str(), X_OK) == 0;
  const std::string blob = absl::StrCat(folder_, "/blobs/", *digest, runs ? "" : ".data");
  if (blobs_.insert(blob).second && !fs::exists(blob, error)) {
    const auto bytes = tensor_files::MappedFile::Open(file);
    if (!bytes.ok()) return bytes.status();
    const absl::Status written =
        tensor_files::WriteFileAtomically(blob, (*bytes)->bytes(), runs ? 0555 : 0444);
    if (!written.ok()) return written;
  }
  fs::create_hard_link(blob, as, error);
  if (error == std::errc::too_many_links) fs::copy_file(blob, as, error);
  return error ? Failed("write", as, error) : absl::OkStatus();
}

absl::StatusOr<StagedProgram> Staging::Stage(const std::string& program) {
  const absl::StatusOr<std::string> digest = digests_.OfProgram(program);
  if (!digest.ok()) return digest.status();
  const std::string name = fs::path(program).filename().string();
  // Programs of other names may be equal.
  const std::string folder = absl::StrCat(folder_, "/programs/", *digest, "-", name);
  names_.insert(fs::path(folder).filename().string());
  const StagedProgram staged = {.path = folder + "/" + name, .digest = *digest};
  std::error_code error;
  if (fs::exists(folder, error)) return staged;
  const std::string partial = absl::StrCat(folder, ".", getpid());
  const std::string runfiles = program + ".runfiles",
                    to_runfiles = absl::StrCat(partial, "/", name, ".runfiles");
  for (const std::string& made : {folder_ + "/blobs", to_runfiles}) {
    fs::create_directories(made, error);
    if (error) return Failed("make the folder", made, error);
  }
  if (absl::Status linked = Link(program, partial + "/" + name); !linked.ok()) return linked;
  if (fs::exists(runfiles, error)) {
    fs::recursive_directory_iterator entry(runfiles, error);
    for (const fs::recursive_directory_iterator end; !error && entry != end;
         entry.increment(error)) {
      const std::string to =
          absl::StrCat(to_runfiles, "/", entry->path().lexically_relative(runfiles).string());
      if (entry->is_regular_file(error)) {
        if (entry->path().filename() == "MANIFEST") continue;  // paths of this machine
        if (absl::Status linked = Link(entry->path().string(), to); !linked.ok()) return linked;
      } else if (entry->is_directory(error)) {
        fs::create_directories(to, error);
        if (error) return Failed("make the folder", to, error);
      }
    }
    if (error) return absl::UnavailableError(absl::StrCat(runfiles, ": ", error.message()));
  }
  fs::rename(partial, folder, error);
  // Another run may have been faster.
  if (error && !fs::exists(folder)) return Failed("write", folder, error);
  if (error) fs::remove_all(partial, error);
  return staged;
}

void KeepStaged(const std::string& folder, const std::set<std::string>& names) {
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder + "/programs", error), end; !error && entry != end;
       entry.increment(error)) {
    if (names.count(entry->path().filename().string()) == 0) fs::remove_all(entry->path(), ignored);
  }
  for (fs::directory_iterator entry(folder + "/blobs", error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->hard_link_count(ignored) == 1) fs::remove(entry->path(), ignored);
  }
}

}  // namespace assay::suite
