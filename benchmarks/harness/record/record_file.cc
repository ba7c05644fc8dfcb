#include "benchmarks/harness/record/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/record/strict_json.h"

namespace assay::record {
namespace {

std::string_view Mend(int error) {
  switch (error) {
    case ENOENT:
      return "make the folder first";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a file that you may write to";
    case ENOSPC:
    case EDQUOT:
      return "free some space, or choose a file on another disk";
    case EFBIG:
      return "the file has reached the size limit (ulimit -f); choose another file";
    case EISDIR:
      return "name a file, not a folder";
    default:
      return "choose another file";
  }
}

absl::Status Failed(const std::string& path, std::string_view what, int error) {
  return absl::ErrnoToStatus(error,
                             absl::StrFormat("record file %s: %s; %s", path, what, Mend(error)));
}

template <typename Call>
auto WithoutEintr(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// A descriptor, or -1 with errno set.
int OpenForAppend(const std::string& path) {
  return WithoutEintr(
      [&] { return open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644); });
}

// Whether the file ends in the middle of a line.
bool EndsTorn(int fd, off_t size) {
  char last = '\n';
  if (size > 0) WithoutEintr([&] { return pread(fd, &last, 1, size - 1); });
  return last != '\n';
}

// Writes the line and waits for the disk; the error number, or 0.
int WriteAndSync(int fd, std::string_view line) {
  // One write: with O_APPEND it is atomic against writers that ignore the lock.
  const ssize_t written = WithoutEintr([&] { return write(fd, line.data(), line.size()); });
  if (written < 0) return errno;
  if (static_cast<size_t>(written) < line.size()) {
    // A disk that fills up takes what fits. The next write says why it took no more.
    const std::string_view rest = line.substr(static_cast<size_t>(written));
    const ssize_t more = WithoutEintr([&] { return write(fd, rest.data(), rest.size()); });
    if (more < 0) return errno;
    if (static_cast<size_t>(more) < rest.size()) return ENOSPC;
  }
  return WithoutEintr([&] { return fsync(fd); }) < 0 ? errno : 0;
}

}  // namespace

absl::Status CheckAppendable(const std::string& path) {
  const int fd = OpenForAppend(path);
  if (fd < 0) return Failed(path, "cannot be opened", errno);
  close(fd);
  return absl::OkStatus();
}

absl::Status Append(const std::string& path, const Record& record) {
  absl::StatusOr<std::string> json = ToJsonLine(record);
  if (!json.ok()) {
    return absl::Status(json.status().code(),
                        absl::StrFormat("record file %s: %s", path, json.status().message()));
  }
  const int fd = OpenForAppend(path);
  if (fd < 0) return Failed(path, "cannot be opened", errno);
  const absl::Cleanup close_file = [fd] { close(fd); };  // also gives the lock back
  if (WithoutEintr([&] { return flock(fd, LOCK_EX); }) < 0) {
    return Failed(path, "cannot be locked", errno);
  }
  struct stat before = {};
  if (fstat(fd, &before) < 0) return Failed(path, "cannot be examined", errno);

  const std::string line = absl::StrCat(EndsTorn(fd, before.st_size) ? "\n" : "", *json, "\n");
  if (const int error = WriteAndSync(fd, line); error != 0) {
    const bool restored = !S_ISREG(before.st_mode) || ftruncate(fd, before.st_size) == 0;
    return Failed(path,
                  restored ? "the record could not be written, the file is as it was"
                           : "the record could not be written, the last line is torn",
                  error);
  }
  return absl::OkStatus();
}

absl::StatusOr<RecordFile> ReadAll(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return absl::NotFoundError(
        absl::StrFormat("record file %s: cannot be opened; check the name", path));
  }
  RecordFile file;
  std::string line;
  for (int64_t number = 1; std::getline(stream, line); ++number) {
    const bool torn = stream.eof();  // getline met the end before a newline
    if (absl::StripAsciiWhitespace(line).empty()) continue;
    absl::StatusOr<Record> record = FromJsonLine(line);
    if (record.ok()) {
      file.records.push_back(*std::move(record));
      continue;
    }
    const LineProblem::Kind kind = absl::IsUnimplemented(record.status())
                                       ? LineProblem::Kind::kOtherSchema
                                   : torn ? LineProblem::Kind::kTornLastLine
                                          : LineProblem::Kind::kMalformed;
    file.problems.push_back(
        {kind, number,
         absl::StrFormat("%s:%d: %s%s", path, number, torn ? "the last line is torn: " : "",
                         record.status().message())});
  }
  if (stream.bad()) {
    return absl::DataLossError(absl::StrFormat("record file %s: cannot be read to its end", path));
  }
  return file;
}

}  // namespace assay::record
