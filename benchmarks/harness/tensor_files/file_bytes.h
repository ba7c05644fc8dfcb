#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_FILE_BYTES_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_FILE_BYTES_H_

// ---------------------------------------------------------------------------------------------
// file_bytes.h: reads and writes whole files, with errors that say what to do.
//
// Not for: logs that grow (harness/record), nor for files larger than memory.
//
// Example:
//   absl::StatusOr<std::string> bytes = ReadFile(path, /*most_bytes=*/1 << 30);
//   absl::Status written = WriteFileAtomically(path, content);
// ---------------------------------------------------------------------------------------------

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::tensor_files {

// The bytes of a regular file. NotFound where there is none; FailedPrecondition where it is a
// folder, pipe or device (which could block or never end); OutOfRange, before anything is
// allocated, where it is larger than `most_bytes`; PermissionDenied, Unavailable otherwise.
absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t most_bytes);

// Writes `content` as a whole or not at all: a temporary file beside `path`, fsync, rename, fsync
// of the folder. Replaces an existing file. A reader sees the old content or the new, never a
// part, also after a power cut. ResourceExhausted where the disk is full. `mode`: the permissions of
// the new file; absent: those that any new file gets.
absl::Status WriteFileAtomically(const std::string& path, std::string_view content,
                                 std::optional<mode_t> mode = std::nullopt);

// The same for a content in pieces, which spares a copy of large ones.
absl::Status WriteFileAtomically(const std::string& path, absl::Span<const std::string_view> pieces,
                                 std::optional<mode_t> mode = std::nullopt);

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_FILE_BYTES_H_
