#include "benchmarks/traces/reader/node_text.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/json_text.h"
#include "nlohmann/json.hpp"

namespace assay::traces {
namespace {

using base::JsonNumber;
using base::JsonText;

std::string WholesText(const std::vector<int64_t>& numbers) {
  return absl::StrCat("[", absl::StrJoin(numbers, ","), "]");
}

std::string OneText(const TraceValue& value) {
  switch (value.kind) {
    case TraceValue::Kind::kInt:
      return absl::StrCat(value.integer);
    case TraceValue::Kind::kDouble:
      return JsonNumber(value.number);
    case TraceValue::Kind::kBool:
      return value.integer != 0 ? "true" : "false";
    case TraceValue::Kind::kString:
    case TraceValue::Kind::kDevice:
      return JsonText(value.text);
    case TraceValue::Kind::kLost:
      // The text is JSON, unless it was too deep to be kept as a whole.
      return nlohmann::json::accept(value.text) ? value.text : JsonText(value.text);
    default:
      return JsonText(absl::StrCat("<", value.type, ">"));
  }
}

// Adds to each list, whose brackets the caller writes.
void Append(const TraceValue& value, const char* comma, ValuesText& text) {
  const TraceTensor& tensor = value.tensor;
  absl::StrAppend(&text.types, comma, value.type);
  if (value.kind == TraceValue::Kind::kList) {
    ValuesText items;
    for (const TraceValue& item : value.items)
      Append(item, &item == value.items.data() ? "" : ",", items);
    absl::StrAppend(&text.values, comma, "[", items.values, "]");
    absl::StrAppend(&text.shapes, comma, "[", items.shapes, "]");
    absl::StrAppend(&text.strides, comma, "[", items.strides, "]");
    return;
  }
  // A value that is lost may be a tensor that is not strided.
  const bool has_tensor = value.type.rfind("Tensor(", 0) == 0;
  const std::string described =
      absl::StrCat("[", tensor.id, ",", tensor.storage, ",", tensor.offset, ",", tensor.elements,
                   ",", tensor.element_size, ",", JsonText(tensor.device), "]");
  absl::StrAppend(&text.values, comma, has_tensor ? described : OneText(value));
  absl::StrAppend(&text.shapes, comma, WholesText(tensor.sizes));
  absl::StrAppend(&text.strides, comma, WholesText(tensor.strides));
}

std::string SideText(std::string_view side, const std::vector<TraceValue>& values) {
  const ValuesText text = TextOf(values);
  return absl::StrCat(JsonText(side), ":{\"values\":", text.values, ",\"shapes\":", text.shapes,
                      ",\"types\":", text.types, ",\"strides\":", text.strides, "}");
}

std::string Attribute(std::string_view name, std::string_view type, std::string_view json) {
  return absl::StrCat(",{\"name\":", JsonText(name), ",\"type\":", JsonText(type),
                      ",\"value\":", json, "}");
}

// An id that was never set is -1, and 2^64 - 1 in the file.
std::string Unsigned(std::string_view name, int64_t value) {
  return Attribute(name, "uint64", absl::StrCat(static_cast<uint64_t>(value)));
}

std::string Signed(std::string_view name, int64_t value) {
  return Attribute(name, "int64", absl::StrCat(value));
}

// A list or an object as the text of an attribute; nothing for no items.
std::string Packed(std::string_view name, char open, std::string_view items, char close) {
  if (items.empty()) return "";
  return Attribute(name, "string",
                   JsonText(absl::StrCat(std::string(1, open), items, std::string(1, close))));
}

std::string RecordedText(const RecordedValues& recorded) {
  std::string wrapped, snapshots, states, digests, samples;
  const auto comma = [](const std::string& text) { return text.empty() ? "" : ","; };
  for (const auto& [place, number] : recorded.wrapped_numbers)
    absl::StrAppend(&wrapped, comma(wrapped), "\"", place, "\":", JsonNumber(number));
  for (const auto& [place, name] : recorded.snapshots)
    absl::StrAppend(&snapshots, comma(snapshots), "\"", place, "\":", JsonText(name));
  for (const auto& [place, state] : recorded.generator_states)
    absl::StrAppend(&states, comma(states), "\"", place, "\":", JsonText(state));
  for (const std::string& digest : recorded.output_digests)
    absl::StrAppend(&digests, comma(digests), JsonText(digest));
  for (const auto& output : recorded.output_samples) {
    std::string items;
    for (const auto& [place, number] : output)
      absl::StrAppend(&items, comma(items), "[", place, ",", JsonNumber(number), "]");
    absl::StrAppend(&samples, comma(samples), "[", items, "]");
  }
  return absl::StrCat(
      Packed("wrapped_numbers", '{', wrapped, '}'), Packed("snapshots", '{', snapshots, '}'),
      Packed("generator_states", '{', states, '}'), Packed("output_digests", '[', digests, ']'),
      Packed("output_samples", '[', samples, ']'));
}

std::string Attributes(const TraceNode& node) {
  const auto text_of = [](std::string_view name, std::string_view text) {
    return Attribute(name, "string", JsonText(text));
  };
  std::string text =
      absl::StrCat(Unsigned("rf_id", node.rf_id), Unsigned("fw_parent", node.fw_parent),
                   Signed("seq_id", node.seq_id), Unsigned("scope", node.scope),
                   Unsigned("tid", node.tid), Unsigned("fw_tid", node.fw_tid));
  absl::StrAppend(
      &text, text_of("op_schema", node.op_schema), text_of("kernel_backend", node.kernel_backend),
      text_of("kernel_file", node.kernel_file), text_of("tensor_range", node.tensor_range));
  if (node.start_ns >= 0) text += Signed("start_ns", node.start_ns);
  if (node.duration_ns >= 0) text += Signed("duration_ns", node.duration_ns);
  if (node.threw) text += text_of("throws", "true");
  if (node.recorded != nullptr) text += RecordedText(*node.recorded);
  for (const TraceAttribute& other : node.other_attributes)
    text += Attribute(other.name, other.type, other.json);
  return text.substr(1);
}

}  // namespace

ValuesText TextOf(const std::vector<TraceValue>& values) {
  ValuesText all = {"[", "[", "[", "["};
  for (const TraceValue& value : values) {
    ValuesText one;
    Append(value, "", one);
    const char* comma = &value == values.data() ? "" : ",";
    absl::StrAppend(&all.values, comma, one.values);
    absl::StrAppend(&all.shapes, comma, one.shapes);
    absl::StrAppend(&all.types, comma, JsonText(one.types));
    absl::StrAppend(&all.strides, comma, one.strides);
  }
  for (std::string* text : {&all.values, &all.shapes, &all.types, &all.strides}) *text += "]";
  return all;
}

std::string JsonOfNode(const TraceNode& node) {
  return absl::StrCat("{\"id\":", node.id, ",\"name\":", JsonText(node.name),
                      ",\"ctrl_deps\":", node.ctrl_deps, ",", SideText("inputs", node.inputs), ",",
                      SideText("outputs", node.outputs), ",\"attrs\":[", Attributes(node), "]}");
}

}  // namespace assay::traces
