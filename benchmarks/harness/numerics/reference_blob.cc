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
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/safetensors.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::numerics {
namespace {

// Far above any reference (they are samples), far below what would exhaust a machine.
constexpr int64_t kMostBlobBytes = int64_t{1} << 30;

constexpr std::string_view kStats = "#stats";
constexpr size_t kStatsOfOne = 4;

template <typename T>
std::string_view BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
std::vector<double> DoublesOf(std::string_view data) {
  std::vector<T> values(data.size() / sizeof(T));
  if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
  return std::vector<double>(values.begin(), values.end());
}

std::string TensorName(const ReferenceOutput& output) {
  if (!output.sampled) return output.name;
  return absl::StrCat(output.name, "#", absl::StrJoin(output.shape, "x"));
}

// Splits "NAME#2x1000"; false where it is something else.
bool ParseSampleName(std::string_view tensor, ReferenceOutput& output) {
  const std::pair<std::string_view, std::string_view> parts =
      absl::StrSplit(tensor, absl::MaxSplits('#', 1));
  for (const std::string_view size : absl::StrSplit(parts.second, 'x')) {
    int64_t parsed = 0;
    // The same text again, so that no other spelling names the same shape.
    if (!absl::SimpleAtoi(size, &parsed) || parsed < 0 || absl::StrCat(parsed) != size)
      return false;
    output.shape.push_back(parsed);
  }
  output.name = parts.first;
  return !output.name.empty();
}

// All of an output but its statistics.
absl::StatusOr<ReferenceOutput> ReadOutput(const tensor_files::SafetensorsEntry& entry,
                                           std::string_view data) {
  using enum tensor_files::SafetensorsDtype;
  const auto damaged = [&](std::string_view problem) {
    return absl::DataLossError(absl::StrCat("tensor \"", entry.name, "\" ", problem));
  };
  ReferenceOutput output;
  if (entry.dtype != kF64 && entry.dtype != kF32) {
    return damaged(absl::StrCat("is ", tensor_files::SafetensorsDtypeName(entry.dtype),
                                ", must be F64 or F32"));
  }
  output.float32 = entry.dtype == kF32;
  output.values = output.float32 ? DoublesOf<float>(data) : DoublesOf<double>(data);
  output.sampled = absl::StrContains(entry.name, '#');
  if (!output.sampled) {
    output.name = entry.name;
    output.shape = entry.shape;
    return output;
  }
  if (!ParseSampleName(entry.name, output) || entry.shape.size() != 1)
    return damaged("is neither an output nor a sample \"NAME#2x1000\" in one dimension");
  absl::StatusOr<std::vector<int64_t>> indices = SampleIndices(output.name, output.shape);
  if (!indices.ok()) return absl::DataLossError(indices.status().message());
  output.indices = *std::move(indices);
  return output;
}

bool ByName(const ReferenceOutput& a, const ReferenceOutput& b) { return a.name < b.name; }

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
  const absl::StatusOr<std::vector<int64_t>> prescribed = SampleIndices(output.name, output.shape);
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
  if (reference.outputs.empty())
    return absl::InvalidArgumentError("a reference needs at least one output");
  std::vector<ReferenceOutput> outputs = reference.outputs;
  std::sort(outputs.begin(), outputs.end(), ByName);
  std::vector<tensor_files::SafetensorsTensor> tensors;
  std::vector<double> stats;
  std::vector<std::vector<float>> narrow(outputs.size());  // what `tensors` points to
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ReferenceOutput& output = outputs[i];
    if (absl::Status status = CheckName(output.name); !status.ok()) return status;
    if (i > 0 && output.name == outputs[i - 1].name) {
      return absl::InvalidArgumentError(
          absl::StrCat("reference output \"", output.name, "\" is there twice"));
    }
    if (!output.nonfinite.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "reference output \"", output.name, "\" holds NaN or infinity; a blob holds neither"));
    }
    if (absl::Status status = Validate(output); !status.ok())
      return absl::InvalidArgumentError(status.message());
    if (output.sampled) {
      if (absl::Status status = CheckSample(output); !status.ok()) return status;
    }
    const OutputStats& four = output.stats;
    stats.insert(stats.end(), {four.mean, four.std, four.l2_norm, four.max_abs});
    if (output.float32) narrow[i].assign(output.values.begin(), output.values.end());
    tensors.push_back({TensorName(output),
                       output.float32 ? tensor_files::SafetensorsDtype::kF32
                                      : tensor_files::SafetensorsDtype::kF64,
                       output.sampled
                           ? std::vector<int64_t>{static_cast<int64_t>(output.values.size())}
                           : output.shape,
                       output.float32 ? BytesOf(narrow[i]) : BytesOf(output.values)});
  }
  tensors.push_back({std::string(kStats),
                     tensor_files::SafetensorsDtype::kF64,
                     {static_cast<int64_t>(outputs.size()), kStatsOfOne},
                     BytesOf(stats)});
  std::map<std::string, std::string> metadata = reference.metadata;
  metadata["format"] = std::string(kReferenceFormat);
  return tensor_files::SerializeSafetensors(std::move(tensors), metadata);
}

