#include "benchmarks/traces/replay/saved_values.h"

#include <ATen/ops/empty.h>
#include <unistd.h>

#include <cstring>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/tensor_files/safetensors.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"

namespace assay::traces {
namespace {

std::string ValuesPath(std::string_view path) {
  absl::ConsumeSuffix(&path, ".gz");
  return absl::StrCat(absl::StripSuffix(path, ".json"), ".values.safetensors");
}

at::Tensor BytesOf(const std::string& text) {
  at::Tensor bytes = at::empty({static_cast<int64_t>(text.size())}, at::kByte);
  std::memcpy(bytes.mutable_data_ptr(), text.data(), text.size());
  return bytes;
}

}  // namespace

void SavedValues::Release(const at::Tensor& snapshot) const {
  const auto* const first = static_cast<const char*>(snapshot.const_data_ptr());
  const auto begin = static_cast<size_t>(first - file->bytes().data());
  file->Release(begin, begin + snapshot.nbytes());
}

absl::StatusOr<SavedValues> ReadSavedValues(const std::string& path, const Trace& trace) {
  SavedValues saved = {.exact = trace.about.exact};
  const auto generator = trace.about.generators.find("cpu");
  if (generator != trace.about.generators.end()) saved.generator = BytesOf(generator->second);
  std::map<std::string, int64_t> named;  // snapshots with the ids of their nodes
  for (const TraceNode& node : trace.nodes) {
    if (node.recorded == nullptr) continue;
    saved.digests |= !node.recorded->output_digests.empty();
    for (const auto& [place, name] : node.recorded->snapshots) named.emplace(name, node.id);
  }
  if (named.empty()) return saved;
  const std::string values = ValuesPath(path);
  if (access(values.c_str(), F_OK) != 0) {
    return absl::NotFoundError(
        absl::StrCat(values, ", which the trace's values are in, isn't beside the trace"));
  }
  auto file = tensor_files::MappedFile::Open(values);
  if (!file.ok()) return file.status();
  const auto index = tensor_files::ParseSafetensors((*file)->bytes());
  if (!index.ok())
    return absl::Status(index.status().code(),
                        absl::StrCat(values, ": ", index.status().message()));
  saved.file = *std::move(file);
  for (const tensor_files::SafetensorsEntry& entry : index->entries) {
    absl::StatusOr<at::Tensor> tensor = tensor_files::ViewTensor(saved.file, *index, entry);
    if (!tensor.ok()) return tensor.status();
    saved.snapshots.emplace(entry.name, *std::move(tensor));
  }
  for (const auto& [name, node] : named) {
    const auto found = saved.snapshots.find(name);
    if (found != saved.snapshots.end() && found->second.scalar_type() == at::kByte) continue;
    return absl::InvalidArgumentError(absl::StrCat(values, " has no bytes \"", name,
                                                   "\", which node ", node, " of the trace reads"));
  }
  return saved;
}

}  // namespace assay::traces
