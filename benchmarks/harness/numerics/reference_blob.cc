// A reference as bytes: SerializeReference, ParseReference, ReadReference.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/base/strange_text.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/safetensors.h"

namespace assay::numerics {
namespace {

// Far above any reference (they are samples), far below what would exhaust a machine.
constexpr int64_t kMostBlobBytes = int64_t{1} << 30;

constexpr std::string_view kValues = "#values";
constexpr std::string_view kShape = "#shape";
constexpr std::string_view kStats = "#stats";

template <typename T>
std::string_view BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// The tensors of a file that are not yet assigned to an output.
class Unclaimed {
 public:
  Unclaimed(std::string_view file, const tensor_files::SafetensorsIndex& index)
      : file_(file), index_(index) {
    for (const tensor_files::SafetensorsEntry& entry : index.entries) entries_[entry.name] = &entry;
  }

  bool Has(const std::string& name) const { return entries_.contains(name); }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) names.push_back(name);
    return names;
  }

  template <typename T>
  absl::StatusOr<std::vector<T>> TakeVector(const std::string& name,
                                            tensor_files::SafetensorsDtype dtype) {
    const auto entry = Take(name, dtype);
    if (!entry.ok()) return entry.status();
    if ((*entry)->shape.size() != 1) {
      return absl::DataLossError(absl::StrCat("tensor \"", name, "\" is not one-dimensional"));
    }
    return Copy<T>(**entry);
  }

  // A tensor of any shape.
  absl::StatusOr<const tensor_files::SafetensorsEntry*> Take(const std::string& name,
                                                             tensor_files::SafetensorsDtype dtype) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
      return absl::DataLossError(absl::StrCat("tensor \"", name, "\" is missing"));
    }
    const tensor_files::SafetensorsEntry* entry = found->second;
    if (entry->dtype != dtype) {
      return absl::DataLossError(absl::StrCat(
          "tensor \"", name, "\" is ", tensor_files::SafetensorsDtypeName(entry->dtype),
          ", must be ", tensor_files::SafetensorsDtypeName(dtype)));
    }
    entries_.erase(found);
    return entry;
  }

  template <typename T>
  std::vector<T> Copy(const tensor_files::SafetensorsEntry& entry) const {
    const std::string_view data = index_.Data(file_, entry);
    std::vector<T> values(data.size() / sizeof(T));
    if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
    return values;
  }

 private:
  std::string_view file_;
  const tensor_files::SafetensorsIndex& index_;
  std::map<std::string, const tensor_files::SafetensorsEntry*> entries_;
};

absl::Status TakeWhole(Unclaimed& tensors, ReferenceOutput& output) {
  const auto entry = tensors.Take(output.name, tensor_files::SafetensorsDtype::kF64);
  if (!entry.ok()) return entry.status();
  output.shape = (*entry)->shape;
  output.values = tensors.Copy<double>(**entry);
  return absl::OkStatus();
}

// Fills in the positions, which a blob does not hold.
absl::Status PlaceSample(ReferenceOutput& output) {
  const absl::StatusOr<int64_t> elements = ElementsOf(output.shape);
  if (!elements.ok()) return elements.status();
  absl::StatusOr<std::vector<int64_t>> indices = SampleIndices(output.name, *elements);
  if (!indices.ok()) return absl::DataLossError(indices.status().message());
  output.indices = *std::move(indices);
  return absl::OkStatus();
}

absl::Status TakeSample(Unclaimed& tensors, ReferenceOutput& output) {
  auto values = tensors.TakeVector<double>(absl::StrCat(output.name, kValues),
                                           tensor_files::SafetensorsDtype::kF64);
  if (!values.ok()) return values.status();
  auto shape = tensors.TakeVector<int64_t>(absl::StrCat(output.name, kShape),
                                           tensor_files::SafetensorsDtype::kI64);
  if (!shape.ok()) return shape.status();
  output.sampled = true;
  output.values = *std::move(values);
  output.shape = *std::move(shape);
  return PlaceSample(output);
}

