// SerializeSafetensors.

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/safetensors.h"
#include "benchmarks/harness/tensor_files/safetensors_internal.h"
#include "benchmarks/harness/text/shape_text.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::tensor_files {
namespace {

using base::Quoted;
using base::ShapeText;
using OrderedJson = nlohmann::ordered_json;

absl::Status WritingFault(SafetensorsFault fault, std::string_view message) {
  return internal::FaultStatus(absl::StatusCode::kInvalidArgument, fault, message);
}

absl::Status CheckTensor(const SafetensorsTensor& tensor) {
  if (tensor.name == internal::kMetadataKey) {
    return WritingFault(SafetensorsFault::kBadName, "__metadata__ cannot be the name of a tensor");
  }
  const std::optional<uint64_t> want = internal::BytesOf(tensor.shape, tensor.dtype);
  if (!want.has_value()) {
    return WritingFault(SafetensorsFault::kShapeOverflow,
                        absl::StrCat("tensor ", Quoted(tensor.name), ": shape ",
                                     ShapeText(tensor.shape), " is negative or too large"));
  }
  if (tensor.data.size() != *want) {
    return WritingFault(SafetensorsFault::kSizeMismatch,
                        absl::StrCat("tensor ", Quoted(tensor.name), ": ", tensor.data.size(),
                                     " bytes given, ", SafetensorsDtypeName(tensor.dtype),
                                     " of shape ", ShapeText(tensor.shape), " takes ", *want));
  }
  return absl::OkStatus();
}

absl::Status CheckTensors(const std::vector<SafetensorsTensor>& sorted) {
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i].name == sorted[i - 1].name) {
      return WritingFault(SafetensorsFault::kDuplicateKey,
                          absl::StrCat("tensor ", Quoted(sorted[i].name), " is given twice"));
    }
    if (absl::Status status = CheckTensor(sorted[i]); !status.ok()) return status;
  }
  return absl::OkStatus();
}

OrderedJson Header(const std::vector<SafetensorsTensor>& tensors,
                   const std::map<std::string, std::string>& metadata) {
  OrderedJson header = OrderedJson::object();
  if (!metadata.empty()) header[std::string(internal::kMetadataKey)] = metadata;
  uint64_t begin = 0;
  for (const SafetensorsTensor& tensor : tensors) {
    OrderedJson entry = OrderedJson::object();
    entry["dtype"] = SafetensorsDtypeName(tensor.dtype);
    entry["shape"] = tensor.shape;
    entry["data_offsets"] = {begin, begin + tensor.data.size()};
    // emplace_back: operator[] searches all earlier keys, and there may be thousands.
    header.get_ref<OrderedJson::object_t&>().emplace_back(tensor.name, std::move(entry));
    begin += tensor.data.size();
  }
  return header;
}

}  // namespace

absl::StatusOr<std::string> SerializeSafetensorsHeader(
    std::vector<SafetensorsTensor>& tensors, const std::map<std::string, std::string>& metadata) {
  std::sort(tensors.begin(), tensors.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  if (absl::Status status = CheckTensors(tensors); !status.ok()) return status;

  std::string text;
  try {
    text = Header(tensors, metadata).dump();
  } catch (const nlohmann::json::type_error&) {  // what dump() throws for text that is not UTF-8
    return WritingFault(SafetensorsFault::kBadName, "a tensor's name or the metadata is not UTF-8");
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > internal::kLongestHeader) {
    return WritingFault(
        SafetensorsFault::kHeaderTooLong,
        absl::StrCat("the header would have ", text.size(), " bytes, more than the ",
                     internal::kLongestHeader, " that readers accept"));
  }
  const uint64_t length = text.size();
  return absl::StrCat(std::string_view(reinterpret_cast<const char*>(&length), sizeof(length)),
                      text);
}

absl::StatusOr<std::string> SerializeSafetensors(
    std::vector<SafetensorsTensor> tensors, const std::map<std::string, std::string>& metadata) {
  absl::StatusOr<std::string> file = SerializeSafetensorsHeader(tensors, metadata);
  if (!file.ok()) return file;
  size_t bytes = file->size();
  for (const SafetensorsTensor& tensor : tensors) bytes += tensor.data.size();
  file->reserve(bytes);
  for (const SafetensorsTensor& tensor : tensors) file->append(tensor.data);
  return file;
}

}  // namespace assay::tensor_files