namespace {

absl::Status CheckFormat(const std::map<std::string, std::string>& metadata) {
  const auto format = metadata.find("format");
  if (format != metadata.end() && format->second == kReferenceFormat) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("metadata \"format\" is ", format == metadata.end() ? "missing" : format->second,
                   ", must be ", kReferenceFormat,
                   "; make the blob anew: tools/bazel run //tools:generate_artifacts -- "
                   "--accept-drift='",
                   kReferenceFormat, "'"));
}

// Gives each output, sorted by name, its row of "#stats".
absl::Status TakeStats(std::string_view bytes, const tensor_files::SafetensorsIndex& index,
                       const tensor_files::SafetensorsEntry* entry,
                       std::vector<ReferenceOutput>& outputs) {
  const std::vector<int64_t> shape = {static_cast<int64_t>(outputs.size()), kStatsOfOne};
  if (entry == nullptr || entry->dtype != tensor_files::SafetensorsDtype::kF64 ||
      entry->shape != shape) {
    return absl::DataLossError(absl::StrCat("no \"#stats\" in F64 with ", outputs.size(),
                                            " rows of 4 numbers, one for each output"));
  }
  const std::vector<double> stats = DoublesOf<double>(index.Data(bytes, *entry));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const double* four = stats.data() + kStatsOfOne * i;
    outputs[i].stats = {.mean = four[0], .std = four[1], .l2_norm = four[2], .max_abs = four[3]};
  }
  return absl::OkStatus();
}

absl::StatusOr<ReferenceOutputs> ParseParts(std::string_view bytes) {
  const absl::StatusOr<tensor_files::SafetensorsIndex> index =
      tensor_files::ParseSafetensors(bytes);
  if (!index.ok()) return index.status();
  if (absl::Status status = CheckFormat(index->metadata); !status.ok()) return status;
  ReferenceOutputs reference;
  const tensor_files::SafetensorsEntry* stats = nullptr;
  for (const tensor_files::SafetensorsEntry& entry : index->entries) {
    if (entry.name == kStats) {
      stats = &entry;
      continue;
    }
    absl::StatusOr<ReferenceOutput> output = ReadOutput(entry, index->Data(bytes, entry));
    if (!output.ok()) return output.status();
    reference.outputs.push_back(*std::move(output));
  }
  std::vector<ReferenceOutput>& outputs = reference.outputs;
  if (outputs.empty()) return absl::DataLossError("it holds no output");
  std::sort(outputs.begin(), outputs.end(), ByName);
  if (absl::Status status = TakeStats(bytes, *index, stats, outputs); !status.ok()) return status;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (i > 0 && outputs[i].name == outputs[i - 1].name)
      return absl::DataLossError(absl::StrCat("output \"", outputs[i].name, "\" is there twice"));
    if (absl::Status status = Validate(outputs[i]); !status.ok()) return status;
  }
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
