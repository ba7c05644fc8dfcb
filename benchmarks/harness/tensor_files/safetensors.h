#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_SAFETENSORS_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_SAFETENSORS_H_

// ---------------------------------------------------------------------------------------------
// safetensors.h: reads and writes safetensors files, without LibTorch.
//
// A file is: the header's length as a little-endian uint64; the header, JSON that gives each
// tensor's dtype, shape and bytes; the bytes. The rules are those of the format's own library
// (github.com/huggingface/safetensors, 0.8), which promise that every byte belongs to exactly one
// tensor and that nothing in the file makes a reader allocate more than the file's size. Stricter
// than that library: unknown members of an entry are refused, and so are shapes whose product
// overflows with zeros counted as ones.
//
// The format does not look at the numbers: NaN passes here (reference.h refuses it).
//
// Packed types below one byte (F4, F6) have names, shapes and bytes here; LibTorch has no tensors of
// them, so whoever asks for one is refused (safetensors_torch.h).
//
// Not for: at::Tensor (safetensors_torch.h).
//
// Example:
//   absl::StatusOr<SafetensorsIndex> index = ParseSafetensors(bytes);
//   if (!index.ok() && SafetensorsFaultOf(index.status()) == SafetensorsFault::kHole) ...
//   const SafetensorsEntry* logits = index->Find("logits");
//   std::string_view data = index->Data(bytes, *logits);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::tensor_files {

// Every way in which a file can be wrong.
enum class SafetensorsFault {
  kTooShort = 1,   // no room for the header's length
  kHeaderTooLong,  // longer than the format allows (100 MB) or than the file
  kNotAnObject,    // the header does not begin with '{'
  kBadJson,        // not JSON, or not UTF-8
  kDuplicateKey,   // a tensor, a metadata key or a member of an entry is there twice
  kBadMetadata,    // __metadata__ is not an object of strings
  kBadEntry,       // an entry is not {"dtype", "shape", "data_offsets"} of the right kinds
  kUnknownDtype,   // a dtype that this reader does not have
  kShapeOverflow,  // the product of the shape does not fit
  kSizeMismatch,   // the bytes do not match dtype and shape, or packed elements end within a byte
  kHole,           // bytes between two tensors that belong to none
  kOverlap,        // two tensors share bytes
  kTruncated,      // the last tensor ends after the file does
  kTrailingBytes,  // the file goes on after the last tensor
  kBadName,        // writing only: a name or metadata that is reserved or not UTF-8
};

// The fault behind a Status of this header; nullopt if it is not one.
std::optional<SafetensorsFault> SafetensorsFaultOf(const absl::Status& status);

// By their name in the file, in the order of their bits.
enum class SafetensorsDtype {
  kF4,
  kF6E2M3,
  kF6E3M2,
  kBool,
  kU8,
  kI8,
  kF8E5M2,
  kF8E4M3,
  kF8E8M0,
  kF8E4M3Fnuz,
  kF8E5M2Fnuz,
  kI16,
  kU16,
  kF16,
  kBF16,
  kI32,
  kU32,
  kF32,
  kC64,
  kF64,
  kI64,
  kU64,
};
int64_t ItemBytes(SafetensorsDtype dtype);                      // 0 for a packed type
std::string_view SafetensorsDtypeName(SafetensorsDtype dtype);  // "F32"

struct SafetensorsEntry {
  std::string name;
  SafetensorsDtype dtype = SafetensorsDtype::kF32;
  std::vector<int64_t> shape;  // row-major; empty for a scalar
  uint64_t begin = 0;          // bytes, counted from SafetensorsIndex::data_start
  uint64_t end = 0;
};

// The places of everything in a file.
struct SafetensorsIndex {
  std::vector<SafetensorsEntry> entries;  // in the order of their bytes
  std::map<std::string, std::string> metadata;
  uint64_t data_start = 0;

  // nullptr where there is none.
  const SafetensorsEntry* Find(std::string_view name) const;

  // The bytes of one entry. Not aligned: copy them, don't cast.
  std::string_view Data(std::string_view file, const SafetensorsEntry& entry) const {
    return file.substr(data_start + entry.begin, entry.end - entry.begin);
  }
};

// DataLoss with a SafetensorsFault and a message that names tensor and numbers. Takes time and
// memory in proportion to the header.
absl::StatusOr<SafetensorsIndex> ParseSafetensors(std::string_view file);

// A tensor to write. `data` holds product(shape) * ItemBytes(dtype) bytes, row-major.
struct SafetensorsTensor {
  std::string name;
  SafetensorsDtype dtype = SafetensorsDtype::kF32;
  std::vector<int64_t> shape;
  std::string_view data;
};

// The bytes of a file. They depend on the arguments' content only, not on their order: tensors
// sorted by name, metadata by key, header padded with spaces to a multiple of 8. InvalidArgument
// with a SafetensorsFault if the arguments make no valid file.
absl::StatusOr<std::string> SerializeSafetensors(
    std::vector<SafetensorsTensor> tensors, const std::map<std::string, std::string>& metadata);

// The part before the tensors' data, for writing large files piece by piece: sorts `tensors` by
// name; their data is to follow in that order. Errors as above.
absl::StatusOr<std::string> SerializeSafetensorsHeader(
    std::vector<SafetensorsTensor>& tensors, const std::map<std::string, std::string>& metadata);

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_SAFETENSORS_H_
