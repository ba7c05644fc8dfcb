#include "benchmarks/harness/tensor_files/checkpoint.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/safetensors_internal.h"
#include "benchmarks/harness/text/shell_text.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::tensor_files {
namespace {

namespace fs = std::filesystem;
using base::Quoted;

// A hundred times the index of the largest published model.
constexpr int64_t kMostIndexBytes = 100'000'000;

constexpr std::string_view kIndexSuffix = ".safetensors.index.json";

absl::Status Damaged(const std::string& path, std::string_view problem) {
  return absl::DataLossError(absl::StrCat(path, ": ", problem));
}

// The command that converts a pickled checkpoint. A pickle is a program, and this one does not run
// it. A training script's file has the state behind a key; tensors that share memory cannot be
// saved as they are.
std::string Conversion(const std::string& path) {
  constexpr std::string_view kProgram =
      "import sys, torch; from safetensors.torch import save_file; "
      "w = torch.load(sys.argv[1], map_location=\"cpu\", weights_only=True); "
      "w = w.get(\"state_dict\", w.get(\"model\", w)); "
      "save_file({k: v.clone().contiguous() for k, v in w.items() if torch.is_tensor(v)}, "
      "sys.argv[2])";
  return absl::StrCat("it looks like a pickled PyTorch checkpoint; write it anew:\n  python3 -c '",
                      kProgram, "' ", base::ShellWord(path), " ",
                      base::ShellWord(fs::path(path).replace_extension(".safetensors").string()));
}

// A guess, from the first bytes, what the file is instead.
std::string Suspicion(const std::string& path, std::string_view bytes) {
  const bool pickle = bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
  if (pickle || bytes.starts_with("PK\x03\x04")) return absl::StrCat("; ", Conversion(path));
  if (bytes.starts_with('<')) return "; it looks like a web page, e.g. a server's error";
  if (bytes.starts_with("version https://git-lfs"))
    return "; it is a Git LFS pointer: git lfs pull";
  return "";
}

// The one file of a folder that is a checkpoint.
absl::StatusOr<std::string> FileInFolder(const std::string& folder) {
  std::vector<std::string> indexes, files;
  std::string pickle;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (absl::EndsWith(name, kIndexSuffix)) indexes.push_back(name);
    if (absl::EndsWith(name, ".safetensors")) files.push_back(name);
    // Pickles beside the weights may be something else: training_args.bin, optimizer.pt.
    const bool pickled = name.ends_with(".bin") || name.ends_with(".pth") || name.ends_with(".pt");
    if (pickled && pickle != "pytorch_model.bin") pickle = name;
  }
  if (error) return absl::ErrnoToStatus(error.value(), absl::StrCat("reading folder ", folder));
  // An index says which files belong together; without one there must be a single file.
  std::vector<std::string>& found = indexes.empty() ? files : indexes;
  std::sort(found.begin(), found.end());
  for (const std::string& name : found) {
    if (found.size() == 1 || name == "model.safetensors" || name == "model.safetensors.index.json")
      return absl::StrCat(folder, "/", name);
  }
  if (found.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(folder, ": no *.safetensors and no *", kIndexSuffix, " in this folder",
                     pickle.empty() ? "" : absl::StrCat("; ", base::Quoted(pickle), ": "),
                     pickle.empty() ? "" : Conversion(absl::StrCat(folder, "/", pickle))));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      folder, ": ", found.size(), " checkpoints in this folder; name one of ",
      absl::StrJoin(found.begin(), found.begin() + std::min<size_t>(found.size(), 5), ", ")));
}

}  // namespace

absl::StatusOr<Checkpoint> Checkpoint::Open(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    const absl::StatusOr<std::string> file = FileInFolder(path);
    if (!file.ok()) return file.status();
    return absl::EndsWith(*file, ".json") ? OpenIndex(*file) : OpenFile(*file);
  }
  return absl::EndsWith(path, ".json") ? OpenIndex(path) : OpenFile(path);
}

absl::StatusOr<Checkpoint> Checkpoint::OpenFile(const std::string& path) {
  Checkpoint checkpoint;
  checkpoint.name_ = fs::path(path).filename().string();
  if (absl::Status status = checkpoint.AddShard(path); !status.ok()) return status;
  return checkpoint;
}

absl::StatusOr<Checkpoint> Checkpoint::OpenIndex(const std::string& path) {
  const absl::StatusOr<std::string> json = ReadFile(path, kMostIndexBytes);
  if (!json.ok()) return json.status();
  const absl::StatusOr<std::map<std::string, std::string>> files = ParseCheckpointIndex(*json);
  if (!files.ok()) return internal::AtPath(path, files.status());

  Checkpoint checkpoint;
  checkpoint.name_ = fs::path(path).filename().string();
  std::set<std::string> names;
  for (const auto& [tensor, file] : *files) names.insert(file);
  for (const std::string& name : names) {
    const std::string shard = (fs::path(path).parent_path() / name).string();
    const absl::Status status = checkpoint.AddShard(shard);
    if (absl::IsNotFound(status)) {
      return absl::NotFoundError(absl::StrCat(path, ": its shard ", Quoted(name), " is missing"));
    }
    if (!status.ok()) return status;
  }
  for (const auto& [tensor, file] : *files) {
    const auto found = checkpoint.tensors_.find(tensor);
    if (found == checkpoint.tensors_.end() ||
        fs::path(found->second.shard->file->path()).filename() != file) {
      return Damaged(path, absl::StrCat("tensor ", Quoted(tensor), " is not in ", Quoted(file)));
    }
  }
  for (const auto& [tensor, place] : checkpoint.tensors_) {
    if (!files->contains(tensor)) {
      return Damaged(place.shard->file->path(),
                     absl::StrCat("tensor ", Quoted(tensor), " is not in the index ", path));
    }
  }
  return checkpoint;
}

absl::Status Checkpoint::AddShard(const std::string& path) {
  absl::StatusOr<std::shared_ptr<const MappedFile>> file = MappedFile::Open(path);
  if (!file.ok()) return file.status();
  absl::StatusOr<SafetensorsIndex> index = ParseSafetensors((*file)->bytes());
  if (!index.ok()) {
    return Damaged(path, absl::StrCat(index.status().message(), Suspicion(path, (*file)->bytes())));
  }
  auto shard = std::make_unique<const Shard>(Shard{*std::move(file), *std::move(index)});
  for (const SafetensorsEntry& entry : shard->index.entries) {
    const auto [place, fresh] = tensors_.insert({entry.name, {shard.get(), &entry}});
    if (!fresh) {
      return Damaged(path, absl::StrCat("tensor ", Quoted(entry.name), " is also in ",
                                        place->second.shard->file->path()));
    }
  }
  shards_.push_back(std::move(shard));
  return absl::OkStatus();
}

int64_t Checkpoint::bytes() const {
  int64_t bytes = 0;
  for (const auto& shard : shards_) bytes += static_cast<int64_t>(shard->file->bytes().size());
  return bytes;
}

std::string Checkpoint::Sha256() const {
  if (shards_.size() == 1) return base::Sha256Hex(shards_[0]->file->bytes());
  std::string lines;
  for (const auto& shard : shards_) {
    absl::StrAppend(&lines, base::Sha256Hex(shard->file->bytes()), "  ",
                    fs::path(shard->file->path()).filename().string(), "\n");
  }
  return base::Sha256Hex(lines);
}

}  // namespace assay::tensor_files