absl::StatusOr<ReferenceOutput> TakeOutput(Unclaimed& tensors, const std::string& name) {
  ReferenceOutput output;
  output.name = name;
  const auto stats =
      tensors.TakeVector<double>(absl::StrCat(name, kStats), tensor_files::SafetensorsDtype::kF64);
  if (!stats.ok()) return stats.status();
  if (stats->size() != 4) {
    return absl::DataLossError(absl::StrCat("tensor \"", name, kStats, "\" has ", stats->size(),
                                            " elements, must have 4"));
  }
  output.stats = {
      .mean = (*stats)[0], .std = (*stats)[1], .l2_norm = (*stats)[2], .max_abs = (*stats)[3]};
  absl::Status status =
      tensors.Has(name) ? TakeWhole(tensors, output) : TakeSample(tensors, output);
  if (!status.ok()) return status;
  if (status = Validate(output); !status.ok()) return status;
  return output;
}

// A guess, from the first bytes, what the file is instead of a blob.
std::string_view Suspicion(std::string_view bytes) {
  if (bytes.empty()) return "; the file is empty";
  if (bytes.starts_with('<')) return "; it looks like a web page, e.g. a server's error";
  if (bytes.starts_with("version https://git-lfs")) {
    return "; it is a Git LFS pointer, not the file: run git lfs pull";
  }
  return "";
}

absl::Status CheckDigest(const std::string& path, std::string_view bytes,
                         std::string_view expected) {
  if (!base::IsSha256Hex(expected)) {
    return absl::InvalidArgumentError(absl::StrCat("reference ", path, ": the lock's sha256 \"",
                                                   expected, "\" is not 64 hex digits"));
  }
  const std::string got = base::Sha256Hex(bytes);
  if (got == expected) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("reference ", path, " is damaged or another file\n  sha256 expected  ", expected,
                   "\n  sha256 of file   ", got, " (", bytes.size(), " bytes", Suspicion(bytes),
                   ")\n  Bring back the one that the package's lock.bzl names (git checkout "
                   "artifacts), or make it anew: tools/bazel run //tools:generate_artifacts."));
}

// Checks that a blob holds the prescribed sample, whose positions readers know, and statistics of
// the whole.
absl::Status CheckSample(const ReferenceOutput& output) {
  const absl::StatusOr<int64_t> elements = ElementsOf(output.shape);
  if (!elements.ok()) return elements.status();
  const absl::StatusOr<std::vector<int64_t>> prescribed = SampleIndices(output.name, *elements);
  if (!prescribed.ok()) return prescribed.status();
  if (output.indices == *prescribed && !output.stats_of_sample) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("reference output \"", output.name, "\": ",
                   output.stats_of_sample ? "its statistics are those of a part"
                                          : "it is sampled at other positions than prescribed",
                   "; make it from the whole output (MakeReferenceOutput)"));
}

// "#" separates an output's name from its parts.
absl::Status CheckName(const std::string& name) {
  if (!name.empty() && name.find('#') == name.npos) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("reference output \"", name, "\": a name is not empty and has no '#'"));
}

}  // namespace

