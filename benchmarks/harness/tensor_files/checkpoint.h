#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_CHECKPOINT_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_CHECKPOINT_H_

// ---------------------------------------------------------------------------------------------
// checkpoint.h: reads a model's weights as people publish them: one safetensors file, or several
// with an index, as Hugging Face's libraries write them:
//
//   model.safetensors.index.json   {"metadata": {"total_size": 9}, "weight_map": {"a": "x", ...}}
//   model-00001-of-00002.safetensors ...
//
// It is strict, since a checkpoint may come from anywhere: a shard is a plain file name beside its
// index, no name occurs twice, and the shards hold exactly the tensors that the index names. Files
// are mapped (mapped_file.h), so opening one of 100 GB takes no memory.
//
// Not for: pickled checkpoints (.pt, .bin: programs, not data), nor for matching names with a
// model's (checkpoints/checkpoint_loading.h).
//
// Example:
//   absl::StatusOr<Checkpoint> checkpoint = Checkpoint::Open("bert/model.safetensors");
//   for (const auto& [name, where] : checkpoint->tensors()) Use(where.shard->file, *where.entry);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/tensor_files/safetensors.h"

namespace assay::tensor_files {

// Which file holds a tensor, by the tensor's name: the weight_map of an index. DataLoss where it is
// no JSON, has a name twice, other members than "metadata" and "weight_map", or file names with a
// '/', "..", a control byte, or nothing.
absl::StatusOr<std::map<std::string, std::string>> ParseCheckpointIndex(std::string_view json);

class Checkpoint {
 public:
  struct Shard {
    std::shared_ptr<const MappedFile> file;
    SafetensorsIndex index;
  };
  struct Place {
    const Shard* shard;
    const SafetensorsEntry* entry;
  };

  // A .safetensors file, an index (*.json), or a folder that holds model.safetensors,
  // model.safetensors.index.json, or exactly one file of either kind. DataLoss with the file's
  // name where something is malformed or does not fit together; NotFound and so on where a file
  // cannot be read; InvalidArgument where a folder holds none or several.
  static absl::StatusOr<Checkpoint> Open(const std::string& path);

  const std::map<std::string, Place>& tensors() const { return tensors_; }  // by name
  const std::string& name() const { return name_; }  // last part of the path of file or index
  int64_t bytes() const;                             // of all files

  // The file's sha256; of several, that of the text that `sha256sum SHARD...` prints in the folder
  // (shards in alphabetical order). Reads every byte once.
  std::string Sha256() const;

 private:
  static absl::StatusOr<Checkpoint> OpenFile(const std::string& path);
  static absl::StatusOr<Checkpoint> OpenIndex(const std::string& path);
  absl::Status AddShard(const std::string& path);

  std::string name_;
  std::vector<std::unique_ptr<const Shard>> shards_;
  std::map<std::string, Place> tensors_;
};

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_CHECKPOINT_H_
