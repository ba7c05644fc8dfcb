#include "benchmarks/harness/tensor_files/safetensors.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/safetensors_internal.h"

namespace assay::tensor_files {
namespace {

constexpr std::string_view kFaultPayload = "assay/safetensors-fault";

struct DtypeRow {
  SafetensorsDtype dtype;
  std::string_view name;
  int64_t item_bytes;
};

constexpr std::array<DtypeRow, 16> kDtypes = {{
    {SafetensorsDtype::kBool, "BOOL", 1},
    {SafetensorsDtype::kU8, "U8", 1},
    {SafetensorsDtype::kI8, "I8", 1},
    {SafetensorsDtype::kF8E5M2, "F8_E5M2", 1},
    {SafetensorsDtype::kF8E4M3, "F8_E4M3", 1},
    {SafetensorsDtype::kI16, "I16", 2},
    {SafetensorsDtype::kU16, "U16", 2},
    {SafetensorsDtype::kF16, "F16", 2},
    {SafetensorsDtype::kBF16, "BF16", 2},
    {SafetensorsDtype::kI32, "I32", 4},
    {SafetensorsDtype::kU32, "U32", 4},
    {SafetensorsDtype::kF32, "F32", 4},
    {SafetensorsDtype::kC64, "C64", 8},
    {SafetensorsDtype::kF64, "F64", 8},
    {SafetensorsDtype::kI64, "I64", 8},
    {SafetensorsDtype::kU64, "U64", 8},
}};

// The rows stand in the order of the enum.
const DtypeRow& RowOf(SafetensorsDtype dtype) { return kDtypes[static_cast<size_t>(dtype)]; }

constexpr std::array<std::string_view, 15> kFaultNames = {
    "kTooShort",    "kHeaderTooLong", "kNotAnObject",  "kBadJson",       "kDuplicateKey",
    "kBadMetadata", "kBadEntry",      "kUnknownDtype", "kShapeOverflow", "kSizeMismatch",
    "kHole",        "kOverlap",       "kTruncated",    "kTrailingBytes", "kBadName",
};

}  // namespace

std::string_view SafetensorsFaultName(SafetensorsFault fault) {
  return kFaultNames[static_cast<size_t>(fault) - 1];
}

std::optional<SafetensorsFault> SafetensorsFaultOf(const absl::Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kFaultPayload);
  int number = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &number)) {
    return std::nullopt;
  }
  return static_cast<SafetensorsFault>(number);
}

int64_t ItemBytes(SafetensorsDtype dtype) { return RowOf(dtype).item_bytes; }

std::string_view SafetensorsDtypeName(SafetensorsDtype dtype) { return RowOf(dtype).name; }

const SafetensorsEntry* SafetensorsIndex::Find(std::string_view name) const {
  for (const SafetensorsEntry& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

namespace internal {

absl::Status FaultStatus(absl::StatusCode code, SafetensorsFault fault, std::string_view message) {
  absl::Status status(code, message);
  status.SetPayload(kFaultPayload, absl::Cord(absl::StrCat(static_cast<int>(fault))));
  return status;
}

std::optional<SafetensorsDtype> SafetensorsDtypeFromName(std::string_view name) {
  for (const DtypeRow& row : kDtypes) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

std::optional<uint64_t> BytesOf(const std::vector<int64_t>& shape, SafetensorsDtype dtype) {
  int64_t bytes = ItemBytes(dtype);
  bool empty = false;
  for (const int64_t size : shape) {
    if (size < 0) return std::nullopt;
    if (size == 0) empty = true;
    if (bytes > std::numeric_limits<int64_t>::max() / std::max<int64_t>(size, 1)) {
      return std::nullopt;
    }
    bytes *= std::max<int64_t>(size, 1);
  }
  return empty ? 0 : static_cast<uint64_t>(bytes);
}

absl::Status AtPath(std::string_view path, const absl::Status& status) {
  absl::Status result(status.code(), absl::StrCat(path, ": ", status.message()));
  status.ForEachPayload(
      [&result](absl::string_view url, const absl::Cord& cord) { result.SetPayload(url, cord); });
  return result;
}

}  // namespace internal
}  // namespace assay::tensor_files
