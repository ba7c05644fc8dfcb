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
  int64_t bits;
};

constexpr std::array<DtypeRow, 22> kDtypes = {{
    {SafetensorsDtype::kF4, "F4", 4},
    {SafetensorsDtype::kF6E2M3, "F6_E2M3", 6},
    {SafetensorsDtype::kF6E3M2, "F6_E3M2", 6},
    {SafetensorsDtype::kBool, "BOOL", 8},
    {SafetensorsDtype::kU8, "U8", 8},
    {SafetensorsDtype::kI8, "I8", 8},
    {SafetensorsDtype::kF8E5M2, "F8_E5M2", 8},
    {SafetensorsDtype::kF8E4M3, "F8_E4M3", 8},
    {SafetensorsDtype::kF8E8M0, "F8_E8M0", 8},
    {SafetensorsDtype::kF8E4M3Fnuz, "F8_E4M3FNUZ", 8},
    {SafetensorsDtype::kF8E5M2Fnuz, "F8_E5M2FNUZ", 8},
    {SafetensorsDtype::kI16, "I16", 16},
    {SafetensorsDtype::kU16, "U16", 16},
    {SafetensorsDtype::kF16, "F16", 16},
    {SafetensorsDtype::kBF16, "BF16", 16},
    {SafetensorsDtype::kI32, "I32", 32},
    {SafetensorsDtype::kU32, "U32", 32},
    {SafetensorsDtype::kF32, "F32", 32},
    {SafetensorsDtype::kC64, "C64", 64},
    {SafetensorsDtype::kF64, "F64", 64},
    {SafetensorsDtype::kI64, "I64", 64},
    {SafetensorsDtype::kU64, "U64", 64},
}};

// The rows stand in the order of the enum.
const DtypeRow& RowOf(SafetensorsDtype dtype) { return kDtypes[static_cast<size_t>(dtype)]; }

}  // namespace

std::optional<SafetensorsFault> SafetensorsFaultOf(const absl::Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kFaultPayload);
  int number = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &number)) {
    return std::nullopt;
  }
  return static_cast<SafetensorsFault>(number);
}

int64_t ItemBytes(SafetensorsDtype dtype) { return RowOf(dtype).bits / 8; }

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
  const int64_t bits = RowOf(dtype).bits;
  int64_t units = std::max<int64_t>(bits / 8, 1);  // bytes, or the elements of a packed type
  bool empty = false;
  for (const int64_t size : shape) {
    if (size < 0) return std::nullopt;
    if (size == 0) empty = true;
    if (units > std::numeric_limits<int64_t>::max() / std::max<int64_t>(size, 1)) {
      return std::nullopt;
    }
    units *= std::max<int64_t>(size, 1);
  }
  if (empty) return 0;
  if (bits >= 8) return static_cast<uint64_t>(units);
  return static_cast<uint64_t>(units / 8 * bits + (units % 8 * bits + 7) / 8);
}

bool EndsWithinAByte(const std::vector<int64_t>& shape, SafetensorsDtype dtype) {
  int64_t elements = 1;  // modulo 8, which is all that matters
  for (const int64_t size : shape) elements = elements * (size % 8) % 8;
  return elements * RowOf(dtype).bits % 8 != 0;
}

absl::Status AtPath(std::string_view path, const absl::Status& status) {
  absl::Status result(status.code(), absl::StrCat(path, ": ", status.message()));
  status.ForEachPayload(
      [&result](absl::string_view url, const absl::Cord& cord) { result.SetPayload(url, cord); });
  return result;
}

}  // namespace internal
}  // namespace assay::tensor_files
