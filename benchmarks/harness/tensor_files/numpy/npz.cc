#include "benchmarks/harness/tensor_files/numpy/npz.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/zip_archive.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::tensor_files {
namespace {

constexpr size_t kLongestName = 200;
constexpr uint64_t kMostZipBytes = uint64_t{1} << 32;
constexpr uint64_t kHarmlessZipBytes = uint64_t{1} << 24;
constexpr uint64_t kMostZipRatio = 200;

bool IsName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
         });
}

// A bomb declares many bytes in a small file.
absl::Status CheckSizes(std::string_view file, const std::vector<ZipEntry>& entries) {
  uint64_t total = 0;
  for (const ZipEntry& entry : entries) total += entry.size;
  if (total > kMostZipBytes || (total > kHarmlessZipBytes && total / kMostZipRatio > file.size())) {
    return ZipFault(absl::StrCat("it declares ", total, " bytes in a file of ", file.size(),
                                 "; at most ", kMostZipRatio, " times its size and ", kMostZipBytes,
                                 ": save large arrays as .npy, uncompressed"));
  }
  return absl::OkStatus();
}

absl::StatusOr<NpyFile> FromMember(const ZipEntry& entry) {
  auto bytes = std::make_shared<std::string>(entry.size, '\0');
  if (const auto read = ZipMemberReader(entry).Read(bytes->data(), bytes->size()); !read.ok())
    return read.status();
  std::string_view name = entry.name;
  const std::string shown = base::Quoted(name);
  if (!absl::ConsumeSuffix(&name, ".npy") || !IsName(name)) {
    return absl::DataLossError(
        absl::StrCat("not a usable npz file: member ", shown,
                     ": a name is at most 200 letters, digits, '_', '.' or '-', then \".npy\""));
  }
  NpyFile file;
  file.name = std::string(name);
  file.bytes = std::move(bytes);
  absl::StatusOr<NpyArray> array = ParseNpy(*file.bytes);
  if (!array.ok()) {
    return absl::DataLossError(absl::StrCat("member ", shown, ": ", array.status().message()));
  }
  file.array = *std::move(array);
  return file;
}

}  // namespace

absl::StatusOr<std::vector<NpyFile>> ParseNpz(std::string_view file) {
  const absl::StatusOr<std::vector<ZipEntry>> entries = ReadZipDirectory(file);
  if (!entries.ok()) return entries.status();
  if (absl::Status status = CheckSizes(file, *entries); !status.ok()) return status;
  std::vector<NpyFile> files;
  for (const ZipEntry& entry : *entries) {
    absl::StatusOr<NpyFile> array = FromMember(entry);
    if (!array.ok()) return array.status();
    files.push_back(*std::move(array));
  }
  std::sort(files.begin(), files.end(),
            [](const NpyFile& a, const NpyFile& b) { return a.name < b.name; });
  return files;
}

absl::StatusOr<std::vector<NpyFile>> ReadNpz(const std::string& path) {
  const absl::StatusOr<std::string> bytes = ReadFile(path, kMostNpyBytes);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<std::vector<NpyFile>> files = ParseNpz(*bytes);
  if (files.ok()) return files;
  return absl::DataLossError(absl::StrCat(path, ": ", files.status().message()));
}

}  // namespace assay::tensor_files
