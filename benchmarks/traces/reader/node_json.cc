#include "benchmarks/traces/reader/node_json.h"

#include <rapidjson/document.h>
#include <rapidjson/encodedstream.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::traces {
namespace {

using Json = rapidjson::Value;
using Kind = TraceValue::Kind;

// Lists in lists; the splitter of nodes takes no more either.
constexpr int kDeepestValue = 64;

// "Int,GenericList[Int,Int]" into its parts.
std::vector<std::string_view> SplitTypes(std::string_view types) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < types.size(); ++i) {
    depth += types[i] == '[' || types[i] == '(' ? 1 : types[i] == ']' || types[i] == ')' ? -1 : 0;
    if (types[i] != ',' || depth > 0) continue;
    parts.push_back(types.substr(start, i - start));
    start = i + 1;
  }
  if (!types.empty()) parts.push_back(types.substr(start));
  return parts;
}

// The value is neither a list nor an object.
std::string TextOfOne(const Json& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

// The value's text, without what is nested deeper than 4 lists.
std::string Dump(const Json& value, int depth = 0) {
  if (value.IsObject()) return "{...}";
  if (!value.IsArray()) return TextOfOne(value);
  if (depth > 3) return "[...]";
  std::string text = "[";
  for (const Json& item : value.GetArray())
    absl::StrAppend(&text, text.size() > 1 ? "," : "", Dump(item, depth + 1));
  return text + "]";
}

[[noreturn]] void Misfit(const Json& value, std::string_view type) {
  throw std::invalid_argument(
      absl::StrCat("the value ", base::Quoted(Dump(value).substr(0, 60)), " is of no ", type));
}

std::string_view TextOf(const Json& value) {
  if (!value.IsString()) Misfit(value, "text");
  return {value.GetString(), value.GetStringLength()};
}

// Null where it is no object, or has no such member.
const Json* Find(const Json& object, std::string_view name) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(
      Json(rapidjson::StringRef(name.data(), static_cast<rapidjson::SizeType>(name.size()))));
  return found == object.MemberEnd() ? nullptr : &found->value;
}

const Json& Member(const Json& object, std::string_view name) {
  const Json* const value = Find(object, name);
  if (value == nullptr) throw std::invalid_argument(absl::StrCat("it has no ", base::Quoted(name)));
  return *value;
}

const Json& List(const Json& value) {
  if (!value.IsArray()) Misfit(value, "list");
  return value;
}

int64_t WholeOf(const Json& value) {
  if (!value.IsInt64()) Misfit(value, "whole number");
  return value.GetInt64();
}

std::vector<int64_t> WholesOf(const Json& values) {
  std::vector<int64_t> wholes;
  wholes.reserve(List(values).Size());
  for (const Json& value : values.GetArray()) {
    if (value.IsString()) {
      throw std::invalid_argument(absl::StrCat("it has the symbolic size ",
                                               base::Quoted(TextOf(value)),
                                               "; record the program with sizes of its own"));
    }
    wholes.push_back(WholeOf(value));
  }
  return wholes;
}

TraceTensor TensorOf(const Json& value, const Json& shape, std::string_view dtype,
                     const Json* strides) {
  if (!value.IsArray() || value.Size() < 5) Misfit(value, "tensor");
  TraceTensor tensor = {.id = WholeOf(value[0]),
                        .storage = WholeOf(value[1]),
                        .offset = WholeOf(value[2]),
                        .elements = WholeOf(value[3]),
                        .element_size = WholeOf(value[4]),
                        .device = value.Size() > 5 ? std::string(TextOf(value[5])) : "",
                        .dtype = std::string(dtype),
                        .sizes = WholesOf(shape)};
  if (strides != nullptr && strides->IsArray() && strides->Size() == tensor.sizes.size()) {
    tensor.strides = WholesOf(*strides);
    tensor.has_strides = true;
  }
  return tensor;
}

