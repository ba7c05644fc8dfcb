#include "benchmarks/harness/tensor_files/numpy/npz.h"

#include <algorithm>
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
#include "benchmarks/harness/tensor_files/numpy/zip_archive.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::tensor_files {
namespace {

constexpr size_t kLongestName = 200;

bool IsName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
         });
}

absl::StatusOr<NpyFile> FromMember(internal::ZipMember& member) {
  std::string_view name = member.name;
  const std::string shown = base::Quoted(name);
  if (!absl::ConsumeSuffix(&name, ".npy") || !IsName(name)) {
    return absl::DataLossError(
        absl::StrCat("not a usable npz file: member ", shown,
                     ": a name is at most 200 letters, digits, '_', '.' or '-', then \".npy\""));
  }
  NpyFile file;
  file.name = std::string(name);
  file.bytes = std::move(member.bytes);
  absl::StatusOr<NpyArray> array = ParseNpy(*file.bytes);
  if (!array.ok()) {
    return absl::DataLossError(absl::StrCat("member ", shown, ": ", array.status().message()));
  }
  file.array = *std::move(array);
  return file;
}

}  // namespace

absl::StatusOr<std::vector<NpyFile>> ParseNpz(std::string_view file) {
  absl::StatusOr<std::vector<internal::ZipMember>> members = internal::ReadZip(file);
  if (!members.ok()) return members.status();
  std::vector<NpyFile> files;
  for (internal::ZipMember& member : *members) {
    absl::StatusOr<NpyFile> array = FromMember(member);
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
