#include "benchmarks/traces/reader/node_json.h"

#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "nlohmann/json.hpp"

namespace assay::traces {
namespace {

using Json = nlohmann::json;
using Kind = TraceValue::Kind;

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

[[noreturn]] void Misfit(const Json& value, std::string_view type) {
  throw std::invalid_argument(
      absl::StrCat("the value ", base::Quoted(value.dump().substr(0, 60)), " is of no ", type));
}

int64_t WholeOf(const Json& value) {
  if (!value.is_number_integer()) Misfit(value, "whole number");
  return value.get<int64_t>();
}

std::vector<int64_t> WholesOf(const Json& values) {
  std::vector<int64_t> wholes;
  for (const Json& value : values) wholes.push_back(WholeOf(value));
  return wholes;
}

TraceTensor TensorOf(const Json& value, const Json& shape, std::string_view dtype,
                     const Json* strides) {
  if (!value.is_array() || value.size() < 5) Misfit(value, "tensor");
  TraceTensor tensor = {.id = WholeOf(value[0]),
                        .storage = WholeOf(value[1]),
                        .offset = WholeOf(value[2]),
                        .elements = WholeOf(value[3]),
                        .element_size = WholeOf(value[4]),
                        .device = value.size() > 5 ? value[5].get<std::string>() : "",
                        .dtype = std::string(dtype),
                        .sizes = WholesOf(shape)};
  if (strides != nullptr && strides->is_array() && strides->size() == tensor.sizes.size()) {
    tensor.strides = WholesOf(*strides);
    tensor.has_strides = true;
  }
  return tensor;
}

double NumberOf(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const std::string word = value.is_string() ? value.get<std::string>() : "";
  if (absl::StrContains(word, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  Misfit(value, "Double");
}

const Json& At(const Json& list, size_t i) {
  static const auto& none = *new Json(Json::array());
  return list.is_array() && i < list.size() ? list[i] : none;
}

TraceValue ValueOf(const Json& value, const Json& shape, std::string_view type,
                   const Json* strides) {
  TraceValue made = {.type = std::string(type)};
  std::string_view inner = type;
  if ((absl::ConsumePrefix(&inner, "GenericList[") || absl::ConsumePrefix(&inner, "Tuple[")) &&
      absl::ConsumeSuffix(&inner, "]")) {
    made.kind = Kind::kList;
    const std::vector<std::string_view> types = SplitTypes(inner);
    if (!value.is_array() || value.size() != types.size()) Misfit(value, type);
    for (size_t i = 0; i < types.size(); ++i) {
      made.items.push_back(ValueOf(value[i], At(shape, i), types[i],
                                   strides != nullptr ? &At(*strides, i) : nullptr));
    }
  } else if (absl::ConsumePrefix(&inner, "Tensor(") && absl::ConsumeSuffix(&inner, ")")) {
    made.kind = absl::StartsWith(inner, "nullptr") ? Kind::kUndefinedTensor : Kind::kTensor;
    made.tensor = TensorOf(value, shape, inner, strides);
    // The observer writes neither layout nor indices of a sparse tensor.
    if (made.kind == Kind::kTensor && made.tensor.device.empty()) {
      made.kind = Kind::kLost;
      made.text = "a tensor that is not strided";
    }
  } else if (type == "None") {
    made.kind = Kind::kNone;
  } else if (type == "Int") {
    made.kind = Kind::kInt;
    made.integer = WholeOf(value);
  } else if (type == "Double") {
    made.kind = Kind::kDouble;
    made.number = NumberOf(value);
  } else if (type == "Bool") {
    made.kind = Kind::kBool;
    made.integer = value.get<bool>() ? 1 : 0;
  } else if (type == "String" || type == "Device") {
    made.kind = type == "String" ? Kind::kString : Kind::kDevice;
    made.text = value.get<std::string>();
  } else if (type == "Generator") {
    made.kind = Kind::kGenerator;
  } else {
    made.kind = Kind::kLost;
    made.text = value.dump().substr(0, 60);
  }
  return made;
}

std::vector<TraceValue> ValuesOf(const Json& values, const Json& shapes, const Json& types,
                                 const Json* strides) {
  if (values.size() != types.size() || values.size() != shapes.size()) {
    throw std::invalid_argument(absl::StrCat(values.size(), " values have ", types.size(),
                                             " types and ", shapes.size(), " shapes"));
  }
  std::vector<TraceValue> made;
  for (size_t i = 0; i < values.size(); ++i) {
    made.push_back(ValueOf(values[i], shapes[i], types[i].get<std::string>(),
                           strides != nullptr ? &At(*strides, i) : nullptr));
  }
  return made;
}

std::vector<TraceValue> Part(const Json& node, const std::string& name) {
  const Json& part = node.at(name + "s");
  if (part.is_array())
    return ValuesOf(part, node.at(name + "_shapes"), node.at(name + "_types"), nullptr);
  const auto strides = part.find("strides");
  return ValuesOf(part.at("values"), part.at("shapes"), part.at("types"),
                  strides != part.end() ? &*strides : nullptr);
}

double RecordedNumber(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  // A complex number.
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : NumberOf(value);
}

// Attributes of values hold JSON as text.
void SetRecorded(const std::string& name, const Json& value, RecordedValues& recorded) {
  const Json json = Json::parse(value.get<std::string>());
  if (name == "output_digests") recorded.output_digests = json.get<std::vector<std::string>>();
  if (name == "output_samples") {
    for (const Json& output : json) {
      auto& samples = recorded.output_samples.emplace_back();
      for (const Json& sample : output) {
        samples.emplace_back(WholeOf(sample.at(0)), RecordedNumber(sample.at(1)));
      }
    }
  }
  if (!json.is_object()) return;
  for (const auto& [place, one] : json.items()) {
    if (name == "wrapped_numbers")
      recorded.wrapped_numbers[std::stoul(place)] = RecordedNumber(one);
    if (name == "snapshots") recorded.snapshots[std::stoul(place)] = one.get<std::string>();
  }
}

void SetAttribute(const std::string& name, const Json& value, TraceNode& node,
                  std::shared_ptr<RecordedValues>& recorded) {
  const auto number = [&](int64_t& to) {
    // An id that was never set is 2^64 - 1.
    to = value.is_number_unsigned() ? static_cast<int64_t>(value.get<uint64_t>()) : WholeOf(value);
  };
  if (name == "rf_id") number(node.rf_id);
  if (name == "fw_parent") number(node.fw_parent);
  if (name == "seq_id") number(node.seq_id);
  if (name == "scope") number(node.scope);
  if (name == "tid") number(node.tid);
  if (name == "fw_tid") number(node.fw_tid);
  if (name == "op_schema") node.op_schema = value.get<std::string>();
  if (name == "kernel_backend") node.kernel_backend = value.get<std::string>();
  if (name == "kernel_file") node.kernel_file = value.get<std::string>();
  if (name == "tensor_range") node.tensor_range = value.get<std::string>();
  if (name == "start_ns") number(node.start_ns);
  if (name == "duration_ns") number(node.duration_ns);
  if (name == "throws") node.threw = true;
  if (name != "wrapped_numbers" && name != "snapshots" && name != "output_digests" &&
      name != "output_samples")
    return;
  if (recorded == nullptr) recorded = std::make_shared<RecordedValues>();
  SetRecorded(name, value, *recorded);
}

void ReadNode(const Json& json, TraceNode& node) {
  node.id = WholeOf(json.at("id"));
  node.name = json.at("name").get<std::string>();
  const bool attributes = json.contains("attrs");
  std::shared_ptr<RecordedValues> recorded;
  node.ctrl_deps = WholeOf(json.at(attributes ? "ctrl_deps" : "parent"));
  if (attributes) {
    for (const Json& attribute : json.at("attrs"))
      SetAttribute(attribute.at("name").get<std::string>(), attribute.at("value"), node, recorded);
  } else {
    for (const auto& [name, value] : json.items()) SetAttribute(name, value, node, recorded);
  }
  node.recorded = std::move(recorded);
  node.inputs = Part(json, "input");
  node.outputs = Part(json, "output");
}

}  // namespace

absl::StatusOr<TraceNode> ParseNode(std::string_view text) {
  TraceNode node;
  try {
    ReadNode(Json::parse(text), node);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat("node ", node.id, " ", base::Quoted(node.name),
                                                   ": ", base::Printable(error.what(), 200)));
  }
  return node;
}

}  // namespace assay::traces
