#include "benchmarks/backends/onnx_file.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"

namespace assay::backends {
namespace {

using google::protobuf::internal::WireFormatLite;

// Numbers of fields in onnx.proto, of inputs.
constexpr int kGraphOfModel = 7, kInputOfGraph = 11, kNameOfValue = 1, kTypeOfValue = 2,
              kTensorOfType = 1, kShapeOfTensor = 2;

// The messages and texts with a field's number, in their order. Ends at what is no message.
std::vector<std::string_view> FieldsOf(std::string_view bytes, int number) {
  std::vector<std::string_view> found;
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes.data()),
                                            static_cast<int>(bytes.size()));
  const uint32_t wanted =
      WireFormatLite::MakeTag(number, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  while (const uint32_t tag = in.ReadTag()) {
    if (tag != wanted) {
      if (!WireFormatLite::SkipField(&in, tag)) return found;
      continue;
    }
    uint32_t size = 0;
    if (!in.ReadVarint32(&size)) return found;
    const auto begin = static_cast<size_t>(in.CurrentPosition());
    if (size > bytes.size() - begin) return found;
    found.push_back(bytes.substr(begin, size));
    in.Skip(static_cast<int>(size));
  }
  return found;
}

std::string_view FirstOf(std::string_view bytes, int number) {
  const std::vector<std::string_view> fields = FieldsOf(bytes, number);
  return fields.empty() ? std::string_view() : fields[0];
}

// The number in a field; 0, the default, where there is none.
uint64_t NumberOf(std::string_view bytes, int number) {
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes.data()),
                                            static_cast<int>(bytes.size()));
  const uint32_t wanted = WireFormatLite::MakeTag(number, WireFormatLite::WIRETYPE_VARINT);
  uint64_t value = 0;
  while (const uint32_t tag = in.ReadTag()) {
    if (tag == wanted) return in.ReadVarint64(&value) ? value : 0;
    if (!WireFormatLite::SkipField(&in, tag)) return 0;
  }
  return 0;
}

// The messages of onnx.proto that lead to tensors, and the numbers of their fields.
enum Message { kModel, kGraph, kNode, kAttribute, kSparseTensor, kFunction, kTraining, kTensor };
struct Part {
  Message whole;
  int number;
  Message part;
};
constexpr Part kParts[] = {{kModel, 7, kGraph},
                           {kModel, 20, kTraining},
                           {kModel, 25, kFunction},
                           {kTraining, 1, kGraph},
                           {kTraining, 2, kGraph},
                           {kFunction, 7, kNode},
                           {kFunction, 11, kAttribute},
                           {kGraph, 1, kNode},
                           {kGraph, 5, kTensor},
                           {kGraph, 15, kSparseTensor},
                           {kNode, 5, kAttribute},
                           {kAttribute, 5, kTensor},
                           {kAttribute, 10, kTensor},
                           {kAttribute, 6, kGraph},
                           {kAttribute, 11, kGraph},
                           {kAttribute, 22, kSparseTensor},
                           {kAttribute, 23, kSparseTensor},
                           {kSparseTensor, 1, kTensor},
                           {kSparseTensor, 2, kTensor}};

// Adds the places of tensors that are outside of the file. `depth` bounds what a hostile file nests.
void AddLocations(std::string_view bytes, Message message, int depth,
                  std::set<std::string>& locations) {
  constexpr int kExternalData = 13, kDataLocation = 14, kExternal = 1, kKey = 1, kValue = 2;
  if (depth == 0) return;
  if (message == kTensor) {
    if (NumberOf(bytes, kDataLocation) != kExternal) return;
    for (const std::string_view entry : FieldsOf(bytes, kExternalData)) {
      if (FirstOf(entry, kKey) == "location") locations.emplace(FirstOf(entry, kValue));
    }
    return;
  }
  for (const Part& part : kParts) {
    if (part.whole != message) continue;
    for (const std::string_view inner : FieldsOf(bytes, part.number))
      AddLocations(inner, part.part, depth - 1, locations);
  }
}

}  // namespace

std::vector<std::string> FilesBesideOnnx(const std::string& path) {
  constexpr int kMostDepth = 100;  // protobuf's own
  const auto file = tensor_files::MappedFile::Open(path);
  if (!file.ok()) return {};  // who loads it says why
  std::set<std::string> locations;
  AddLocations((*file)->bytes(), kModel, kMostDepth, locations);
  std::vector<std::string> files;
  for (const std::string& location : locations) {
    files.push_back((std::filesystem::path(path).parent_path() / location).string());
  }
  return files;
}

absl::Status CheckFilesBesideOnnx(const std::string& path) {
  for (const std::string& file : FilesBesideOnnx(path)) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "it keeps weights in ", file, ", which is missing: copy that file there (external data)"));
  }
  return absl::OkStatus();
}

std::vector<std::string> OnnxInputsWithoutShape(std::string_view bytes) {
  std::vector<std::string> names;
  for (const std::string_view input : FieldsOf(FirstOf(bytes, kGraphOfModel), kInputOfGraph)) {
    for (const std::string_view tensor : FieldsOf(FirstOf(input, kTypeOfValue), kTensorOfType)) {
      if (FieldsOf(tensor, kShapeOfTensor).empty())
        names.emplace_back(FirstOf(input, kNameOfValue));
    }
  }
  return names;
}

}  // namespace assay::backends
