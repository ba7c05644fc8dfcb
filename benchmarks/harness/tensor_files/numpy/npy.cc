#include "benchmarks/harness/tensor_files/numpy/npy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/numpy/npy_header.h"
#include "benchmarks/harness/text/shape_text.h"

namespace assay::tensor_files {
namespace {

using internal::NpyFault;
using internal::NpyHeader;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kPrefixBytes = 8;           // magic and version
constexpr size_t kMostHeaderBytes = 10'000;  // NumPy's own limit (max_header_size)

// product(shape) * item bytes; nullopt where it overflows with zeros counted as ones, so that
// strides fit as well.
std::optional<uint64_t> BytesOf(const NpyHeader& header) {
  uint64_t bytes = ItemBytes(header.dtype);
  bool empty = false;
  for (const int64_t size : header.shape) {
    empty |= size == 0;
    if (__builtin_mul_overflow(bytes, std::max<uint64_t>(size, 1), &bytes)) return std::nullopt;
  }
  if (bytes > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  return empty ? 0 : bytes;
}

// Splits a file into the header's text and the elements.
absl::StatusOr<std::pair<std::string_view, std::string_view>> Split(std::string_view file) {
  if (!file.starts_with(kMagic) || file.size() < kPrefixBytes) {
    return NpyFault(file.starts_with("PK") ? "it is a zip archive: name it .npz"
                                           : "it does not begin with \\x93NUMPY and a version");
  }
  const int major = static_cast<unsigned char>(file[6]);
  const int minor = static_cast<unsigned char>(file[7]);
  if (major < 1 || major > 3 || minor != 0) {
    return NpyFault(
        absl::StrCat("its version is ", major, ".", minor, "; 1.0, 2.0 and 3.0 are known"));
  }
  const size_t length_bytes = major == 1 ? 2 : 4;
  const size_t start = kPrefixBytes + length_bytes;
  if (file.size() < start) return NpyFault("it ends within the header's length");
  uint32_t length = 0;
  std::memcpy(&length, file.data() + kPrefixBytes, length_bytes);
  if (length > kMostHeaderBytes || length > file.size() - start) {
    return NpyFault(absl::StrCat("its header of ", length, " bytes does not fit (",
                                 file.size() - start, " bytes follow, at most ", kMostHeaderBytes,
                                 " allowed)"));
  }
  return std::make_pair(file.substr(start, length), file.substr(start + length));
}

// Elements in Fortran's order (first index fastest) to C's (last index fastest).
std::string Transposed(const NpyHeader& header, std::string_view data) {
  const size_t item = ItemBytes(header.dtype);
  const size_t rank = header.shape.size();
  std::vector<size_t> strides(rank, item);  // of the source
  for (size_t i = 1; i < rank; ++i) strides[i] = strides[i - 1] * header.shape[i - 1];
  std::vector<int64_t> index(rank, 0);
  std::string result(data.size(), '\0');
  size_t source = 0;
  for (size_t target = 0; target < data.size(); target += item) {
    std::memcpy(result.data() + target, data.data() + source, item);
    for (size_t axis = rank; axis-- > 0;) {  // the next index, last axis fastest
      source += strides[axis];
      if (++index[axis] < header.shape[axis]) break;
      source -= strides[axis] * header.shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

}  // namespace

absl::StatusOr<NpyArray> ParseNpy(std::string_view file) {
  const auto parts = Split(file);
  if (!parts.ok()) return parts.status();
  const auto& [text, data] = *parts;
  absl::StatusOr<NpyHeader> header = internal::ParseNpyHeader(text);
  if (!header.ok()) return header.status();
  const std::optional<uint64_t> want = BytesOf(*header);
  const std::string shape = base::ShapeText(header->shape);
  if (!want.has_value()) return NpyFault(absl::StrCat("its shape ", shape, " is too large"));
  if (data.size() != *want) {
    return NpyFault(absl::StrCat(SafetensorsDtypeName(header->dtype), " of shape ", shape,
                                 " takes ", *want, " bytes, ", data.size(), " follow the header"));
  }
  if (header->dtype == SafetensorsDtype::kBool) {
    const auto bad =
        std::find_if(data.begin(), data.end(), [](char c) { return c != 0 && c != 1; });
    if (bad != data.end()) {
      return NpyFault(absl::StrCat("element ", bad - data.begin(), " of its booleans is the byte ",
                                   static_cast<unsigned char>(*bad), "; 0 and 1 are allowed"));
    }
  }
  NpyArray array{.dtype = header->dtype, .shape = header->shape, .viewed = data, .transposed = {}};
  if (header->fortran_order && header->shape.size() > 1) {
    array.transposed = std::make_shared<const std::string>(Transposed(*header, data));
    array.viewed = {};
  }
  return array;
}

absl::StatusOr<NpyFile> ReadNpy(const std::string& path) {
  absl::StatusOr<std::string> bytes = ReadFile(path, kMostNpyBytes);
  if (!bytes.ok()) return bytes.status();
  NpyFile file;
  std::string_view name = path;
  name.remove_prefix(name.rfind('/') + 1);
  file.name = std::string(absl::EndsWith(name, ".npy") ? name.substr(0, name.size() - 4) : name);
  file.bytes = std::make_shared<const std::string>(*std::move(bytes));
  absl::StatusOr<NpyArray> array = ParseNpy(*file.bytes);
  if (!array.ok()) return absl::DataLossError(absl::StrCat(path, ": ", array.status().message()));
  file.array = *std::move(array);
  return file;
}

}  // namespace assay::tensor_files
