#include "benchmarks/harness/runner/given/given_tensors.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/tensor_files/numpy/npy_folder.h"
#include "benchmarks/harness/tensor_files/numpy/npz.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::runner {
namespace {

namespace fs = std::filesystem;
using tensor_files::NpyFile;
using tensor_files::StoredTensor;

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

absl::StatusOr<std::vector<StoredTensor>> CopyAll(const std::string& path,
                                                  const std::vector<NpyFile>& files) {
  std::vector<StoredTensor> tensors;
  for (const NpyFile& file : files) {
    absl::StatusOr<at::Tensor> tensor = tensor_files::CopyTensor(file.array.Tensor(file.name));
    if (!tensor.ok()) {
      return absl::Status(tensor.status().code(),
                          absl::StrCat(path, ": ", tensor.status().message()));
    }
    tensors.push_back({file.name, *std::move(tensor)});
  }
  return tensors;
}

absl::StatusOr<std::vector<StoredTensor>> ReadNamed(const std::string& path) {
  if (!absl::EndsWith(path, ".npz")) return tensor_files::ReadTensors(path);
  const absl::StatusOr<std::vector<NpyFile>> files = tensor_files::ReadNpz(path);
  if (!files.ok()) return files.status();
  return CopyAll(path, *files);
}

absl::StatusOr<std::vector<at::Tensor>> ByPosition(const std::string& folder,
                                                   const std::vector<std::string>& names,
                                                   std::string_view stem) {
  const absl::StatusOr<std::vector<NpyFile>> files = tensor_files::ReadNpyFolder(folder, stem);
  if (!files.ok()) return files.status();
  if (files->size() != names.size()) {
    return absl::InvalidArgumentError(absl::StrCat(folder, ": it holds ", files->size(), " ", stem,
                                                   "s, the case has ", names.size(), ": ",
                                                   absl::StrJoin(names, ", ")));
  }
  absl::StatusOr<std::vector<StoredTensor>> tensors = CopyAll(folder, *files);
  if (!tensors.ok()) return tensors.status();
  std::vector<at::Tensor> result;
  for (StoredTensor& stored : *tensors) result.push_back(std::move(stored.tensor));
  return result;
}

// "missing "a", "b"": names the first five.
std::string Listed(std::string_view head, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min<size_t>(names.size(), 5); ++i) {
    shown.push_back(base::Quoted(names[i]));
  }
  if (shown.size() < names.size()) shown.push_back(absl::StrCat(names.size(), " in all"));
  return absl::StrCat("; ", head, " ", absl::StrJoin(shown, ", "));
}

}  // namespace

absl::StatusOr<std::vector<at::Tensor>> ReadGivenTensors(const std::string& path,
                                                         const std::vector<std::string>& names,
                                                         std::string_view stem) {
  if (IsFolder(path)) return ByPosition(path, names, stem);
  absl::StatusOr<std::vector<StoredTensor>> stored = ReadNamed(path);
  if (!stored.ok()) return stored.status();
  std::map<std::string, at::Tensor> found;
  for (StoredTensor& tensor : *stored) found[tensor.name] = std::move(tensor.tensor);
  std::vector<at::Tensor> result;
  std::vector<std::string> missing, unexpected;
  for (const std::string& name : names) {
    const auto place = found.find(name);
    if (place == found.end()) {
      missing.push_back(name);
      continue;
    }
    result.push_back(std::move(place->second));
    found.erase(place);
  }
  for (const auto& [name, tensor] : found) unexpected.push_back(name);
  if (missing.empty() && unexpected.empty()) return result;
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": it must hold the ", stem, "s ", absl::StrJoin(names, ", "),
                   Listed("missing", missing), Listed("unexpected", unexpected)));
}

absl::StatusOr<GivenFile> IdentityOf(const std::string& path) {
  GivenFile given;
  given.set_name(fs::path(path).lexically_normal().filename().string());
  std::vector<std::string> files = {path};
  if (IsFolder(path)) {
    files.clear();
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored)) {
      if (entry.path().extension() == ".npy") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
  }
  std::string lines;
  for (const std::string& file : files) {
    const auto mapped = tensor_files::MappedFile::Open(file);
    if (!mapped.ok()) return mapped.status();
    given.set_sha256(base::Sha256Hex((*mapped)->bytes(), [&mapped](size_t begin, size_t end) {
      (*mapped)->Release(begin, end);
    }));
    given.set_size_bytes(given.size_bytes() + static_cast<int64_t>((*mapped)->bytes().size()));
    absl::StrAppend(&lines, given.sha256(), "  ", fs::path(file).filename().string(), "\n");
  }
  if (files.size() != 1) given.set_sha256(base::Sha256Hex(lines));
  return given;
}

absl::StatusOr<GivenFile> IdentityOf(const std::string& path,
                                     const std::vector<std::string>& others) {
  absl::StatusOr<GivenFile> given = IdentityOf(path);
  if (!given.ok() || others.empty()) return given;
  std::string lines = absl::StrCat(given->sha256(), "\n");
  for (const std::string& other : others) {
    const absl::StatusOr<GivenFile> found = IdentityOf(other);
    if (!found.ok()) return found.status();
    given->set_size_bytes(given->size_bytes() + found->size_bytes());
    absl::StrAppend(&lines, found->sha256(), "\n");
  }
  given->set_sha256(base::Sha256Hex(lines));
  return given;
}

absl::Status CheckUnchanged(const std::string& path, const GivenFile& identity) {
  const absl::StatusOr<GivenFile> now = IdentityOf(path);
  if (!now.ok()) return now.status();
  if (now->sha256() == identity.sha256()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": it was replaced while it was read; run again once it is complete"));
}

bool Unreadable(const absl::Status& status) {
  return absl::IsNotFound(status) || absl::IsPermissionDenied(status) ||
         absl::IsUnavailable(status);
}

}  // namespace assay::runner