double NumberOf(const Json& value) {
  if (value.IsNumber()) return value.GetDouble();
  const std::string_view word = value.IsString() ? TextOf(value) : "";
  if (absl::StrContains(word, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  Misfit(value, "Double");
}

const Json& At(const Json& list, size_t i) {
  static const auto& none = *new Json(rapidjson::kArrayType);
  return list.IsArray() && i < list.Size() ? list[static_cast<rapidjson::SizeType>(i)] : none;
}

TraceValue ValueOf(const Json& value, const Json& shape, std::string_view type, const Json* strides,
                   int depth = 0) {
  if (depth > kDeepestValue) throw std::invalid_argument("lists in it are nested deeper than 64");
  TraceValue made = {.type = std::string(type)};
  std::string_view inner = type;
  if (absl::ConsumePrefix(&inner, "Tensor(") && absl::ConsumeSuffix(&inner, ")")) {
    made.kind = absl::StartsWith(inner, "nullptr") ? Kind::kUndefinedTensor : Kind::kTensor;
    made.tensor = TensorOf(value, shape, inner, strides);
    // The observer writes neither layout nor indices of a sparse tensor.
    if (made.kind == Kind::kTensor && made.tensor.device.empty()) {
      made.kind = Kind::kLost;
      made.text = "a tensor that is not strided";
    }
  } else if (type == "Int") {
    made.kind = Kind::kInt;
    made.integer = WholeOf(value);
  } else if (type == "None") {
    made.kind = Kind::kNone;
  } else if (type == "Double") {
    made.kind = Kind::kDouble;
    made.number = NumberOf(value);
  } else if (type == "Bool") {
    if (!value.IsBool()) Misfit(value, type);
    made.kind = Kind::kBool;
    made.integer = value.GetBool() ? 1 : 0;
  } else if (type == "String" || type == "Device") {
    made.kind = type == "String" ? Kind::kString : Kind::kDevice;
    made.text = TextOf(value);
  } else if (type == "Generator") {
    made.kind = Kind::kGenerator;
  } else if ((absl::ConsumePrefix(&inner, "GenericList[") ||
              absl::ConsumePrefix(&inner, "Tuple[")) &&
             absl::ConsumeSuffix(&inner, "]")) {
    made.kind = Kind::kList;
    const std::vector<std::string_view> types = SplitTypes(inner);
    if (!value.IsArray() || value.Size() != types.size()) Misfit(value, type);
    made.items.reserve(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      made.items.push_back(ValueOf(At(value, i), At(shape, i), types[i],
                                   strides != nullptr ? &At(*strides, i) : nullptr, depth + 1));
    }
  } else {
    made.kind = Kind::kLost;
    made.text = Dump(value);
  }
  return made;
}

std::vector<TraceValue> ValuesOf(const Json& values, const Json& shapes, const Json& types,
                                 const Json* strides) {
  if (List(values).Size() != List(types).Size() || values.Size() != List(shapes).Size()) {
    throw std::invalid_argument(absl::StrCat(values.Size(), " values have ", types.Size(),
                                             " types and ", shapes.Size(), " shapes"));
  }
  std::vector<TraceValue> made;
  made.reserve(values.Size());
  for (rapidjson::SizeType i = 0; i < values.Size(); ++i) {
    made.push_back(ValueOf(values[i], shapes[i], TextOf(types[i]),
                           strides != nullptr ? &At(*strides, i) : nullptr));
  }
  return made;
}

std::vector<TraceValue> Part(const Json& node, const std::string& name) {
  const Json& part = Member(node, name + "s");
  if (part.IsArray())
    return ValuesOf(part, Member(node, name + "_shapes"), Member(node, name + "_types"), nullptr);
  return ValuesOf(Member(part, "values"), Member(part, "shapes"), Member(part, "types"),
                  Find(part, "strides"));
}

// Builds a document of a reader's events, and reads the numbers itself: RapidJSON's own exact reading of a
// zero with a large exponent (0e96) has no defined result.
class WithNumbers {
 public:
  explicit WithNumbers(rapidjson::Document& document) : document_(document) {}

  bool RawNumber(const char* digits, rapidjson::SizeType size, bool /*copy*/) {
    const std::string_view text(digits, size);
    int64_t whole = 0;
    uint64_t large = 0;
    double number = 0;
    if (absl::SimpleAtoi(text, &whole)) return document_.Int64(whole);
    if (absl::SimpleAtoi(text, &large)) return document_.Uint64(large);
    return absl::SimpleAtod(text, &number) && std::isfinite(number) && document_.Double(number);
  }
  bool Null() { return document_.Null(); }
  bool Bool(bool value) { return document_.Bool(value); }
  bool String(const char* text, rapidjson::SizeType size, bool copy) {
    return document_.String(text, size, copy);
  }
  bool Key(const char* text, rapidjson::SizeType size, bool copy) {
    return document_.Key(text, size, copy);
  }
  bool StartObject() { return document_.StartObject(); }
  bool EndObject(rapidjson::SizeType members) { return document_.EndObject(members); }
  bool StartArray() { return document_.StartArray(); }
  bool EndArray(rapidjson::SizeType items) { return document_.EndArray(items); }
  // With numbers as texts a reader calls none of these.
  bool Int(int value) { return document_.Int(value); }
  bool Uint(unsigned value) { return document_.Uint(value); }
  bool Int64(int64_t value) { return document_.Int64(value); }
  bool Uint64(uint64_t value) { return document_.Uint64(value); }
  bool Double(double value) { return document_.Double(value); }

 private:
  rapidjson::Document& document_;
};

// Nested texts are parsed without recursion, so that their depth is no matter.
void Parse(std::string_view text, rapidjson::Document& document) {
  rapidjson::Reader reader;
  rapidjson::ParseResult result;
  auto read = [&](rapidjson::Document& values) {
    rapidjson::MemoryStream stream(text.data(), text.size());
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> utf8(stream);
    WithNumbers handler(values);
    result = reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag>(
        utf8, handler);
    return !result.IsError();
  };
  document.Populate(read);
  if (!result.IsError()) return;
  const bool number = result.Code() == rapidjson::kParseErrorTermination;
  throw std::invalid_argument(absl::StrCat(
      "no JSON at byte ", result.Offset(), ": ",
      number ? "the number is too large" : rapidjson::GetParseError_En(result.Code())));
}

double RecordedNumber(const Json& value) {
  if (value.IsBool()) return value.GetBool() ? 1 : 0;
  // A complex number.
  return value.IsNull() ? std::numeric_limits<double>::quiet_NaN() : NumberOf(value);
}

size_t PlaceOf(const Json& value) {
  size_t place = 0;
  if (!absl::SimpleAtoi(TextOf(value), &place)) Misfit(value, "place");
  return place;
}

// Attributes of values hold JSON as text.
void SetRecorded(std::string_view name, const Json& value, RecordedValues& recorded) {
  rapidjson::Document json;
  Parse(TextOf(value), json);
  if (name == "output_digests") {
    for (const Json& digest : List(json).GetArray())
      recorded.output_digests.emplace_back(TextOf(digest));
  }
  if (name == "output_samples") {
    for (const Json& output : List(json).GetArray()) {
      auto& samples = recorded.output_samples.emplace_back();
      for (const Json& sample : List(output).GetArray())
        samples.emplace_back(WholeOf(At(sample, 0)), RecordedNumber(At(sample, 1)));
    }
  }
  if (!json.IsObject()) return;
  for (const auto& [place, one] : json.GetObject()) {
    if (name == "wrapped_numbers") recorded.wrapped_numbers[PlaceOf(place)] = RecordedNumber(one);
    if (name == "generator_states") recorded.generator_states[PlaceOf(place)] = TextOf(one);
    if (name == "snapshots") recorded.snapshots[PlaceOf(place)] = TextOf(one);
  }
}

constexpr std::pair<std::string_view, int64_t TraceNode::*> kNumbers[] = {
    {"rf_id", &TraceNode::rf_id},       {"fw_parent", &TraceNode::fw_parent},
    {"seq_id", &TraceNode::seq_id},     {"scope", &TraceNode::scope},
    {"tid", &TraceNode::tid},           {"fw_tid", &TraceNode::fw_tid},
    {"start_ns", &TraceNode::start_ns}, {"duration_ns", &TraceNode::duration_ns}};
constexpr std::pair<std::string_view, std::string TraceNode::*> kTexts[] = {
    {"op_schema", &TraceNode::op_schema},
    {"kernel_backend", &TraceNode::kernel_backend},
    {"kernel_file", &TraceNode::kernel_file},
    {"tensor_range", &TraceNode::tensor_range}};
constexpr std::string_view kRecorded[] = {"wrapped_numbers", "snapshots", "generator_states",
                                          "output_digests", "output_samples"};

// False for an attribute of another name.
bool SetAttribute(std::string_view name, const Json& value, TraceNode& node,
                  std::shared_ptr<RecordedValues>& recorded) {
  for (const auto& [known, member] : kNumbers) {
    if (name != known) continue;
    // An id that was never set is 2^64 - 1.
    node.*member = value.IsUint64() ? static_cast<int64_t>(value.GetUint64()) : WholeOf(value);
    return true;
  }
  for (const auto& [known, member] : kTexts) {
    if (name != known) continue;
    node.*member = TextOf(value);
    return true;
  }
  if (name == "throws") return node.threw = true;
  if (std::find(std::begin(kRecorded), std::end(kRecorded), name) == std::end(kRecorded))
    return false;
  if (recorded == nullptr) recorded = std::make_shared<RecordedValues>();
  SetRecorded(name, value, *recorded);
  return true;
}

void ReadNode(const Json& json, TraceNode& node) {
  node.id = WholeOf(Member(json, "id"));
  node.name = TextOf(Member(json, "name"));
  const Json* const attributes = Find(json, "attrs");
  std::shared_ptr<RecordedValues> recorded;
  node.ctrl_deps = WholeOf(Member(json, attributes != nullptr ? "ctrl_deps" : "parent"));
  if (attributes != nullptr) {
    for (const Json& attribute : List(*attributes).GetArray()) {
      const std::string_view name = TextOf(Member(attribute, "name"));
      const Json& value = Member(attribute, "value");
      if (SetAttribute(name, value, node, recorded) || value.IsArray() || value.IsObject())
        continue;
      const Json* const type = Find(attribute, "type");
      node.other_attributes.push_back(
          {std::string(name), type != nullptr ? std::string(TextOf(*type)) : "", TextOfOne(value)});
    }
  } else {
    for (const auto& [name, value] : json.GetObject())
      SetAttribute(TextOf(name), value, node, recorded);
  }
  node.recorded = std::move(recorded);
  node.inputs = Part(json, "input");
  node.outputs = Part(json, "output");
}

}  // namespace

absl::StatusOr<TraceNode> ParseNode(std::string_view text) {
  // Most nodes need no other memory.
  alignas(std::max_align_t) thread_local std::array<char, size_t{1} << 16> buffer;
  rapidjson::MemoryPoolAllocator<> pool(buffer.data(), buffer.size());
  TraceNode node;
  try {
    rapidjson::Document document(&pool);
    Parse(text, document);
    ReadNode(document, node);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat("node ", node.id, " ", base::Quoted(node.name),
                                                   ": ", base::Printable(error.what(), 200)));
  }
  return node;
}

}  // namespace assay::traces