absl::StatusOr<std::string> SerializeReference(const ReferenceOutputs& reference) {
  std::vector<tensor_files::SafetensorsTensor> tensors;
  std::vector<std::vector<double>> stats;  // what `tensors` points to; never reallocated
  stats.reserve(reference.outputs.size());
  const auto vector_of = [](std::string name, tensor_files::SafetensorsDtype dtype,
                            const auto& values) {
    return tensor_files::SafetensorsTensor{
        std::move(name), dtype, {static_cast<int64_t>(values.size())}, BytesOf(values)};
  };
  for (const ReferenceOutput& output : reference.outputs) {
    if (absl::Status status = CheckName(output.name); !status.ok()) return status;
    if (absl::Status status = Validate(output); !status.ok()) {
      return absl::InvalidArgumentError(status.message());
    }
    const OutputStats& four = output.stats;
    stats.push_back({four.mean, four.std, four.l2_norm, four.max_abs});
    const std::string& name = output.name;
    tensors.push_back(
        vector_of(absl::StrCat(name, kStats), tensor_files::SafetensorsDtype::kF64, stats.back()));
    if (!output.sampled) {
      tensors.push_back(
          {name, tensor_files::SafetensorsDtype::kF64, output.shape, BytesOf(output.values)});
      continue;
    }
    if (absl::Status status = CheckSample(output); !status.ok()) return status;
    tensors.push_back(vector_of(absl::StrCat(name, kValues), tensor_files::SafetensorsDtype::kF64,
                                output.values));
    tensors.push_back(
        vector_of(absl::StrCat(name, kShape), tensor_files::SafetensorsDtype::kI64, output.shape));
  }
  if (tensors.empty()) return absl::InvalidArgumentError("a reference needs at least one output");
  std::map<std::string, std::string> metadata = reference.metadata;
  metadata["format"] = std::string(kReferenceFormat);
  return tensor_files::SerializeSafetensors(std::move(tensors), metadata);
}

namespace {

absl::StatusOr<ReferenceOutputs> ParseParts(std::string_view bytes) {
  const absl::StatusOr<tensor_files::SafetensorsIndex> index =
      tensor_files::ParseSafetensors(bytes);
  if (!index.ok()) return index.status();
  const auto format = index->metadata.find("format");
  if (format == index->metadata.end() || format->second != kReferenceFormat) {
    const std::string_view found =
        format == index->metadata.end() ? "missing" : std::string_view(format->second);
    return absl::DataLossError(absl::StrCat(
        "metadata \"format\" is ", found, ", must be ", kReferenceFormat,
        "; make the blob anew: tools/bazel run //tools:generate_artifacts -- --accept-drift='",
        kReferenceFormat, "'"));
  }
  Unclaimed tensors(bytes, *index);
  ReferenceOutputs reference;
  for (const std::string& key : tensors.Names()) {
    std::string_view name = key;
    if (!absl::ConsumeSuffix(&name, kStats)) continue;
    absl::StatusOr<ReferenceOutput> output = TakeOutput(tensors, std::string(name));
    if (!output.ok()) return output.status();
    reference.outputs.push_back(*std::move(output));
  }
  if (const std::vector<std::string> left = tensors.Names(); !left.empty()) {
    return absl::DataLossError(
        absl::StrCat("tensor \"", left[0], "\" belongs to no output (", left.size(), " such)"));
  }
  if (reference.outputs.empty()) return absl::DataLossError("it holds no output");
  std::sort(reference.outputs.begin(), reference.outputs.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  reference.metadata = index->metadata;
  reference.sha256 = base::Sha256Hex(bytes);
  return reference;
}

// Messages quote names, which may hold any bytes, and go to a terminal.
absl::Status Printable(const absl::Status& status) {
  return absl::Status(status.code(), base::Printable(status.message(), 500));
}

}  // namespace

absl::StatusOr<ReferenceOutputs> ParseReference(std::string_view bytes) {
  absl::StatusOr<ReferenceOutputs> reference = ParseParts(bytes);
  if (!reference.ok()) return Printable(reference.status());
  return reference;
}

absl::StatusOr<ReferenceOutputs> ReadReference(const std::string& path,
                                               std::string_view expected_sha256) {
  if (expected_sha256.empty()) {
    return absl::NotFoundError(
        "the lock has no reference for this case; run tools/bazel run //tools:generate_artifacts");
  }
  const absl::StatusOr<std::string> bytes = tensor_files::ReadFile(path, kMostBlobBytes);
  if (!bytes.ok()) return bytes.status();
  if (absl::Status status = CheckDigest(path, *bytes, expected_sha256); !status.ok()) return status;
  absl::StatusOr<ReferenceOutputs> reference = ParseReference(*bytes);
  if (reference.ok()) return reference;
  return absl::DataLossError(absl::StrCat("reference ", path, " (sha256 ", expected_sha256,
                                          " as in the lock): ", reference.status().message()));
}

}  // namespace assay::numerics
