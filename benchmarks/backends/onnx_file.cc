#include "benchmarks/backends/onnx_inputs.h"

#include <cstdint>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"

namespace assay::backends {
namespace {

using google::protobuf::internal::WireFormatLite;

// Numbers of fields in onnx.proto.
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

}  // namespace

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
