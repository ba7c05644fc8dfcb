#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_SAFETENSORS_INTERNAL_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_SAFETENSORS_INTERNAL_H_

// ---------------------------------------------------------------------------------------------
// safetensors_internal.h: what the readers and the writer of this folder share.
//
// Not for: anything outside of this folder.
//
// Example:
//   return FaultStatus(absl::StatusCode::kDataLoss, SafetensorsFault::kHole, "...");
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/tensor_files/safetensors.h"

namespace assay::tensor_files::internal {

inline constexpr uint64_t kLengthBytes = 8;
inline constexpr uint64_t kLongestHeader = 100'000'000;
inline constexpr std::string_view kMetadataKey = "__metadata__";

absl::Status FaultStatus(absl::StatusCode code, SafetensorsFault fault, std::string_view message);

std::optional<SafetensorsDtype> SafetensorsDtypeFromName(std::string_view name);

// product(shape) times the dtype's bits, in bytes, rounded up; nullopt if negative sizes or, with zeros counted as ones (so
// that strides fit as well), too large for int64.
std::optional<uint64_t> BytesOf(const std::vector<int64_t>& shape, SafetensorsDtype dtype);

// Whether the last element of a packed type leaves a part of a byte, which the format forbids.
bool EndsWithinAByte(const std::vector<int64_t>& shape, SafetensorsDtype dtype);

// The status with the file's path in front, its fault kept.
absl::Status AtPath(std::string_view path, const absl::Status& status);

}  // namespace assay::tensor_files::internal

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_SAFETENSORS_INTERNAL_H_
