#include "benchmarks/backends/onnx_inputs.h"

#include <cstdint>
#include <optional>

namespace assay::backends {
namespace {

// Numbers of fields in onnx.proto.
constexpr uint64_t kGraphOfModel = 7, kInputOfGraph = 11, kNameOfValue = 1, kTypeOfValue = 2,
                   kTensorOfType = 1, kShapeOfTensor = 2;

std::optional<uint64_t> ReadVarint(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[0]);
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// The messages and texts with a field's number, in their order. Ends at what is no message.
std::vector<std::string_view> FieldsOf(std::string_view bytes, uint64_t number) {
  std::vector<std::string_view> found;
  while (!bytes.empty()) {
    const std::optional<uint64_t> tag = ReadVarint(bytes);
    if (!tag) return found;
    const uint64_t wire_type = *tag & 7;
    size_t size = wire_type == 1 ? 8 : 4;
    if (wire_type == 0 || wire_type == 2) {
      const std::optional<uint64_t> value = ReadVarint(bytes);
      if (!value) return found;
      size = wire_type == 2 ? *value : 0;
    } else if (wire_type != 1 && wire_type != 5) {
      return found;
    }
    if (size > bytes.size()) return found;
    if (wire_type == 2 && *tag >> 3 == number) found.push_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return found;
}

std::string_view FirstOf(std::string_view bytes, uint64_t number) {
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
